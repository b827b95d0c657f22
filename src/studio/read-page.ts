import { rangesAfter, rowsAround } from '../sql/keyset.ts';
import { render } from '../sql/render.ts';
import { countRows, selectRows } from '../sql/select.ts';
import { Deferred } from './context.ts';
import { areSameValues } from './cursor.ts';
import { count } from './total.ts';
import type { Dialect, Query, Session } from '../model/database.ts';
import type { Row } from '../model/values.ts';
import type { Context, Turn } from './context.ts';
import type { PlaceOfRow, Position } from './cursor.ts';
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
  /** Rows of this part alone that are skipped in the database. */
  readonly skip?: number;
  /** Its first rows, as many as are alike in the cursor's values, which were given already. */
  readonly given?: PlaceOfRow;
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
    : { rows, next: positionAfter(request, rows, last.base) };
}

/** So many rows are read again rather than skipped by a query of their own. */
const mostReadAgain = 500;

/** What follows a place that rows may share: one scan, unless too many of them were given already. */
function partsFromPlace(dialect: Dialect, range: PageRange, place: PlaceOfRow): readonly Part[] {
  const { order, distinguishing: breakers, where } = range;
  const { at, behind, from } = rowsAround(dialect, { order, breakers, values: place.values });
  const base = place.range;
  return place.given <= mostReadAgain
    ? [{ ...range, base, where: [...where, from], given: place }]
    : [
        { ...range, base, where: [...where, at], skip: place.given },
        { ...range, base, where: [...where, behind] },
      ];
}

function partsFrom(dialect: Dialect, plan: PagePlan, start: Position): readonly Part[] {
  const { after } = start;
  const whole = plan.ranges.map((range, base) => ({ ...range, base }));
  if (after === undefined) return whole;
  const range = plan.ranges[after.range]!;
  if (plan.cursors === 'columns') return partsFromPlace(dialect, range, after);
  const { order, where, distinguishing } = range;
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
  return behindGiven(request, reading.part, rows).slice(0, reading.limit);
}

/** Rows without those that stand at the cursor's place and were given already, be they fewer by now. */
function behindGiven(request: PageRequest, part: Part, rows: readonly Row[]): readonly Row[] {
  const { given } = part;
  if (given === undefined) return rows;
  const isAt = placeTest(request, part.base, given.values);
  const first = rows.slice(0, given.given).findIndex((row) => !isAt(row));
  return rows.slice(first === -1 ? given.given : first);
}

function placeTest(
  { plan, selection }: PageRequest,
  base: number,
  values: Row,
): (row: Row) => boolean {
  return (row) => {
    const own = selection.cursorValues(plan.ranges[base]!, row);
    return own !== undefined && areSameValues(own, values);
  };
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
    limit: limit + (part.given?.given ?? 0),
    offset: skip + (part.skip ?? 0),
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

function positionAfter(request: PageRequest, rows: readonly Row[], base: number): Position {
  const { plan, selection, start } = request;
  const offset = start.offset + rows.length;
  if (plan.cursors === 'position') return { offset };
  const values = selection.cursorValues(plan.ranges[base]!, rows.at(-1)!);
  // Values that do not lead back to their place are left to the number of rows before it.
  if (values === undefined) return { offset };
  if (plan.cursors === 'key') return { offset, after: { range: base, values, given: 0 } };
  const isAt = placeTest(request, base, values);
  const alike = rows.length - 1 - rows.findLastIndex((row) => !isAt(row));
  const before = alike < rows.length ? 0 : givenBefore(start, values);
  return before === undefined
    ? { offset }
    : { offset, after: { range: base, values, given: before + alike } };
}

/** Rows before the page that are alike in these values; undefined where that is not known. */
function givenBefore({ offset, after }: Position, values: Row): number | undefined {
  if (after === undefined) return offset === 0 ? 0 : undefined;
  return areSameValues(after.values, values) ? after.given : 0;
}
