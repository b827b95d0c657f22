import { rangesAfter, rowsAround } from '../../sql/keyset.ts';
import { render } from '../../sql/render.ts';
import { countRows, selectRows } from '../../sql/select.ts';
import { Deferred } from '../core/context.ts';
import { areSameValues } from './cursor.ts';
import { readRows } from './read-rows.ts';
import { count } from './total.ts';
import type { Dialect, Session } from '../../model/database.ts';
import type { Row } from '../../model/values.ts';
import type { Context, Turn } from '../core/context.ts';
import type { CursorRow, Position } from './cursor.ts';
import type { PagePlan, PageRange } from './page-plan.ts';
import type { PageSelection } from './page-selection.ts';
import type { RowsRead } from './read-rows.ts';

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
  /** The OFFSET of this part. */
  readonly skip?: number;
  /** The cursor's row. The part begins with rows of the same values, which earlier pages returned. */
  readonly cursorRow?: CursorRow;
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

/** Above this number, rows that were returned before are skipped by OFFSET in a query of their own. */
const maxReadAgain = 500;

/** The rows after a cursor whose values several rows may share. One query scans them all if possible. */
function partsFromCursor(dialect: Dialect, range: PageRange, row: CursorRow): readonly Part[] {
  const { order, distinguishing: breakers, where } = range;
  const { at, behind, from } = rowsAround(dialect, { order, breakers, values: row.values });
  const base = row.range;
  return row.returned <= maxReadAgain
    ? [{ ...range, base, where: [...where, from], cursorRow: row }]
    : [
        { ...range, base, where: [...where, at], skip: row.returned },
        { ...range, base, where: [...where, behind] },
      ];
}

function partsFrom(dialect: Dialect, plan: PagePlan, start: Position): readonly Part[] {
  const { after } = start;
  const whole = plan.ranges.map((range, base) => ({ ...range, base }));
  if (after === undefined) return whole;
  const range = plan.ranges[after.range]!;
  if (plan.cursors === 'columns') return partsFromCursor(dialect, range, after);
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
  const read = partRead(request, reading);
  const { context, session, turn } = request;
  if (turn.boundedOnly && !(await isBounded(context, reading, read))) throw new Deferred();
  const rows = await readRows(context, session, read);
  return withoutReturned(request, reading.part, rows).slice(0, reading.limit);
}

/** Drops the leading rows that earlier pages returned. Other clients may have deleted some of them. */
function withoutReturned(request: PageRequest, part: Part, rows: readonly Row[]): readonly Row[] {
  const { cursorRow } = part;
  if (cursorRow === undefined) return rows;
  const { values, returned } = cursorRow;
  const hasValues = valuesTest(request, part.base, values);
  const first = rows.slice(0, returned).findIndex((row) => !hasValues(row));
  return rows.slice(first === -1 ? returned : first);
}

/** Tests whether a row has these cursor values. */
function valuesTest(
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

async function isBounded(
  { database }: Context,
  { skip }: Reading,
  read: RowsRead,
): Promise<boolean> {
  if (skip > boundedSkip) return false;
  const { dialect } = database;
  return database.isBounded(render(dialect, selectRows(dialect, read), read.columns));
}

function partRead({ plan, selection }: PageRequest, { part, limit, skip }: Reading): RowsRead {
  return {
    table: plan.table,
    expressions: selection.expressions,
    columns: selection.columns,
    where: part.where,
    order: part.order,
    distinguishing: part.distinguishing,
    limit: limit + (part.cursorRow?.returned ?? 0),
    offset: skip + (part.skip ?? 0),
  };
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
  // Values that the database cannot compare exactly do not lead back to the row: use the offset.
  if (values === undefined) return { offset };
  if (plan.cursors === 'key') return { offset, after: { range: base, values, returned: 0 } };
  const hasValues = valuesTest(request, base, values);
  const equal = rows.length - 1 - rows.findLastIndex((row) => !hasValues(row));
  const before = equal < rows.length ? 0 : returnedBefore(start, values);
  return before === undefined
    ? { offset }
    : { offset, after: { range: base, values, returned: before + equal } };
}

/** The number of rows with these values on earlier pages; undefined when it is unknown. */
function returnedBefore({ offset, after }: Position, values: Row): number | undefined {
  if (after === undefined) return offset === 0 ? 0 : undefined;
  return areSameValues(after.values, values) ? after.returned : 0;
}
