import { StudioError } from '../../model/errors.ts';
import { join, param, sql } from '../../model/fragment.ts';
import { pickRows, sliceChunk } from '../../model/row-chunk.ts';
import { render } from '../../sql/render.ts';
import { runText, releaseSavepoint, undoSavepoint, failWith } from './load-batch.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Column } from '../../model/schema.ts';
import type { BatchFailure, FailedRows, LoadBatch, LoadSession } from './load-batch.ts';
import type { Row } from '../../model/values.ts';

/** Updates the deferred columns of rows, now that the rows that they reference exist. */
export async function updateDeferredColumns(
  loadSession: LoadSession,
  batch: LoadBatch,
  failedRows: FailedRows,
): Promise<void> {
  const deferredColumns = batch.deferredColumns ?? [];
  // A row without references may replace an earlier one of the file that has some.
  const referencingRows = [...batch.rows.keys()].filter(
    (at) =>
      batch.conflict.kind === 'update' ||
      deferredColumns.some((i) => (batch.rows[at]?.[i] ?? null) !== null),
  );
  const maxRows = maxRowsPerUpdate(batch);
  for (let first = 0; first < referencingRows.length; first += maxRows)
    await updateRows(
      loadSession,
      pickRows(batch, referencingRows.slice(first, first + maxRows)),
      failedRows,
    );
}

/** SQL Server allows 2,100 parameters in a statement. The number of rows is limited further because the cost grows with its square. */
function maxRowsPerUpdate({ table, conflict, deferredColumns = [] }: LoadBatch): number {
  const primaryLength = table.primaryKey?.columns.length ?? 1;
  const conflictLength = conflict.kind === 'update' ? conflict.key.length : 0;
  const keyLength = Math.max(primaryLength, conflictLength);
  const each = keyLength + deferredColumns.length * (keyLength + 1);
  return Math.max(1, Math.min(100, Math.floor(2000 / each)));
}

/** Updates the rows in one statement. If it fails, halves them to find the row that fails. */
async function updateRows(
  loadSession: LoadSession,
  batch: LoadBatch,
  failedRows: FailedRows,
): Promise<void> {
  const [only, another] = batch.rows;
  loadSession.options.signal?.throwIfAborted();
  if (only === undefined) return;
  if (another === undefined) {
    const failure = await updateSingleRow(loadSession, batch, only);
    if (failure !== undefined) failedRows.add(batch, failure);
    return;
  }
  if (await updateInOneStatement(loadSession, batch)) return;
  const middle = batch.rows.length >> 1;
  await updateRows(loadSession, sliceChunk(batch, 0, middle), failedRows);
  await updateRows(loadSession, sliceChunk(batch, middle, batch.rows.length), failedRows);
}

/** Updates all rows, or none if one of them cannot be updated. */
async function updateInOneStatement(loadSession: LoadSession, batch: LoadBatch): Promise<boolean> {
  const { session, dialect } = loadSession;
  const { savepoint } = dialect.load;
  const rows = batch.rows.map((row) => ({ row, where: keyCondition(loadSession, batch, row) }));
  const assignments = deferredColumnsOf(batch).map(({ column, i }) => {
    const name = dialect.quoteName(column.name);
    const cases = rows.map(
      ({ row, where }) => sql`WHEN ${where} THEN ${param(row[i] ?? null, column.type)}`,
    );
    // ELSE with the column gives the CASE expression the type of the column.
    return sql`${name} = CASE ${join(cases, ' ')} ELSE ${name} END`;
  });
  const update = dialect.write.updateRow({
    table: dialect.tableName(batch.table),
    assignments: [...assignments, ...unchangedAssignments(loadSession, batch)],
    where: join(
      rows.map(({ where }) => sql`(${where})`),
      ' OR ',
    ),
    returning: [],
    returningColumns: [],
  });
  await runText(session, savepoint.set);
  try {
    const { rowsAffected } = await session.run(render(dialect, update));
    const isComplete = rowsAffected >= rows.length;
    await (isComplete ? releaseSavepoint : undoSavepoint)(session, savepoint);
    return isComplete;
  } catch (error) {
    await undoSavepoint(session, savepoint).catch(() => {
      throw error;
    });
    return false;
  }
}

/** Returns why the row must be skipped; undefined if it was updated. */
async function updateSingleRow(
  loadSession: LoadSession,
  batch: LoadBatch,
  row: Row,
): Promise<BatchFailure | undefined> {
  const { session, dialect } = loadSession;
  const { savepoint } = dialect.load;
  const where = keyCondition(loadSession, batch, row);
  const update = dialect.write.updateRow({
    table: dialect.tableName(batch.table),
    assignments: assignmentsOf(loadSession, batch, row),
    where,
    returning: [],
    returningColumns: [],
  });
  await runText(session, savepoint.set);
  try {
    const { rowsAffected } = await session.run(render(dialect, update));
    if (rowsAffected === 0) await checkNotUpdated(loadSession, batch, row);
    await releaseSavepoint(session, savepoint);
    return undefined;
  } catch (error) {
    await undoSavepoint(session, savepoint);
    if (error instanceof KeyChanged)
      failWith(loadSession, batch, { error: error.reason, first: 0, count: 1 });
    return { error, first: 0, count: 1, wasInserted: true };
  }
}

/** The row cannot be found again, so it cannot be left out either. */
class KeyChanged extends Error {
  readonly reason: StudioError;

  constructor(reason: StudioError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** A trigger that kept the row from being inserted is reported already; any other must not lose its references. */
async function checkNotUpdated(
  loadSession: LoadSession,
  batch: LoadBatch,
  row: Row,
): Promise<void> {
  const { session, dialect, tally } = loadSession;
  const { table } = batch;
  const query = sql`SELECT COUNT(*) FROM ${dialect.tableName(table)} WHERE ${keyCondition(loadSession, batch, row)}`;
  const { rows } = await session.run(render(dialect, query));
  const isFound = Number(rows[0]?.[0]) > 0;
  if (!isFound && tally.hasSuppressed(table)) return;
  const names = deferredColumnsOf(batch).map(({ column }) => `"${column.name}"`);
  const consequence = `so ${names.join(', ')} cannot be set after the rows that it references. Put those rows first in the file.`;
  const reason = isFound
    ? 'keeps the row from being updated'
    : 'changes the primary key of the row';
  const error = new StudioError(
    'write_suppressed',
    `A trigger or rule of table "${table.name}" ${reason}, ${consequence}`,
    { table: table.name },
  );
  throw isFound ? error : new KeyChanged(error);
}

function assignmentsOf(loadSession: LoadSession, batch: LoadBatch, row: Row): readonly Fragment[] {
  const { quoteName } = loadSession.dialect;
  const assignments = deferredColumnsOf(batch).map(
    ({ column, i }) => sql`${quoteName(column.name)} = ${param(row[i] ?? null, column.type)}`,
  );
  return [...assignments, ...unchangedAssignments(loadSession, batch)];
}

function deferredColumnsOf({
  columns,
  deferredColumns = [],
}: LoadBatch): readonly DeferredColumn[] {
  return deferredColumns.flatMap((i) => {
    const column = columns[i];
    return column === undefined ? [] : [{ column, i }];
  });
}

interface DeferredColumn {
  readonly column: Column;
  readonly i: number;
}

/** Keeps the values of columns that the database sets with every update (MySQL's ON UPDATE). */
function unchangedAssignments({ dialect }: LoadSession, { table }: LoadBatch): readonly Fragment[] {
  const touched = table.columns.filter(({ onUpdate }) => onUpdate !== undefined);
  return touched.map(({ name }) => sql`${dialect.quoteName(name)} = ${dialect.quoteName(name)}`);
}

function keyCondition({ dialect }: LoadSession, batch: LoadBatch, row: Row): Fragment {
  const { columns } = batch;
  const tests = identifyingColumns(batch, row).map((name) => {
    const i = columns.findIndex((column) => column.name === name);
    return sql`${dialect.quoteName(name)} = ${param(row[i] ?? null, columns[i]?.type)}`;
  });
  return join(tests, ' AND ');
}

/** The key by which the row was updated: a later row of the file may have changed its primary key. */
function identifyingColumns(
  { table, columns, conflict, deferredColumns = [] }: LoadBatch,
  row: Row,
): readonly string[] {
  const primary = table.primaryKey?.columns ?? [];
  if (conflict.kind !== 'update') return primary;
  const isUsable = conflict.key.every(({ column, collation }) => {
    const i = columns.findIndex(({ name }) => name === column.name);
    return collation === undefined && !deferredColumns.includes(i) && (row[i] ?? null) !== null;
  });
  return isUsable ? conflict.key.map(({ column }) => column.name) : primary;
}
