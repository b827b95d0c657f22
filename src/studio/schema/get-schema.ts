import { addressTokens } from '../core/address-token.ts';
import { render } from '../../sql/render.ts';
import { countRows } from '../../sql/select.ts';
import { allCounts } from '../core/connection-use.ts';
import { judgeReads, objectionTo } from '../core/judge-reads.ts';
import { jsonReply } from '../core/reply.ts';
import { schemaJson } from './schema-json.ts';
import { count, totalKey } from '../rows/total.ts';
import { unreadable, unreadableTable } from '../core/unreadable.ts';
import type { Session } from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';
import type { Context, Turn } from '../core/context.ts';
import type { Reply } from '../core/reply.ts';
import type { KnownSchema } from '../core/schema-cache.ts';
import type { Total } from '../rows/total.ts';

export interface SchemaInput {
  /** `exact`: count every table, however long it takes. */
  readonly counts?: 'exact';
}

/** The whole structure, with row counts as exact as their budget allows. */
export async function getSchema(context: Context, input: SchemaInput, turn: Turn): Promise<Reply> {
  return answer(context, turn, {
    known: await context.schemas.current(),
    exact: input.counts === 'exact',
  });
}

/** The same, read anew from the database. */
export async function refreshSchema(
  context: Context,
  input: SchemaInput,
  turn: Turn,
): Promise<Reply> {
  return answer(context, turn, {
    known: await context.schemas.refresh(),
    exact: input.counts === 'exact',
  });
}

interface Wanted {
  readonly known: KnownSchema;
  readonly exact: boolean;
}

async function answer(context: Context, turn: Turn, { known, exact }: Wanted): Promise<Reply> {
  const { tables, views } = known.schema;
  const { schemaCountsMs } = context.limits;
  await judgeReads(context, tables.concat(views), exact ? Infinity : schemaCountsMs);
  const counting: Counting = {
    known,
    turn,
    ...(exact ? {} : { budget: createBudget(schemaCountsMs) }),
  };
  return schemaReply(context, known, await countTables(context, counting));
}

function schemaReply(
  { database: { dialect } }: Context,
  known: KnownSchema,
  counts: ReadonlyMap<string, Total>,
): Reply {
  const shown = addressTokens(known.schema.tables);
  return jsonReply(schemaJson(dialect, known, counts), { shown });
}

type Budget = () => number;

/** Milliseconds that are left. */
function createBudget(budgetMs: number): Budget {
  const start = performance.now();
  return () => budgetMs - (performance.now() - start);
}

interface Counting {
  readonly known: KnownSchema;
  readonly turn: Turn;
  readonly budget?: Budget;
}

/** The counts so far, and the tables that have none yet. */
interface Progress {
  readonly counts: Map<string, Total>;
  readonly rest: Table[];
  promisedAt: number;
}

/**
 * Small tables first, by the planner's knowledge, so that few are left over when the budget ends;
 * those, and views, whose cost nobody knows, keep their estimates. A table that cannot be counted
 * says so for itself. A failed statement may end its transaction, so the next table is counted in
 * another; that fails if the database itself is gone.
 */
async function countTables(
  context: Context,
  counting: Counting,
): Promise<ReadonlyMap<string, Total>> {
  const { schema } = counting.known;
  const estimates = await estimateAll(context, schema.tables);
  const estimated = (table: Table): number => estimates.get(table.name) ?? 0;
  const all = schema.tables.toSorted((a, b) => estimated(a) - estimated(b)).concat(schema.views);
  const progress: Progress = {
    counts: new Map(all.map((table) => [table.name, { rows: estimated(table), exact: false }])),
    rest: [...all],
    promisedAt: -Infinity,
  };
  do {
    await context.database.read(
      (session) => countUntilFailure(context, { session, counting, progress }),
      allCounts,
    );
  } while (progress.rest.length > 0);
  return progress.counts;
}

/** Without estimates, all tables start at 0. */
async function estimateAll(
  context: Context,
  tables: readonly Table[],
): Promise<ReadonlyMap<string, number>> {
  try {
    return await context.database.estimateRows(tables);
  } catch {
    return new Map();
  }
}

interface CountingSession {
  readonly session: Session;
  readonly counting: Counting;
  readonly progress: Progress;
}

/** Counts the rest until it is done, the budget ends or a table cannot be counted. */
async function countUntilFailure(
  context: Context,
  { session, counting, progress }: CountingSession,
): Promise<void> {
  const { counts, rest } = progress;
  const counter = await createCounter(context, session);
  for (let table = rest.shift(); table !== undefined; table = rest.shift()) {
    const left = counting.budget?.();
    if (left !== undefined && left <= 0) {
      rest.length = 0;
      break;
    }
    if (left !== undefined) promise(context, counting, { progress, left });
    const result = await counter.count(table, limitFor(context, left));
    if (result === undefined) continue;
    if (typeof result === 'number') {
      counts.set(table.name, { rows: result, exact: true });
      continue;
    }
    counts.set(table.name, { ...counts.get(table.name)!, error: result.message });
    if (table.columns.length > 0) return;
  }
  await counter.keep();
}

/** One table that waits for a lock leaves time for others. */
function limitFor({ limits }: Context, left: number | undefined): number | undefined {
  return left === undefined ? undefined : Math.min(left, limits.schemaCountsMs / 2);
}

/** Gives the counts so far as the answer to give if the budget ends within a statement. */
function promise(
  context: Context,
  { known, turn }: Counting,
  { progress, left }: { readonly progress: Progress; readonly left: number },
): void {
  if (performance.now() - progress.promisedAt <= 50) return;
  turn.provisional?.(schemaReply(context, known, progress.counts), left);
  progress.promisedAt = performance.now();
}

interface Counter {
  /** The count, or why the table has none; undefined when the time limit ended the statement. */
  count(
    table: Table,
    limitMs: number | undefined,
  ): Promise<number | { readonly message: string } | undefined>;
  /** Remembers what was counted, unless somebody has committed meanwhile. */
  keep(): Promise<void>;
}

async function createCounter(context: Context, session: Session): Promise<Counter> {
  const { database, totals } = context;
  const token = await database.changeToken(session);
  const counted = new Map<string, number>();
  return {
    async count(table, limitMs) {
      if (table.columns.length === 0) return unreadableTable(table);
      const objection = await objectionTo(context, table);
      if (objection !== undefined) return objection;
      const query = render(database.dialect, countRows(database.dialect, table, []));
      const key = totalKey(query);
      try {
        const isTold = await database.changesByCommitsAlone(query, [table]);
        const known = isTold ? totals.get(key, token) : undefined;
        if (known !== undefined) return known;
        const rows = await count(session, query, limitMs);
        if (rows !== undefined && isTold) counted.set(key, rows);
        return rows;
      } catch (error) {
        return unreadable(database.dialect, table, error);
      }
    },
    async keep() {
      if (counted.size === 0 || (await database.changeToken(session)) !== token) return;
      for (const [key, rows] of counted) totals.set(key, token, rows);
    },
  };
}
