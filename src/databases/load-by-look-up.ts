/** Skipping and updating where INSERT cannot be told which key a conflict is on. */
import { join, param, sql } from '../model/fragment.ts';
import { RowsFailure } from '../model/load-dialect.ts';
import { render } from '../sql/render.ts';
import type { Dialect, RunOptions, Session } from '../model/database.ts';
import type { Fragment } from '../model/fragment.ts';
import type { InsertBatch, InsertCounts, KeyPart } from '../model/load-dialect.ts';
import type { Column } from '../model/schema.ts';
import type { Row, Value } from '../model/values.ts';

export interface UpdateTools {
  readonly session: Session;
  readonly dialect: Dialect;
  readonly options: RunOptions;
  /** Columns that cannot be set once the row is there. */
  isFixed(column: Column): boolean;
}

export interface LookUpTools extends UpdateTools {
  /** Writes rows that are new; a conflict of any key is an error. */
  insertNew(batch: InsertBatch): Promise<number>;
}

/** Few enough for a statement that looks for each by its key. */
export const mostLookedUp = 200;

/** Holds the rows that are there, inserts those that are not, and updates those that are if that is the rule. */
export async function insertByLookUp(
  tools: LookUpTools,
  batch: InsertBatch,
): Promise<InsertCounts> {
  const existing = await lookUp(tools, batch);
  const news = batch.rows.filter((_, i) => !existing.has(i));
  const inserted = await insertNews(tools, batch, news);
  if (batch.conflict.kind !== 'update') return { inserted, updated: 0 };
  let updated = 0;
  for (const index of [...existing].toSorted((a, b) => a - b))
    updated += await updateAt(tools, batch, index);
  return { inserted, updated };
}

/** Where some rows are there, those that fail cannot be told by their places among the new ones. */
async function insertNews(
  tools: LookUpTools,
  batch: InsertBatch,
  rows: readonly Row[],
): Promise<number> {
  if (rows.length === 0) return 0;
  if (rows.length === batch.rows.length) return tools.insertNew(batch);
  return tools
    .insertNew({ ...batch, rows, conflict: { kind: 'error' } })
    .catch((error: unknown) => {
      const cause = error instanceof RowsFailure ? error.cause : error;
      throw new RowsFailure(cause, { first: 0, count: batch.rows.length });
    });
}

/** Places of rows whose key is there. */
async function lookUp(tools: LookUpTools, batch: InsertBatch): Promise<ReadonlySet<number>> {
  const { session, dialect, options } = tools;
  const questions = batch.rows.flatMap((row, i) => {
    const where = sameKey(dialect, batch, row);
    return where === undefined ? [] : [question(dialect, batch, { where, index: i })];
  });
  if (questions.length === 0) return new Set();
  const { rows } = await session.run(render(dialect, join(questions, ' UNION ALL ')), options);
  return new Set(rows.map(([index]) => Number(index)));
}

function question(
  { tableName, writing }: Dialect,
  { table }: InsertBatch,
  { where, index }: { readonly where: Fragment; readonly index: number },
): Fragment {
  const { hint, clause } = writing.rowLock;
  return sql`(SELECT ${String(index)} AS n FROM ${tableName(table)}${hint} WHERE ${where}${clause})`;
}

/** Undefined for a row whose key is not given whole: NULL is the same as nothing. */
function sameKey(dialect: Dialect, batch: InsertBatch, row: Row): Fragment | undefined {
  const tests = keyOf(batch).map(({ column }) => {
    const value = valueOf(batch, row, column.name);
    return value === null || value === undefined
      ? undefined
      : sql`${dialect.quoteName(column.name)} = ${param(value, column.type)}`;
  });
  const known = tests.filter((test) => test !== undefined);
  return known.length < tests.length || tests.length === 0 ? undefined : join(known, ' AND ');
}

function keyOf({ conflict }: InsertBatch): readonly KeyPart[] {
  return conflict.kind === 'error' ? [] : conflict.key;
}

function valueOf({ columns }: InsertBatch, row: Row, name: string): Value | undefined {
  return row[columns.findIndex((column) => column.name === name)];
}

/** Updates the row that has the key of one of the batch; gives how many that were. */
export async function updateAt(
  tools: UpdateTools,
  batch: InsertBatch,
  index: number,
): Promise<number> {
  const { session, dialect, options } = tools;
  const row = batch.rows[index] ?? [];
  const where = sameKey(dialect, batch, row);
  const assignments = assignmentsOf(tools, batch, row);
  if (where === undefined || assignments.length === 0) return 0;
  const update = dialect.writing.updateRow({
    table: dialect.tableName(batch.table),
    assignments,
    where,
    returning: [],
    told: [],
  });
  try {
    const { rowsAffected } = await session.run(render(dialect, update), options);
    return Math.min(1, rowsAffected);
  } catch (error) {
    throw new RowsFailure(error, { first: index, count: 1 });
  }
}

function assignmentsOf(tools: UpdateTools, batch: InsertBatch, row: Row): readonly Fragment[] {
  const key = new Set(keyOf(batch).map(({ column }) => column.name));
  return batch.columns.flatMap((column, i) =>
    key.has(column.name) || tools.isFixed(column)
      ? []
      : [sql`${tools.dialect.quoteName(column.name)} = ${param(row[i] ?? null, column.type)}`],
  );
}
