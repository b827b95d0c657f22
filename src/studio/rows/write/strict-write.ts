import { missingValue, replacedRow } from '../../../model/conflict-rules.ts';
import { StudioError } from '../../../model/errors.ts';
import { countRows } from '../../../sql/select.ts';
import { render } from '../../../sql/render.ts';
import type { Query, Result, Session } from '../../../model/database.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { Context } from '../../core/context.ts';

interface WriteTarget {
  readonly context: Context<'write'>;
  readonly session: Session;
  readonly table: Table;
}

interface StrictWrite {
  /** The statement that writes one row. */
  statement(isStrict: boolean): Query;
  /** The number of rows by which the table must have grown afterwards. */
  readonly addedRows: 0 | 1;
  readonly assignments: ReadonlyMap<Column, Value>;
}

/**
 * Writes one row without removing others. A constraint with `ON CONFLICT REPLACE` would silently remove
 * conflicting rows, one with `IGNORE` would skip the new row. A strict statement (`OR ABORT`) fails
 * instead, but also overrides `OR IGNORE` and `OR REPLACE` in triggers. When the error is about
 * another table, a trigger could have failed for that reason alone. The write then runs without
 * `OR ABORT`, and is kept if no row disappeared.
 */
export async function runStrictly(
  target: WriteTarget,
  { statement, addedRows, assignments }: StrictWrite,
): Promise<Result> {
  const { session, table } = target;
  if (table.resolvesConflicts !== true) return session.run(statement(false));
  try {
    return await session.run(statement(true));
  } catch (error) {
    if (!isAboutOtherTable(error, table.localName)) throw error;
    const missing = missingValue(table, assignments);
    if (missing !== undefined) throw missing;
    const before = await countAll(target);
    const result = await session.run(statement(false));
    const countDifference = (await countAll(target)) - before;
    // The caller rolls back.
    if (result.rows.length !== 1 || countDifference < addedRows) throw replacedRow(table);
    return result;
  }
}

function isAboutOtherTable(error: unknown, table: string): boolean {
  if (!(error instanceof StudioError)) return false;
  const { code, details } = error;
  return (
    (code === 'unique_violation' || code === 'not_null_violation') && details['table'] !== table
  );
}

async function countAll({ context, session, table }: WriteTarget): Promise<number> {
  const { dialect } = context.database;
  const { rows } = await session.run(render(dialect, countRows(dialect, table, [])));
  return Number(rows[0]?.[0]);
}
