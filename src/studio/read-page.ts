import { rangesAfter } from '../sql/keyset.ts';
import { render } from '../sql/render.ts';
import { countRows, selectRows } from '../sql/select.ts';
import { Deferred } from './context.ts';
import { count } from './total.ts';
import type { Dialect, Query, Session } from '../model/database.ts';
import type { Row } from '../model/values.ts';
import type { Context, Turn } from './context.ts';
import type { Position } from './cursor.ts';
import type { PagePlan, PageRange } from './page-plan.ts';
import type { PageSelection } from './page-selection.ts';

export interface PageRequest {
  readonly context: Context;
  readonly turn: Turn;
  readonly session: Session;
  readonly plan: PagePlan;
  readonly selection: PageSelection;
  readonly start: Position;
}

export interface ReadPage {
  readonly rows: readonly Row[];
  /** Where the next page begins, when there is one. */
  readonly next?: Position;
}

/** A range, or what is left of it after a cursor; `base` is its number in the plan. */
interface Part extends PageRange {
  readonly base: number;
}

/** Reads the plan's ranges one after the other until the page is full; one row more tells whether there is a next. */
export async function readPage(request: PageRequest, size: number): Promise<ReadPage> {
  const { start } = request;
  const parts = partsFrom(request.context.database.dialect, request.plan, start);
  const found: { readonly row: Row; readonly base: number }[] = [];
  let skip = start.after === undefined ? start.offset : 0;
  for (const [i, part] of parts.entries()) {
    const rows = await readPart(request, { part, limit: size + 1 - found.length, skip });
    found.push(...rows.map((row) => ({ row, base: part.base })));
    if (found.length > size || i === parts.length - 1) break;
    skip = rows.length > 0 || skip === 0 ? 0 : skip - (await countPart(request, part));
  }
  const rows = found.slice(0, size).map(({ row }) => row);
  const last = found[size - 1];
  return found.length <= size || last === undefined
    ? { rows }
    : { rows, next: positionAfter(request, last, start.offset + size) };
}

function partsFrom(dialect: Dialect, plan: PagePlan, start: Position): readonly Part[] {
  const { after } = start;
  const whole = plan.ranges.map((range, base) => ({ ...range, base }));
  if (after === undefined) return whole;
  const { order, where, distinguishing } = plan.ranges[after.range]!;
  const rest = rangesAfter(dialect, order, after.values).map((conditions) => ({
    base: after.range,
    where: [...where, ...conditions],
    order,
    distinguishing,
  }));
  return [...rest, ...whole.slice(after.range + 1)];
}

interface Reading {
  readonly part: Part;
  readonly limit: number;
  readonly skip: number;
}

async function readPart(request: PageRequest, reading: Reading): Promise<readonly Row[]> {
  const query = partQuery(request, reading);
  const { context, session, turn } = request;
  if (turn.boundedOnly && !(await isBounded(context, reading, query))) throw new Deferred();
  const { rows } = await session.run(query);
  return rows;
}

/** Skipped rows are read too. */
const boundedSkip = 2000;

async function isBounded({ database }: Context, { skip }: Reading, query: Query): Promise<boolean> {
  return skip <= boundedSkip && (await database.isBounded(query));
}

function partQuery(request: PageRequest, { part, limit, skip }: Reading): Query {
  const { context, plan, selection } = request;
  const { dialect } = context.database;
  const select = selectRows(dialect, {
    table: plan.table,
    expressions: selection.expressions,
    where: part.where,
    order: part.order,
    distinguishing: part.distinguishing,
    limit,
    offset: skip,
  });
  return render(dialect, select, selection.columns);
}

async function countPart(
  { context, session, turn, plan }: PageRequest,
  part: Part,
): Promise<number> {
  if (turn.boundedOnly) throw new Deferred();
  const { dialect } = context.database;
  return (await count(session, render(dialect, countRows(dialect, plan.table, part.where)))) ?? 0;
}

function positionAfter(
  { plan, selection }: PageRequest,
  last: { readonly row: Row; readonly base: number },
  offset: number,
): Position {
  if (!plan.keyset) return { offset };
  const { order } = plan.ranges[last.base]!;
  const places = order.map(({ column }) => selection.cursorValue(column, last.row));
  // A value that does not lead back to its place is left to the number of rows before it.
  if (places.includes(undefined)) return { offset };
  return { offset, after: { range: last.base, values: places.map((value) => value ?? null) } };
}
