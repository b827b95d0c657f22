/** Skips or updates existing rows on databases whose INSERT cannot name the key that may conflict. */
import { join, param, sql } from '../model/fragment.ts';
import { RowsFailure } from '../model/load-dialect.ts';
import { render } from '../sql/render.ts';
import type { Dialect, RunOptions, Session } from '../model/database.ts';
import type { Fragment } from '../model/fragment.ts';
import type { InsertBatch, InsertCounts, KeyPart, LoadDialect } from '../model/load-dialect.ts';
import type { Row, Value } from '../model/values.ts';

export interface UpdateContext {
  readonly session: Session;
  readonly dialect: Dialect<'write'>;
  readonly options: RunOptions;
  readonly rejectsUpdates: LoadDialect['rejectsUpdates'];
}

export interface LookupContext extends UpdateContext {
  /** Inserts rows; a conflict on any key is an error. */
  insertNew(batch: InsertBatch): Promise<number>;
  /** Set if UNION takes queries that lock rows only as derived tables (PostgreSQL). */
  readonly derivesLockedRows?: true;
}

/** The lookup is one statement with a subquery for each row, which limits their number. */
export const maxLookupRows = 200;

/** Locks existing rows, inserts the missing ones, and updates the existing ones if the conflict rule says so. */
export async function insertByLookup(
  context: LookupContext,
  batch: InsertBatch,
): Promise<InsertCounts> {
  const existing = await findExisting(context, batch);
  const missing = batch.rows.filter((_, i) => !existing.has(i));
  const inserted = await insertMissing(context, batch, missing);
  if (batch.conflict.kind !== 'update') return { inserted, updated: 0 };
  let updated = 0;
  for (const index of [...existing].toSorted((a, b) => a - b))
    updated += await updateRowAt(context, batch, index);
  return { inserted, updated };
}

/** If some rows exist, an index among the missing rows is not an index of the batch, so an error covers the whole batch. */
async function insertMissing(
  context: LookupContext,
  batch: InsertBatch,
  rows: readonly Row[],
): Promise<number> {
  if (rows.length === 0) return 0;
  if (rows.length === batch.rows.length) return context.insertNew(batch);
  return context
    .insertNew({ ...batch, rows, conflict: { kind: 'error' } })
    .catch((error: unknown) => {
      const cause = error instanceof RowsFailure ? error.cause : error;
      throw new RowsFailure(cause, { first: 0, count: batch.rows.length });
    });
}

/** The indexes of rows in the batch whose key exists. */
async function findExisting(
  context: LookupContext,
  batch: InsertBatch,
): Promise<ReadonlySet<number>> {
  const { session, dialect, options } = context;
  const queries = batch.rows.flatMap((row, i) => {
    const where = keyCondition(dialect, batch, row);
    if (where === undefined) return [];
    const query = existingRowQuery(dialect, batch, { where, index: i });
    return [context.derivesLockedRows === true ? sql`SELECT n FROM ${query} AS existing` : query];
  });
  if (queries.length === 0) return new Set();
  const { rows } = await session.run(render(dialect, join(queries, ' UNION ALL ')), options);
  return new Set(rows.map(([index]) => Number(index)));
}

function existingRowQuery(
  { tableName, write }: Dialect<'write'>,
  { table }: InsertBatch,
  { where, index }: { readonly where: Fragment; readonly index: number },
): Fragment {
  const { hint, clause } = write.rowLock;
  return sql`(SELECT ${String(index)} AS n FROM ${tableName(table)}${hint} WHERE ${where}${clause})`;
}

/** Undefined if a part of the row's key is missing or NULL. */
function keyCondition(dialect: Dialect, batch: InsertBatch, row: Row): Fragment | undefined {
  const tests = keyOf(batch).map(({ column }) => {
    const value = valueOf(batch, row, column.name);
    return value === null || value === undefined
      ? undefined
      : sql`${dialect.quoteName(column.name)} = ${param(value, column.type)}`;
  });
  const presentTests = tests.filter((test) => test !== undefined);
  return presentTests.length < tests.length || tests.length === 0
    ? undefined
    : join(presentTests, ' AND ');
}

function keyOf({ conflict }: InsertBatch): readonly KeyPart[] {
  return conflict.kind === 'error' ? [] : conflict.key;
}

function valueOf({ columns }: InsertBatch, row: Row, name: string): Value | undefined {
  return row[columns.findIndex((column) => column.name === name)];
}

/** Updates the existing row with the key of a row of the batch. Returns the number of updated rows: 0 or 1. */
export async function updateRowAt(
  context: UpdateContext,
  batch: InsertBatch,
  index: number,
): Promise<number> {
  const { session, dialect, options } = context;
  const row = batch.rows[index] ?? [];
  const where = keyCondition(dialect, batch, row);
  const assignments = assignmentsOf(context, batch, row);
  if (where === undefined || assignments.length === 0) return 0;
  const update = dialect.write.updateRow({
    table: dialect.tableName(batch.table),
    assignments,
    where,
    returning: [],
    returningColumns: [],
  });
  try {
    const { rowsAffected } = await session.run(render(dialect, update), options);
    return Math.min(1, rowsAffected);
  } catch (error) {
    throw new RowsFailure(error, { first: index, count: 1 });
  }
}

function assignmentsOf(context: UpdateContext, batch: InsertBatch, row: Row): readonly Fragment[] {
  const key = new Set(keyOf(batch).map(({ column }) => column.name));
  return batch.columns.flatMap((column, i) =>
    key.has(column.name) || context.rejectsUpdates(column)
      ? []
      : [sql`${context.dialect.quoteName(column.name)} = ${param(row[i] ?? null, column.type)}`],
  );
}
