import { missingValue, replacedRow } from '../model/conflict-rules.ts';
import { StudioError } from '../model/errors.ts';
import { countRows } from '../sql/select.ts';
import { render } from '../sql/render.ts';
import type { Query, Result, Session } from '../model/database.ts';
import type { Column, Table } from '../model/schema.ts';
import type { Value } from '../model/values.ts';
import type { Context } from './context.ts';

interface Target {
  readonly context: Context;
  readonly session: Session;
  readonly table: Table;
}

interface StrictWrite {
  /** The statement that writes one row. */
  statement(isStrict: boolean): Query;
  /** How many more rows the table has when it is done. */
  readonly adds: 0 | 1;
  readonly assignments: ReadonlyMap<Column, Value>;
}

/**
 * Writes one row, and no other: `ON CONFLICT REPLACE` of the table's own constraints would remove the
 * rows in the way without a word, `IGNORE` would leave the new one out. A strict statement fails
 * instead, but it also overrides `OR IGNORE` and the like in the statements of triggers. Where such a
 * statement could be what failed, the write is done as it stands, and kept when no row has gone.
 */
export async function runStrictly(
  target: Target,
  { statement, adds, assignments }: StrictWrite,
): Promise<Result> {
  const { session, table } = target;
  if (table.resolvesConflicts !== true) return session.run(statement(false));
  try {
    return await session.run(statement(true));
  } catch (error) {
    if (!isElsewhere(error, table.localName)) throw error;
    const missing = missingValue(table, assignments);
    if (missing !== undefined) throw missing;
    const before = await countAll(target);
    const result = await session.run(statement(false));
    const added = (await countAll(target)) - before;
    // The caller rolls back.
    if (result.rows.length !== 1 || added < adds) throw replacedRow(table);
    return result;
  }
}

function isElsewhere(error: unknown, table: string): boolean {
  if (!(error instanceof StudioError)) return false;
  const { code, details } = error;
  return (
    (code === 'unique_violation' || code === 'not_null_violation') && details['table'] !== table
  );
}

async function countAll({ context, session, table }: Target): Promise<number> {
  const { dialect } = context.database;
  const { rows } = await session.run(render(dialect, countRows(dialect, table, [])));
  return Number(rows[0]?.[0]);
}
