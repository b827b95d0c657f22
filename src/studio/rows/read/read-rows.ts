import { render } from '../../../sql/render.ts';
import { selectRows } from '../../../sql/select.ts';
import { StructureChanged } from '../../core/retry-on-structure-change.ts';
import type { Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { Select } from '../../../sql/select.ts';
import type { Context } from '../../core/context.ts';
import type { SelectedColumns } from './selection.ts';

/** A SELECT on a table, with the columns of its result in the order of the expressions. */
export interface RowsQuery extends Omit<Select, 'expressions'>, SelectedColumns {
  /** Ends the query in the database with `statement_timeout`. */
  readonly limitMs?: number;
}

/** The field types of results, and their expressions, for which the table was verified against the cached schema. */
const verifiedTypes = new WeakMap<Table, Set<string>>();

/** Previews and sorting change the expressions, so a table may have several entries. */
const maxVerifiedTypes = 200;

/**
 * Reads rows with the cached schema. Another client may have changed column types since. If the result
 * has field types that were not seen before, the table's revision must still be that of the schema.
 * The check follows the read, so that it detects every change before the read.
 */
export async function readRows(
  context: Context,
  session: Session,
  read: RowsQuery,
): Promise<readonly Row[]> {
  const { database } = context;
  const { table, expressions, columns, limitMs } = read;
  const query = render(database.dialect, selectRows(database.dialect, read), columns);
  const { rows, fieldTypes } = await session.run(query, limitMs === undefined ? {} : { limitMs });
  if (fieldTypes === undefined || table.revision === undefined) return rows;
  const verified = verifiedTypes.get(table) ?? new Set();
  const types = `${fieldTypes} ${expressions.join()}`;
  if (verified.has(types)) return rows;
  if ((await database.revisionOf(session, table)) !== table.revision)
    throw new StructureChanged(table.name, 'read');
  if (verified.size >= maxVerifiedTypes) verified.clear();
  verifiedTypes.set(table, verified.add(types));
  return rows;
}
