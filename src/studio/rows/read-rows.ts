import { render } from '../../sql/render.ts';
import { selectRows } from '../../sql/select.ts';
import { StructureChanged } from '../core/follow-structure.ts';
import type { Session } from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { Select } from '../../sql/select.ts';
import type { Context } from '../core/context.ts';
import type { Selected } from './selection.ts';

/** A table, and what is selected of it: the columns of the result in the order of the expressions. */
export interface RowsRead extends Omit<Select, 'expressions'>, Selected {
  /** Ends the query in the database with `statement_timeout`. */
  readonly limitMs?: number;
}

/** The field types that results had while the table was as the cached schema has it, by what was selected. */
const verified = new WeakMap<Table, Set<string>>();

/** Texts of queries differ in their expressions when previews are asked for and when rows are sorted. */
const mostVerified = 200;

/**
 * Reads rows by the cached schema. Another client may have changed the types of columns since, so
 * the types of the result decide: those that are new are accepted only after the table turned out to
 * be what the schema says. The comparison comes after the read, so a change before the read shows.
 */
export async function readRows(
  context: Context,
  session: Session,
  read: RowsRead,
): Promise<readonly Row[]> {
  const { database } = context;
  const { table, expressions, columns, limitMs } = read;
  const query = render(database.dialect, selectRows(database.dialect, read), columns);
  const { rows, fieldTypes } = await session.run(query, limitMs === undefined ? {} : { limitMs });
  if (fieldTypes === undefined || table.revision === undefined) return rows;
  const known = verified.get(table) ?? new Set();
  const types = `${fieldTypes} ${expressions.join()}`;
  if (known.has(types)) return rows;
  if ((await database.revisionOf(session, table)) !== table.revision)
    throw new StructureChanged(table.name, 'read');
  if (known.size >= mostVerified) known.clear();
  verified.set(table, known.add(types));
  return rows;
}
