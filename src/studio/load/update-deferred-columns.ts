import { join, param, sql } from '../../model/fragment.ts';
import { pickRows, sliceChunk } from '../../model/row-chunk.ts';
import { render } from '../../sql/render.ts';
import { runText, failWith, rejectRow } from './load-batch.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Column } from '../../model/schema.ts';
import type { LoadBatch, LoadSession } from './load-batch.ts';
import type { RejectedRows } from './rejected-rows.ts';
import type { Row } from '../../model/values.ts';

/** Gives rows what was withheld from them, now that the rows are there that they point at. */
export async function updateDeferredColumns(
  loading: LoadSession,
  batch: LoadBatch,
  refused: RejectedRows,
): Promise<void> {
  const withheld = batch.deferredColumns ?? [];
  const given = [...batch.rows.keys()].filter((at) =>
    withheld.some((i) => (batch.rows[at]?.[i] ?? null) !== null),
  );
  const most = maxRowsPerUpdate(batch);
  for (let first = 0; first < given.length; first += most)
    await updateRows(loading, pickRows(batch, given.slice(first, first + most)), refused);
}

/** SQL Server takes 2,100 parameters, and each row is compared with each key of the statement. */
function maxRowsPerUpdate({ table, deferredColumns: withheld = [] }: LoadBatch): number {
  const keyLength = table.primaryKey?.columns.length ?? 1;
  const each = keyLength + withheld.length * (keyLength + 1);
  return Math.max(1, Math.min(100, Math.floor(2000 / each)));
}

/** In one statement; where that fails in halves, so that it is known which row fails. */
async function updateRows(
  loading: LoadSession,
  batch: LoadBatch,
  refused: RejectedRows,
): Promise<void> {
  const [only, another] = batch.rows;
  loading.options.signal?.throwIfAborted();
  if (only === undefined) return;
  if (another === undefined) {
    if (!(await updateSingleRow(loading, batch, only))) refused.add(batch, only);
    return;
  }
  if (await updateInOneStatement(loading, batch)) return;
  const middle = batch.rows.length >> 1;
  await updateRows(loading, sliceChunk(batch, 0, middle), refused);
  await updateRows(loading, sliceChunk(batch, middle, batch.rows.length), refused);
}

/** False, and undone, where a row cannot be updated. */
async function updateInOneStatement(loading: LoadSession, batch: LoadBatch): Promise<boolean> {
  const { session, dialect } = loading;
  const { savepoint } = dialect.loading;
  const rows = batch.rows.map((row) => ({ row, where: keyCondition(loading, batch, row) }));
  const given = deferredColumnsOf(batch).map(({ column, i }) => {
    const name = dialect.quoteName(column.name);
    const cases = rows.map(
      ({ row, where }) => sql`WHEN ${where} THEN ${param(row[i] ?? null, column.type)}`,
    );
    // The column itself gives the expression its type.
    return sql`${name} = CASE ${join(cases, ' ')} ELSE ${name} END`;
  });
  const update = dialect.writing.updateRow({
    table: dialect.tableName(batch.table),
    assignments: [...given, ...unchangedAssignments(loading, batch)],
    where: join(
      rows.map(({ where }) => sql`(${where})`),
      ' OR ',
    ),
    returning: [],
    returningColumns: [],
  });
  await runText(session, savepoint.set);
  try {
    await session.run(render(dialect, update));
    if (savepoint.release !== undefined) await runText(session, savepoint.release);
    return true;
  } catch (error) {
    await runText(session, savepoint.undo).catch(() => {
      throw error;
    });
    return false;
  }
}

/** False for a row that is to be left out. */
async function updateSingleRow(loading: LoadSession, batch: LoadBatch, row: Row): Promise<boolean> {
  const { session, dialect } = loading;
  const { savepoint } = dialect.loading;
  const where = keyCondition(loading, batch, row);
  const update = dialect.writing.updateRow({
    table: dialect.tableName(batch.table),
    assignments: assignmentsOf(loading, batch, row),
    where,
    returning: [],
    returningColumns: [],
  });
  await runText(session, savepoint.set);
  try {
    await session.run(render(dialect, update));
    if (savepoint.release !== undefined) await runText(session, savepoint.release);
    return true;
  } catch (error) {
    await runText(session, savepoint.undo);
    // What stood there before the load cannot be brought back for one row.
    if (batch.conflict.kind === 'update') failWith(loading, batch, { error, first: 0, count: 1 });
    rejectRow(loading, batch, { error, first: 0, count: 1, wasInserted: true });
    return false;
  }
}

function assignmentsOf(loading: LoadSession, batch: LoadBatch, row: Row): readonly Fragment[] {
  const { quoteName } = loading.dialect;
  const given = deferredColumnsOf(batch).map(
    ({ column, i }) => sql`${quoteName(column.name)} = ${param(row[i] ?? null, column.type)}`,
  );
  return [...given, ...unchangedAssignments(loading, batch)];
}

function deferredColumnsOf({
  columns,
  deferredColumns: withheld = [],
}: LoadBatch): readonly DeferredColumn[] {
  return withheld.flatMap((i) => {
    const column = columns[i];
    return column === undefined ? [] : [{ column, i }];
  });
}

interface DeferredColumn {
  readonly column: Column;
  readonly i: number;
}

/** What the database itself sets with every change stays as it was loaded. */
function unchangedAssignments({ dialect }: LoadSession, { table }: LoadBatch): readonly Fragment[] {
  const touched = table.columns.filter(({ onUpdate }) => onUpdate !== undefined);
  return touched.map(({ name }) => sql`${dialect.quoteName(name)} = ${dialect.quoteName(name)}`);
}

function keyCondition({ dialect }: LoadSession, { table, columns }: LoadBatch, row: Row): Fragment {
  const tests = (table.primaryKey?.columns ?? []).map((name) => {
    const i = columns.findIndex((column) => column.name === name);
    return sql`${dialect.quoteName(name)} = ${param(row[i] ?? null, columns[i]?.type)}`;
  });
  return join(tests, ' AND ');
}
