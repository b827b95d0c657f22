import { addressTokens } from '../core/address-token.ts';
import { render } from '../../sql/render.ts';
import { countRows } from '../../sql/select.ts';
import { allCountsUse } from '../core/connection-use.ts';
import { checkReads, findReadError } from '../core/check-reads.ts';
import { jsonReply } from '../core/reply.ts';
import { schemaJson } from './schema-json.ts';
import { count, totalKey } from '../rows/read/total.ts';
import { readError, unreadableTableError } from '../core/read-error.ts';
import type { Session } from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';
import type { Context, Invocation } from '../core/context.ts';
import type { Reply } from '../core/reply.ts';
import type { CachedSchema } from '../core/schema-cache.ts';
import type { Total } from '../rows/read/total.ts';

export interface SchemaInput {
  /** `exact`: counts every table without a time limit. */
  readonly counts?: 'exact';
}

/** The whole structure. Row counts are estimates where counting exceeds the time budget. */
export async function getSchema(
  context: Context,
  input: SchemaInput,
  invocation: Invocation,
): Promise<Reply> {
  return respondWithCounts(context, invocation, {
    cached: await context.schemas.current(),
    exact: input.counts === 'exact',
  });
}

/** The same as `getSchema`, after reading the structure from the database again. */
export async function refreshSchema(
  context: Context,
  input: SchemaInput,
  invocation: Invocation,
): Promise<Reply> {
  return respondWithCounts(context, invocation, {
    cached: await context.schemas.refresh(),
    exact: input.counts === 'exact',
  });
}

interface SchemaRequest {
  readonly cached: CachedSchema;
  readonly exact: boolean;
}

async function respondWithCounts(
  context: Context,
  invocation: Invocation,
  { cached, exact }: SchemaRequest,
): Promise<Reply> {
  const { tables, views } = cached.schema;
  const { schemaCountsMs } = context.limits;
  await checkReads(context, tables.concat(views), exact ? Infinity : schemaCountsMs);
  const counting: Counting = {
    cached,
    invocation,
    ...(exact ? {} : { budget: createBudget(schemaCountsMs) }),
  };
  return schemaReply(context, cached, await countTables(context, counting));
}

function schemaReply(
  { database: { dialect } }: Context,
  cached: CachedSchema,
  counts: ReadonlyMap<string, Total>,
): Reply {
  const shownTokens = addressTokens(cached.schema.tables);
  return jsonReply(schemaJson(dialect, cached, counts), { shown: shownTokens });
}

type Budget = () => number;

/** Returns the milliseconds that are left of the budget. */
function createBudget(budgetMs: number): Budget {
  const start = performance.now();
  return () => budgetMs - (performance.now() - start);
}

interface Counting {
  readonly cached: CachedSchema;
  readonly invocation: Invocation;
  readonly budget?: Budget;
}

/** The counts so far, and the tables that are not counted yet. */
interface Progress {
  readonly counts: Map<string, Total>;
  readonly remaining: Table[];
  offeredAt: number;
}

/**
 * Counts the tables from the smallest to the largest by the planner's estimates, then the views, whose
 * cost is unknown. When the budget ends, the rest keep their estimates. A table that cannot be counted
 * gets an error of its own. A failed statement may end its transaction, so the next table is counted
 * in a new one, which fails if the database is unavailable.
 */
async function countTables(
  context: Context,
  counting: Counting,
): Promise<ReadonlyMap<string, Total>> {
  const { schema } = counting.cached;
  const estimates = await estimateAll(context, schema.tables);
  const estimated = (table: Table): number => estimates.get(table.name) ?? 0;
  const all = schema.tables.toSorted((a, b) => estimated(a) - estimated(b)).concat(schema.views);
  const progress: Progress = {
    counts: new Map(all.map((table) => [table.name, { rows: estimated(table), exact: false }])),
    remaining: [...all],
    offeredAt: -Infinity,
  };
  do {
    await context.database.read(
      (session) => countUntilFailure(context, { session, counting, progress }),
      allCountsUse,
    );
  } while (progress.remaining.length > 0);
  return progress.counts;
}

/** Without estimates, counting still works: all tables start at 0. */
async function estimateAll(
  context: Context,
  tables: readonly Table[],
): Promise<ReadonlyMap<string, number>> {
  try {
    return await context.database.estimateTableRows(tables);
  } catch {
    return new Map();
  }
}

interface CountingSession {
  readonly session: Session;
  readonly counting: Counting;
  readonly progress: Progress;
}

/** Counts the remaining tables until all are counted, the budget ends or a table cannot be counted. */
async function countUntilFailure(
  context: Context,
  { session, counting, progress }: CountingSession,
): Promise<void> {
  const { counts, remaining } = progress;
  const counter = await createCounter(context, session);
  for (let table = remaining.shift(); table !== undefined; table = remaining.shift()) {
    const remainingMs = counting.budget?.();
    if (remainingMs !== undefined && remainingMs <= 0) {
      remaining.length = 0;
      break;
    }
    if (remainingMs !== undefined) offerProvisional(context, counting, { progress, remainingMs });
    const result = await counter.count(table, limitFor(context, remainingMs));
    if (result === undefined) continue;
    if (typeof result === 'number') {
      counts.set(table.name, { rows: result, exact: true });
      continue;
    }
    counts.set(table.name, { ...counts.get(table.name)!, error: result.message });
    if (table.columns.length > 0) return;
  }
  await counter.cacheCounts();
}

/** Each table gets at most half of the budget: one that waits for a lock leaves time for others. */
function limitFor({ limits }: Context, remainingMs: number | undefined): number | undefined {
  return remainingMs === undefined ? undefined : Math.min(remainingMs, limits.schemaCountsMs / 2);
}

/** Offers the counts so far as the response if the budget ends during a statement. At most every 50 ms. */
function offerProvisional(
  context: Context,
  { cached, invocation }: Counting,
  { progress, remainingMs }: { readonly progress: Progress; readonly remainingMs: number },
): void {
  if (performance.now() - progress.offeredAt <= 50) return;
  invocation.provisional?.(schemaReply(context, cached, progress.counts), remainingMs);
  progress.offeredAt = performance.now();
}

interface Counter {
  /** The count, or the error of the table. Undefined if the time limit ended the statement. */
  count(
    table: Table,
    limitMs: number | undefined,
  ): Promise<number | { readonly message: string } | undefined>;
  /** Caches the counts unless another session has committed since. */
  cacheCounts(): Promise<void>;
}

async function createCounter(context: Context, session: Session): Promise<Counter> {
  const { database, totals } = context;
  const token = await database.changeToken(session);
  const counted = new Map<string, number>();
  return {
    async count(table, limitMs) {
      if (table.columns.length === 0) return unreadableTableError(table);
      const error = await findReadError(context, table);
      if (error !== undefined) return error;
      const query = render(database.dialect, countRows(database.dialect, table, []));
      const key = totalKey(query);
      try {
        const isCacheable = await database.changesOnlyByCommits(query, [table]);
        const cached = isCacheable ? totals.get(key, token) : undefined;
        if (cached !== undefined) return cached;
        const rows = await count(session, query, limitMs);
        if (rows !== undefined && isCacheable) counted.set(key, rows);
        return rows;
      } catch (thrown) {
        return readError(database.dialect, table, thrown);
      }
    },
    async cacheCounts() {
      if (counted.size === 0 || (await database.changeToken(session)) !== token) return;
      for (const [key, rows] of counted) totals.set(key, token, rows);
    },
  };
}
