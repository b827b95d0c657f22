import { rangesAfter, conditionsAround } from '../../../sql/keyset.ts';
import { render } from '../../../sql/render.ts';
import { countRows, selectRows } from '../../../sql/select.ts';
import { DeferToOtherLane } from '../../core/context.ts';
import { areSameValues } from './cursor.ts';
import { readRows } from './read-rows.ts';
import { count } from './total.ts';
import type { Dialect, Session } from '../../../model/database.ts';
import type { Row } from '../../../model/values.ts';
import type { Context, Invocation } from '../../core/context.ts';
import type { CursorRow, Position } from './cursor.ts';
import type { PagePlan, PageRange } from './page-plan.ts';
import type { PageSelection } from './page-selection.ts';
import type { RowsQuery } from './read-rows.ts';

export interface PageRequest {
  readonly context: Context;
  readonly invocation: Invocation;
  readonly session: Session;
  readonly plan: PagePlan;
  readonly selection: PageSelection;
  readonly start: Position;
}

export interface ReadPage {
  readonly rows: readonly Row[];
  /** The start of the next page, if there is one. */
  readonly next?: Position;
}

/** A range, or the rest of it after a cursor. `rangeIndex` is its index in the plan. */
interface RangePart extends PageRange {
  readonly rangeIndex: number;
  /** The OFFSET of this part. */
  readonly skip?: number;
  /** The cursor's row. The part begins with rows of the same values, which earlier pages returned. */
  readonly cursorRow?: CursorRow;
}

/** Reads the plan's ranges one after the other until the page is full. One more row shows whether there is a next page. */
export async function readPage(request: PageRequest, size: number): Promise<ReadPage> {
  const { start } = request;
  const parts = partsFrom(request.context.database.dialect, request.plan, start);
  const found: { readonly row: Row; readonly rangeIndex: number }[] = [];
  let skip = start.after === undefined ? start.offset : 0;
  for (const [i, part] of parts.entries()) {
    const rows = await readPart(request, { part, limit: size + 1 - found.length, skip });
    found.push(...rows.map((row) => ({ row, rangeIndex: part.rangeIndex })));
    if (found.length > size || i === parts.length - 1) break;
    skip = rows.length > 0 || skip === 0 ? 0 : skip - (await countPart(request, part));
  }
  const rows = found.slice(0, size).map(({ row }) => row);
  const last = found[size - 1];
  return found.length <= size || last === undefined
    ? { rows }
    : { rows, next: positionAfter(request, rows, last.rangeIndex) };
}

/** Above this number, rows that were returned before are skipped by OFFSET in a query of their own. */
const maxRereadRows = 500;

/** The rows after a cursor whose values several rows may share. One query scans them all if possible. */
function partsFromCursor(dialect: Dialect, range: PageRange, row: CursorRow): readonly RangePart[] {
  const { order, tieBreakers: breakers, where } = range;
  const { at, after, from } = conditionsAround(dialect, { order, breakers, values: row.values });
  const rangeIndex = row.range;
  return row.returned <= maxRereadRows
    ? [{ ...range, rangeIndex, where: [...where, from], cursorRow: row }]
    : [
        { ...range, rangeIndex, where: [...where, at], skip: row.returned },
        { ...range, rangeIndex, where: [...where, after] },
      ];
}

function partsFrom(dialect: Dialect, plan: PagePlan, start: Position): readonly RangePart[] {
  const { after } = start;
  const allParts = plan.ranges.map((range, rangeIndex) => ({ ...range, rangeIndex }));
  if (after === undefined) return allParts;
  const range = plan.ranges[after.range]!;
  if (plan.cursors === 'columns') return partsFromCursor(dialect, range, after);
  const { order, where, tieBreakers } = range;
  const rest = rangesAfter(dialect, order, after.values).map((conditions) => ({
    rangeIndex: after.range,
    where: [...where, ...conditions],
    order,
    tieBreakers,
  }));
  return [...rest, ...allParts.slice(after.range + 1)];
}

interface PartRequest {
  readonly part: RangePart;
  readonly limit: number;
  readonly skip: number;
}

async function readPart(request: PageRequest, partRequest: PartRequest): Promise<readonly Row[]> {
  const read = queryOfPart(request, partRequest);
  const { context, session, invocation } = request;
  if (invocation.boundedOnly && !(await isBounded(context, partRequest, read)))
    throw new DeferToOtherLane();
  const rows = await readRows(context, session, read);
  return withoutReturned(request, partRequest.part, rows).slice(0, partRequest.limit);
}

/** Drops the leading rows that earlier pages returned. Other clients may have deleted some of them. */
function withoutReturned(
  request: PageRequest,
  part: RangePart,
  rows: readonly Row[],
): readonly Row[] {
  const { cursorRow } = part;
  if (cursorRow === undefined) return rows;
  const { values, returned } = cursorRow;
  const hasValues = valuesTest(request, part.rangeIndex, values);
  const first = rows.slice(0, returned).findIndex((row) => !hasValues(row));
  return rows.slice(first === -1 ? returned : first);
}

/** Tests whether a row has these cursor values. */
function valuesTest(
  { plan, selection }: PageRequest,
  rangeIndex: number,
  values: Row,
): (row: Row) => boolean {
  return (row) => {
    const rowValues = selection.cursorValues(plan.ranges[rangeIndex]!, row);
    return rowValues !== undefined && areSameValues(rowValues, values);
  };
}

/** Databases read skipped rows too, so a larger OFFSET is not bounded work. */
const boundedSkip = 2000;

async function isBounded(
  { database }: Context,
  { skip }: PartRequest,
  read: RowsQuery,
): Promise<boolean> {
  if (skip > boundedSkip) return false;
  const { dialect } = database;
  return database.isPageCostBounded(render(dialect, selectRows(dialect, read), read.columns));
}

function queryOfPart(
  { plan, selection }: PageRequest,
  { part, limit, skip }: PartRequest,
): RowsQuery {
  return {
    table: plan.table,
    expressions: selection.expressions,
    columns: selection.columns,
    where: part.where,
    order: part.order,
    tieBreakers: part.tieBreakers,
    limit: limit + (part.cursorRow?.returned ?? 0),
    offset: skip + (part.skip ?? 0),
  };
}

async function countPart(
  { context, session, invocation, plan }: PageRequest,
  part: RangePart,
): Promise<number> {
  if (invocation.boundedOnly) throw new DeferToOtherLane();
  const { dialect } = context.database;
  return (await count(session, render(dialect, countRows(dialect, plan.table, part.where)))) ?? 0;
}

function positionAfter(request: PageRequest, rows: readonly Row[], rangeIndex: number): Position {
  const { plan, selection, start } = request;
  const offset = start.offset + rows.length;
  if (plan.cursors === 'position') return { offset };
  const values = selection.cursorValues(plan.ranges[rangeIndex]!, rows.at(-1)!);
  // Values that the database cannot compare exactly do not lead back to the row: use the offset.
  if (values === undefined) return { offset };
  if (plan.cursors === 'key') return { offset, after: { range: rangeIndex, values, returned: 0 } };
  const hasValues = valuesTest(request, rangeIndex, values);
  const equal = rows.length - 1 - rows.findLastIndex((row) => !hasValues(row));
  const before = equal < rows.length ? 0 : returnedBefore(start, values);
  return before === undefined
    ? { offset }
    : { offset, after: { range: rangeIndex, values, returned: before + equal } };
}

/** The number of rows with these values on earlier pages; undefined when it is unknown. */
function returnedBefore({ offset, after }: Position, values: Row): number | undefined {
  if (after === undefined) return offset === 0 ? 0 : undefined;
  return areSameValues(after.values, values) ? after.returned : 0;
}
