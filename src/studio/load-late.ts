import { join, param, sql } from '../model/fragment.ts';
import { sliceChunk } from '../model/row-chunk.ts';
import { render } from '../sql/render.ts';
import { command, endWith, refuseRow } from './load-batch.ts';
import type { Fragment } from '../model/fragment.ts';
import type { LoadBatch, Loading } from './load-batch.ts';
import type { Row } from '../model/values.ts';

/** Gives rows what was withheld from them, now that the rows are there that they point at. */
export async function updateLate(loading: Loading, batch: LoadBatch): Promise<void> {
  const { options } = loading;
  for (const [index, row] of batch.rows.entries()) {
    const isGiven = batch.withheld?.some((i) => (row[i] ?? null) !== null) ?? false;
    if (!isGiven) continue;
    options.signal?.throwIfAborted();
    await updateRow(loading, sliceChunk(batch, index, index + 1), row);
  }
}

async function updateRow(loading: Loading, batch: LoadBatch, row: Row): Promise<void> {
  const { session, dialect } = loading;
  const { savepoint } = dialect.loading;
  const where = sameRow(loading, batch, row);
  const update = dialect.writing.updateRow({
    table: dialect.tableName(batch.table),
    assignments: assignmentsOf(loading, batch, row),
    where,
    returning: [],
    told: [],
  });
  await command(session, savepoint.set);
  try {
    await session.run(render(dialect, update));
    if (savepoint.release !== undefined) await command(session, savepoint.release);
  } catch (error) {
    await command(session, savepoint.undo);
    // What stood there before the load cannot be brought back for one row.
    if (batch.conflict.kind === 'update') endWith(loading, batch, { error, first: 0, count: 1 });
    refuseRow(loading, batch, { error, first: 0, count: 1, wasInserted: true });
    await session.run(
      render(dialect, sql`DELETE FROM ${dialect.tableName(batch.table)} WHERE ${where}`),
    );
  }
}

/** What the database itself sets with every change stays as it was loaded. */
function assignmentsOf(
  { dialect }: Loading,
  { table, columns, withheld = [] }: LoadBatch,
  row: Row,
): readonly Fragment[] {
  const given = withheld.flatMap((i) => {
    const column = columns[i];
    return column === undefined
      ? []
      : [sql`${dialect.quoteName(column.name)} = ${param(row[i] ?? null, column.type)}`];
  });
  const touched = table.columns.filter(({ onUpdate }) => onUpdate !== undefined);
  return [
    ...given,
    ...touched.map(({ name }) => sql`${dialect.quoteName(name)} = ${dialect.quoteName(name)}`),
  ];
}

function sameRow({ dialect }: Loading, { table, columns }: LoadBatch, row: Row): Fragment {
  const tests = (table.primaryKey?.columns ?? []).map((name) => {
    const i = columns.findIndex((column) => column.name === name);
    return sql`${dialect.quoteName(name)} = ${param(row[i] ?? null, columns[i]?.type)}`;
  });
  return join(tests, ' AND ');
}
