import { StudioError } from '../model/errors.ts';
import { jsonArray, jsonObject } from '../model/json-text.ts';
import { Deferred } from './context.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { readLabels } from './labels.ts';
import { offsetOf, planPage } from './page-plan.ts';
import { readPage } from './read-page.ts';
import { jsonReply } from './reply.ts';
import { fullRow } from './find-row.ts';
import { rowEtag } from './row-etag.ts';
import { selectAll, selectPreview } from './selection.ts';
import { count, estimate, totalKey, totalQuery, uncounted } from './total.ts';
import type { Session } from '../model/database.ts';
import type { Table } from '../model/schema.ts';
import type { Row } from '../model/values.ts';
import type { Context, Turn } from './context.ts';
import type { Position } from './cursor.ts';
import type { ListQuery, PagePlan, RowSource } from './page-plan.ts';
import type { ReadPage } from './read-page.ts';
import type { Reply } from './reply.ts';
import type { Selection } from './selection.ts';
import type { Total } from './total.ts';

/** A list being answered. */
interface Listing {
  readonly context: Context;
  readonly turn: Turn;
  readonly query: ListQuery;
  readonly plan: PagePlan;
  readonly selection: Selection;
  readonly start: Position;
  /** Members of the answer beyond those of every list, as JSON text. */
  readonly extra: Readonly<Record<string, string>>;
}

/** One page of a source of rows, with its total: the row list response. */
export async function listPage(
  context: Context,
  turn: Turn,
  list: {
    readonly source: RowSource;
    readonly query: ListQuery;
    readonly extra?: Listing['extra'];
  },
): Promise<Reply> {
  const { query, source } = list;
  mustHaveColumns(source.table);
  const plan = planPage(context.database.dialect, source, query);
  const start =
    query.cursor === undefined ? { offset: offsetOf(query) } : readCursor(plan, query.cursor);
  const selection = selectionFor(context, plan, query);
  const listing: Listing = {
    context,
    turn,
    query,
    plan,
    selection,
    start,
    extra: list.extra ?? {},
  };
  return context.database.read((session) => answer(listing, session));
}

/** A view whose tables are gone, or a table whose module is not there. */
function mustHaveColumns(table: Table): void {
  if (table.columns.length > 0) return;
  const why = table.comment ?? 'It has no columns.';
  throw new StudioError('database_unavailable', `"${table.name}" cannot be read. ${why}`);
}

function selectionFor(context: Context, plan: PagePlan, query: ListQuery): Selection {
  const { dialect } = context.database;
  if (query.cells === 'full') return selectAll(dialect, plan.table);
  const ordered = plan.ranges.flatMap((range) => range.order.map(({ column }) => column.name));
  return selectPreview(dialect, plan.table, new Set(ordered));
}

async function answer(listing: Listing, session: Session): Promise<Reply> {
  const { context, plan, selection, turn, query, start } = listing;
  const known = await knownTotal(listing);
  const page = await readPage(session, {
    context,
    turn,
    plan,
    selection,
    start,
    size: query.pageSize,
  });
  const members = await pageMembers(listing, session, page);
  if (known !== undefined) return compose(listing, members, known);
  return countThenCompose(listing, session, members);
}

type PageMembers = Readonly<Record<string, string | undefined>>;

async function pageMembers(
  listing: Listing,
  session: Session,
  page: ReadPage,
): Promise<PageMembers> {
  const { query, selection, plan } = listing;
  const texts = page.rows.map((row) => selection.encode(row));
  const etags = query.etags
    ? await etagsOf(listing, session, { rows: page.rows, texts })
    : undefined;
  const labels = query.labels
    ? await readLabels(listing.context, session, { table: plan.table, selection, rows: page.rows })
    : undefined;
  const next = page.next === undefined ? undefined : JSON.stringify(writeCursor(plan, page.next));
  return { data: jsonArray(texts), next_cursor: next, etags, labels };
}

/** A row that arrived cut is read whole, alone, since its tag speaks of all its values. */
async function etagsOf(
  listing: Listing,
  session: Session,
  page: { readonly rows: readonly Row[]; readonly texts: readonly string[] },
): Promise<string> {
  const { selection, plan, context } = listing;
  const tags: string[] = [];
  for (const [i, row] of page.rows.entries()) {
    const text = selection.isCut(row)
      ? await fullRow(context, session, { table: plan.table, selection, row })
      : page.texts[i]!;
    tags.push(text === undefined ? 'null' : JSON.stringify(rowEtag(text)));
  }
  return jsonArray(tags);
}

function compose(listing: Listing, members: PageMembers, total: Total): Reply {
  const { query, extra, start } = listing;
  const { data, ...rest } = members;
  const page =
    query.cursor === undefined ? query.page : Math.floor(start.offset / query.pageSize) + 1;
  return jsonReply(
    jsonObject({
      data,
      total: String(total.rows),
      total_exact: total.exact ? undefined : 'false',
      page: String(page),
      page_size: String(query.pageSize),
      ...rest,
      ...extra,
    }),
  );
}

async function knownTotal(listing: Listing): Promise<Total | undefined> {
  const { context, plan, query, turn } = listing;
  if (query.count === 'none') return uncounted;
  if (query.count === 'estimated') return estimate(context, plan);
  const token = await context.database.changeToken();
  const rows = context.totals.get(totalKey(totalQuery(context, plan)), token);
  if (rows !== undefined) return { rows, exact: true };
  if (turn.boundedOnly) throw new Deferred();
  return undefined;
}

async function countThenCompose(
  listing: Listing,
  session: Session,
  members: PageMembers,
): Promise<Reply> {
  const { context, plan, query, turn } = listing;
  const limitMs = query.count === 'auto' ? context.limits.countMs : undefined;
  const inexact = async (): Promise<Reply> =>
    compose(listing, members, await estimate(context, plan));
  if (limitMs !== undefined) turn.provisional?.(await inexact(), limitMs);
  const counting = totalQuery(context, plan);
  const total = await count(session, counting, limitMs);
  if (total === undefined) return inexact();
  const key = totalKey(counting);
  context.totals.set(key, await context.database.changeToken(), total);
  const reply = compose(listing, members, { rows: total, exact: true });
  return { ...reply, meta: { counted: { key, total } } };
}
