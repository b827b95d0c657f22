import { isTimeout } from '../../../model/errors.ts';
import { sql } from '../../../model/fragment.ts';
import { render } from '../../../sql/render.ts';
import { countRows, selectRows } from '../../../sql/select.ts';
import type { Query, Session } from '../../../model/database.ts';
import type { Value } from '../../../model/values.ts';
import type { Context } from '../../core/context.ts';
import type { PagePlan } from './page-plan.ts';

/** The number of rows of a list. `rows` is null if the request asks for no total. */
export interface Total {
  readonly rows: number | null;
  readonly exact: boolean;
  /** Why the rows could not be counted. */
  readonly error?: string;
}

export const uncounted: Total = { rows: null, exact: true };

export function totalQuery(context: Context, plan: PagePlan): Query {
  const { dialect } = context.database;
  return render(dialect, countRows(dialect, plan.table, plan.where));
}

/** The cache key of a total: the query with its values and their types. */
export function totalKey({ text, params }: Query): string {
  return JSON.stringify([text, ...params.map(keyPart)]);
}

function keyPart(value: Value): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return { integer: String(value) };
  if (typeof value === 'number') return { double: Object.is(value, -0) ? '-0' : String(value) };
  return { bytes: Buffer.from(value).toString('base64') };
}

/** Counts rows. Undefined if the time limit ended the query. */
export async function count(
  session: Session,
  query: Query,
  limitMs?: number,
): Promise<number | undefined> {
  try {
    const { rows } = await session.run(query, limitMs === undefined ? {} : { limitMs });
    return Number(rows[0]?.[0] ?? 0);
  } catch (error) {
    if (limitMs !== undefined && isTimeout(error)) return undefined;
    throw error;
  }
}

/** Counting this many rows costs no more than reading a page. */
const maxFewRows = 1000;

/** The total of a list with few rows. Undefined if the list has more or if finding out would take long. */
export async function countFew(
  context: Context,
  session: Session,
  plan: PagePlan,
): Promise<number | undefined> {
  const { database } = context;
  const { dialect } = database;
  const rows = selectRows(dialect, {
    table: plan.table,
    expressions: ['1'],
    where: plan.where,
    order: [],
    limit: maxFewRows + 1,
    offset: 0,
  });
  if (!(await database.isPageCostBounded(render(dialect, rows)))) return undefined;
  const total = await count(session, render(dialect, sql`SELECT COUNT(*) FROM (${rows}) AS few`));
  return total === undefined || total > maxFewRows ? undefined : total;
}

/** The planner may wait for a lock. The catalog's row count then serves as the estimate. */
const planLimitMs = 500;

/** The planner's estimate of the total, or else the catalog's row count of the table. */
export async function estimateTotal(context: Context, plan: PagePlan): Promise<Total> {
  const { database } = context;
  const query = render(
    database.dialect,
    selectRows(database.dialect, {
      table: plan.table,
      expressions: ['1'],
      where: plan.where,
      order: [],
    }),
  );
  const rows = await database
    .estimateResultRows(query, { limitMs: planLimitMs })
    .catch((error: unknown) => {
      if (isTimeout(error)) return undefined;
      throw error;
    });
  if (rows !== undefined) return { rows, exact: false };
  const ofTables = await database.estimateTableRows([plan.table]);
  return { rows: ofTables.get(plan.table.name) ?? 0, exact: false };
}
