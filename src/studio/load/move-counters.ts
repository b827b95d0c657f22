/** Moves identities and sequences past the rows of a load, and to where the file says. */
import { StudioError } from '../../model/errors.ts';
import { runText, undoSavepoint } from './load-batch.ts';
import type { LoadCounter } from '../../model/counters.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { LoadBatch, LoadSession } from './load-batch.ts';

export function recordNumberedColumns(
  numberedColumns: Map<Column, Table>,
  { columns, table }: LoadBatch,
): void {
  for (const column of columns)
    if (column.autoIncrement === true) numberedColumns.set(column, table);
}

/** Moves the counters of columns that received values of the file. */
export async function moveIdentities(
  loadSession: LoadSession,
  numberedColumns: ReadonlyMap<Column, Table>,
): Promise<void> {
  const { dialect, options } = loadSession;
  for (const [column, table] of numberedColumns) {
    const move = dialect.load.advanceIdentity(table, column.name, options.dryRun);
    if (move === undefined) continue;
    await runIfPermitted(
      loadSession,
      [move],
      `The sequence of column "${column.name}" of table "${table.name}" could not be advanced past the values of the file`,
    );
  }
}

/** Moves the counters that the file sets, after those of the rows, and never back. */
export async function moveCounters(
  loadSession: LoadSession,
  counters: readonly LoadCounter[],
): Promise<void> {
  const { session, dialect, options, tally } = loadSession;
  const { mustMoveQuery, unsupportedReason, move } = dialect.load.counters;
  for (const { counter, position, statement } of counters) {
    const failureText = `${statement} was not applied`;
    const { rows } = await session.run({ text: mustMoveQuery(counter, position), params: [] });
    const [mustMove] = rows[0] ?? [];
    const reason = unsupportedReason(counter);
    if (mustMove === undefined)
      tally.warn(`${failureText}: the database has no such counter, or it cannot have this value.`);
    else if (Number(mustMove) === 0) continue;
    else if (reason !== undefined) tally.warn(`${failureText}: ${reason}.`);
    else await runIfPermitted(loadSession, move(counter, position, options.dryRun), failureText);
  }
}

async function runIfPermitted(
  { session, dialect, tally }: LoadSession,
  statements: readonly string[],
  failureText: string,
): Promise<void> {
  const { savepoint } = dialect.load;
  await runText(session, savepoint.set);
  try {
    for (const text of statements) await runText(session, text);
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'permission_denied') throw error;
    await undoSavepoint(session, savepoint);
    tally.warn(`${failureText}: ${error.message}`);
  }
}
