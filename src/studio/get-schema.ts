import { StudioError } from '../model/errors.ts';
import { render } from '../sql/render.ts';
import { countRows } from '../sql/select.ts';
import { jsonReply } from './reply.ts';
import { schemaJson } from './schema-json.ts';
import { count, totalKey } from './total.ts';
import type { Session } from '../model/database.ts';
import type { Table } from '../model/schema.ts';
import type { Context, Turn } from './context.ts';
import type { Reply } from './reply.ts';
import type { KnownSchema } from './schema-cache.ts';
import type { Total } from './total.ts';

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
  const counter = exact ? undefined : createBudget(context.limits.schemaCountsMs);
  const counts = await context.database.read((session) =>
    countTables(context, session, {
      known,
      turn,
      ...(counter === undefined ? {} : { budget: counter }),
    }),
  );
  return jsonReply(schemaJson(context.database.dialect, known, counts));
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

/**
 * Small tables first, by the planner's knowledge, so that few are left over when the budget ends;
 * those, and views, whose cost nobody knows, keep their estimates.
 */
async function countTables(
  context: Context,
  session: Session,
  counting: Counting,
): Promise<ReadonlyMap<string, Total>> {
  const { schema } = counting.known;
  const estimates = await context.database.estimateRows(schema.tables);
  const estimated = (table: Table): number => estimates.get(table.name) ?? 0;
  const all = schema.tables.toSorted((a, b) => estimated(a) - estimated(b)).concat(schema.views);
  const counts = new Map<string, Total>(
    all.map((table) => [table.name, { rows: estimated(table), exact: false }]),
  );
  const counter = await createCounter(context, session);
  let promisedAt = -Infinity;
  for (const table of all) {
    const left = counting.budget?.();
    if (left !== undefined && left <= 0) break;
    if (left !== undefined && performance.now() - promisedAt > 50) {
      counting.turn.provisional?.(
        jsonReply(schemaJson(context.database.dialect, counting.known, counts)),
        left,
      );
      promisedAt = performance.now();
    }
    const rows = await counter.count(table, left);
    if (rows !== undefined) counts.set(table.name, { rows, exact: true });
  }
  await counter.keep();
  return counts;
}

const gone: ReadonlySet<string> = new Set(['database_unavailable', 'database_busy']);

/** One view that cannot be read, or may not be, is no reason to tell nothing of the others. */
function unlessGone(error: unknown): undefined {
  if (error instanceof StudioError && gone.has(error.code)) throw error;
}

interface Counter {
  /** Undefined when the time that is left ran out, or the table cannot be read. */
  count(table: Table, left: number | undefined): Promise<number | undefined>;
  /** Remembers what was counted, unless somebody has committed meanwhile. */
  keep(): Promise<void>;
}

async function createCounter(context: Context, session: Session): Promise<Counter> {
  const { database, totals } = context;
  const token = await database.changeToken(session);
  const counted = new Map<string, number>();
  return {
    async count(table, left) {
      if (table.columns.length === 0) return undefined;
      const query = render(database.dialect, countRows(database.dialect, table, []));
      const key = totalKey(query);
      const isTold = database.changesByCommitsAlone(table);
      const known = isTold ? totals.get(key, token) : undefined;
      if (known !== undefined) return known;
      const rows = await count(session, query, left).catch(unlessGone);
      if (rows !== undefined && isTold) counted.set(key, rows);
      return rows;
    },
    async keep() {
      if (counted.size === 0 || (await database.changeToken(session)) !== token) return;
      for (const [key, rows] of counted) totals.set(key, token, rows);
    },
  };
}
