import { responseTooLongError, maxResponseBytes } from '../../../model/response-limit.ts';
import { StudioError } from '../../../model/errors.ts';
import { jsonArray, jsonObject } from '../../../model/values/json-text.ts';
import { identityOf } from '../../../model/row-id.ts';
import { addressTokens } from '../../core/address-token.ts';
import { DeferToOtherLane } from '../../core/context.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { readLabels } from './labels.ts';
import { mustOnlyRead } from '../../core/check-reads.ts';
import { isOrderedByLocation, offsetOf, planPage } from './page-plan.ts';
import { readPage } from './read-page.ts';
import { withCursorValues } from './page-selection.ts';
import type { PageSelection } from './page-selection.ts';
import { jsonReply } from '../../core/reply.ts';
import { readFullRow } from './find-row.ts';
import { rowEtag } from './row-etag.ts';
import { selectAll, selectPreview } from './selection.ts';
import { readError, unreadableTableError } from '../../core/read-error.ts';
import { count, countFew, estimateTotal, totalKey, totalQuery, uncounted } from './total.ts';
import type { Session } from '../../../model/database.ts';
import type { Row } from '../../../model/values.ts';
import type { Context, Invocation } from '../../core/context.ts';
import type { Position } from './cursor.ts';
import type { ListQuery, PagePlan, ListSource } from './page-plan.ts';
import type { ReadPage } from './read-page.ts';
import type { Reply } from '../../core/reply.ts';
import type { Selection } from './selection.ts';
import type { Total } from './total.ts';

/** What reading a list needs. The session has one snapshot if the database supports that for several statements. */
export interface ListContext {
  readonly context: Context;
  readonly invocation: Invocation;
  readonly session: Session;
}

/** A list that is being read. */
interface Listing extends ListContext {
  readonly query: ListQuery;
  readonly plan: PagePlan;
  readonly selection: PageSelection;
  readonly start: Position;
  /** Additional members of the response, as JSON text. */
  readonly extra: Readonly<Record<string, string>>;
}

/** The row list response: one page of the rows and their total. */
export async function listPage(
  listContext: ListContext,
  list: {
    readonly source: ListSource;
    readonly query: ListQuery;
    readonly extra?: Listing['extra'];
  },
): Promise<Reply> {
  const { query, source, extra = {} } = list;
  const { context } = listContext;
  if (source.table.columns.length === 0) throw unreadableTableError(source.table);
  const plan = planPage(context.database.dialect, source, query);
  await mustOnlyRead(context, plan.tables);
  const start =
    query.cursor === undefined ? { offset: offsetOf(query) } : readCursor(plan, query.cursor);
  const selection = selectionFor(context, plan, query);
  const listing = { ...listContext, query, plan, selection, start, extra };
  return respond(listing).catch((error: unknown) => {
    throw asTableError(listing, error);
  });
}

/** If the statements contain no value of the client, any database error is an error of the table. */
function asTableError(
  { context, query, plan, extra, invocation }: Listing,
  error: unknown,
): unknown {
  const { dialect } = context.database;
  const hasValues =
    query.filters.length > 0 || query.search !== undefined || query.cursor !== undefined;
  if (hasValues || Object.keys(extra).length > 0 || error instanceof DeferToOtherLane) return error;
  if (invocation.isRetry !== true && dialect.isStructureError(error)) return error;
  return error instanceof StudioError || dialect.messageOf(error) !== undefined
    ? readError(dialect, plan.table, error)
    : error;
}

function selectionFor(context: Context, plan: PagePlan, query: ListQuery): PageSelection {
  const { dialect } = context.database;
  if (query.cells === 'full')
    return withCursorValues(dialect, plan, selectAll(dialect, plan.table));
  const ordered = plan.ranges.flatMap((range) => range.order.map(({ column }) => column.name));
  const preview = selectPreview(dialect, plan.table, new Set(ordered));
  return withCursorValues(dialect, plan, preview);
}

async function respond(listing: Listing): Promise<Reply> {
  const { total, token } = await findTotal(listing);
  const page = await readPage(listing, listing.query.pageSize);
  const members = await pageMembers(listing, page);
  return total === undefined
    ? countThenCompose(listing, members, token)
    : compose(listing, members, total);
}

type PageMembers = Readonly<Record<string, string | undefined>>;

async function pageMembers(listing: Listing, page: ReadPage): Promise<PageMembers> {
  const { query, selection, plan } = listing;
  const texts = encodeRows(selection, page.rows);
  const etags = query.etags ? await etagsOf(listing, { rows: page.rows, texts }) : undefined;
  const labels = query.labels
    ? await readLabels(listing, { table: plan.table, selection, rows: page.rows })
    : undefined;
  const next = page.next === undefined ? undefined : writeCursor(plan, page.next);
  return {
    data: jsonArray(texts),
    next_cursor: next === undefined ? undefined : JSON.stringify(next.text),
    paging:
      next !== undefined && (next.isPosition || isOrderedByLocation(plan))
        ? '"position"'
        : undefined,
    etags,
    labels: labels?.labels,
    label_errors: labels?.errors,
  };
}

function encodeRows({ encode }: Selection, rows: readonly Row[]): readonly string[] {
  let size = 0;
  return rows.map((row) => {
    const text = encode(row);
    size += text.length;
    if (size > maxResponseBytes) throw responseTooLongError();
    return text;
  });
}

/** The tag of a row that was changed while the page was read. A write with this tag is rejected. */
const matchesNothing = JSON.stringify('"changed"');

/** A tag depends on all values of its row, so a row with truncated values is read again in full. */
async function etagsOf(
  listing: Listing,
  page: { readonly rows: readonly Row[]; readonly texts: readonly string[] },
): Promise<string> {
  const { context, session, selection, plan } = listing;
  const tags: string[] = [];
  const changedTag = identityOf(plan.table).kind === 'none' ? 'null' : matchesNothing;
  for (const [i, row] of page.rows.entries()) {
    const full = selection.isTruncated(row)
      ? await readFullRow(context, session, { table: plan.table, selection, row })
      : { row, json: page.texts[i]! };
    tags.push(full === undefined ? changedTag : JSON.stringify(rowEtag(plan.table, full)));
  }
  return jsonArray(tags);
}

function compose(listing: Listing, members: PageMembers, total: Total): Reply {
  const { query, extra, start, plan } = listing;
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
    { shown: addressTokens([plan.table]) },
  );
}

/** The total if it need not be counted, or else the change token under which it may be cached. */
interface FoundTotal {
  readonly total?: Total;
  readonly token?: string | undefined;
}

async function findTotal(listing: Listing): Promise<FoundTotal> {
  const { context, session, plan, query, invocation } = listing;
  if (query.count === 'none') return { total: uncounted };
  if (query.count === 'estimated') return { total: await estimateTotal(context, plan) };
  const token = await cacheTokenFor(listing);
  const rows = context.totals.get(totalKey(totalQuery(context, plan)), token);
  if (rows !== undefined) return { total: { rows, exact: true } };
  if (!invocation.boundedOnly) return { token };
  const few = await countFew(context, session, plan);
  if (few === undefined) throw new DeferToOtherLane();
  return { total: { rows: few, exact: true } };
}

/** The change token under which the total may be cached. Undefined if it must not be cached. */
async function cacheTokenFor({ context, session, plan }: Listing): Promise<string | undefined> {
  const { database } = context;
  const isCacheable = await database.changesOnlyByCommits(totalQuery(context, plan), plan.tables);
  return isCacheable ? database.changeToken(session) : undefined;
}

async function countThenCompose(
  listing: Listing,
  members: PageMembers,
  token: string | undefined,
): Promise<Reply> {
  const { context, session, plan, query, invocation } = listing;
  const limitMs = query.count === 'auto' ? context.limits.countMs : undefined;
  const composeEstimate = async (): Promise<Reply> =>
    compose(listing, members, await estimateTotal(context, plan));
  if (limitMs !== undefined) invocation.provisional?.(await composeEstimate(), limitMs);
  const countQuery = totalQuery(context, plan);
  const total = await count(session, countQuery, limitMs);
  if (total === undefined) return composeEstimate();
  const reply = compose(listing, members, { rows: total, exact: true });
  if (token === undefined || token !== (await context.database.changeToken(session))) return reply;
  const key = totalKey(countQuery);
  context.totals.set(key, token, total);
  return { ...reply, meta: { ...reply.meta, counted: { key, total } } };
}
