import { answerTooLong, mostAnswerBytes } from '../../model/answer-limit.ts';
import { StudioError } from '../../model/errors.ts';
import { jsonArray, jsonObject } from '../../model/json-text.ts';
import { identityOf } from '../../model/row-id.ts';
import { addressTokens } from '../core/address-token.ts';
import { Deferred } from '../core/context.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { readLabels } from './labels.ts';
import { mustOnlyRead } from '../core/judge-reads.ts';
import { isByLocation, offsetOf, planPage } from './page-plan.ts';
import { readPage } from './read-page.ts';
import { withCursorValues } from './page-selection.ts';
import type { PageSelection } from './page-selection.ts';
import { jsonReply } from '../core/reply.ts';
import { fullRow } from './find-row.ts';
import { rowEtag } from './row-etag.ts';
import { selectAll, selectPreview } from './selection.ts';
import { unreadable, unreadableTable } from '../core/unreadable.ts';
import { count, countFew, estimate, totalKey, totalQuery, uncounted } from './total.ts';
import type { Session } from '../../model/database.ts';
import type { Row } from '../../model/values.ts';
import type { Context, Turn } from '../core/context.ts';
import type { Position } from './cursor.ts';
import type { ListQuery, PagePlan, RowSource } from './page-plan.ts';
import type { ReadPage } from './read-page.ts';
import type { Reply } from '../core/reply.ts';
import type { Selection } from './selection.ts';
import type { Total } from './total.ts';

/** Where a list is read: in one snapshot, if the database has one for several statements. */
export interface Reading {
  readonly context: Context;
  readonly turn: Turn;
  readonly session: Session;
}

/** A list being answered. */
interface Listing extends Reading {
  readonly query: ListQuery;
  readonly plan: PagePlan;
  readonly selection: PageSelection;
  readonly start: Position;
  /** Members of the answer beyond those of every list, as JSON text. */
  readonly extra: Readonly<Record<string, string>>;
}

/** One page of a source of rows, with its total: the row list response. */
export async function listPage(
  reading: Reading,
  list: {
    readonly source: RowSource;
    readonly query: ListQuery;
    readonly extra?: Listing['extra'];
  },
): Promise<Reply> {
  const { query, source, extra = {} } = list;
  const { context } = reading;
  if (source.table.columns.length === 0) throw unreadableTable(source.table);
  const plan = planPage(context.database.dialect, source, query);
  await mustOnlyRead(context, plan.tables);
  const start =
    query.cursor === undefined ? { offset: offsetOf(query) } : readCursor(plan, query.cursor);
  const selection = selectionFor(context, plan, query);
  const listing = { ...reading, query, plan, selection, start, extra };
  return answer(listing).catch((error: unknown) => {
    throw explained(listing, error);
  });
}

/** Without a value of the client's in the statements, what fails is the reading of the table. */
function explained({ context, query, plan, extra, turn }: Listing, error: unknown): unknown {
  const { dialect } = context.database;
  const hasValues =
    query.filters.length > 0 || query.search !== undefined || query.cursor !== undefined;
  if (hasValues || Object.keys(extra).length > 0 || error instanceof Deferred) return error;
  if (turn.isRetry !== true && dialect.isStructureError(error)) return error;
  return error instanceof StudioError || dialect.messageOf(error) !== undefined
    ? unreadable(dialect, plan.table, error)
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

async function answer(listing: Listing): Promise<Reply> {
  const { total, token } = await knownTotal(listing);
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
      next !== undefined && (next.isPosition || isByLocation(plan)) ? '"position"' : undefined,
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
    if (size > mostAnswerBytes) throw answerTooLong();
    return text;
  });
}

/** The tag of a row that was changed while the page was read. A write guarded by it is rejected. */
const matchesNothing = JSON.stringify('"changed"');

/** A row that arrived cut is read whole, alone, since its tag speaks of all its values. */
async function etagsOf(
  listing: Listing,
  page: { readonly rows: readonly Row[]; readonly texts: readonly string[] },
): Promise<string> {
  const { context, session, selection, plan } = listing;
  const tags: string[] = [];
  const changedTag = identityOf(plan.table).kind === 'none' ? 'null' : matchesNothing;
  for (const [i, row] of page.rows.entries()) {
    const whole = selection.isCut(row)
      ? await fullRow(context, session, { table: plan.table, selection, row })
      : { row, json: page.texts[i]! };
    tags.push(whole === undefined ? changedTag : JSON.stringify(rowEtag(plan.table, whole)));
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

/** A total that need not be counted; else what tells whether the one to be counted may be kept. */
interface KnownTotal {
  readonly total?: Total;
  readonly token?: string | undefined;
}

async function knownTotal(listing: Listing): Promise<KnownTotal> {
  const { context, session, plan, query, turn } = listing;
  if (query.count === 'none') return { total: uncounted };
  if (query.count === 'estimated') return { total: await estimate(context, plan) };
  const token = await tokenFor(listing);
  const rows = context.totals.get(totalKey(totalQuery(context, plan)), token);
  if (rows !== undefined) return { total: { rows, exact: true } };
  if (!turn.boundedOnly) return { token };
  const few = await countFew(context, session, plan);
  if (few === undefined) throw new Deferred();
  return { total: { rows: few, exact: true } };
}

/** Undefined for a total that is not to be kept. */
async function tokenFor({ context, session, plan }: Listing): Promise<string | undefined> {
  const { database } = context;
  const isTold = await database.changesByCommitsAlone(totalQuery(context, plan), plan.tables);
  return isTold ? database.changeToken(session) : undefined;
}

async function countThenCompose(
  listing: Listing,
  members: PageMembers,
  token: string | undefined,
): Promise<Reply> {
  const { context, session, plan, query, turn } = listing;
  const limitMs = query.count === 'auto' ? context.limits.countMs : undefined;
  const inexact = async (): Promise<Reply> =>
    compose(listing, members, await estimate(context, plan));
  if (limitMs !== undefined) turn.provisional?.(await inexact(), limitMs);
  const counting = totalQuery(context, plan);
  const total = await count(session, counting, limitMs);
  if (total === undefined) return inexact();
  const reply = compose(listing, members, { rows: total, exact: true });
  if (token === undefined || token !== (await context.database.changeToken(session))) return reply;
  const key = totalKey(counting);
  context.totals.set(key, token, total);
  return { ...reply, meta: { ...reply.meta, counted: { key, total } } };
}
