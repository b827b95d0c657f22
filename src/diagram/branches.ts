/** Lines from the other columns of composite keys to the line of the key. */
import { branchFrom } from '../portable/drawing/route-between.ts';
import type { Branch } from '../portable/drawing/route-between.ts';
import { endOf } from '../portable/drawing/route-shapes.ts';
import type { Arrangement, PlacedBox, Route } from './arrangement.ts';
import type { LineEnd } from './relation-line.ts';

/**
 * Distances of branches from the table, in pixels: beyond the crow's feet, and before the first corner that lines
 * can have (`run-elk.ts`, `self-reference.ts`).
 */
const depths = [19, 22, 25];

/** One end of a composite key, at one side of a table. */
interface KeyEnd {
  readonly route: number;
  readonly at: Branch['at'];
  /** Where the line meets the table. */
  readonly y: number;
  /** The heights of the other columns. */
  readonly others: readonly number[];
}

/** Adds the branches of all composite keys. Those of one side of a table that overlap have different distances. */
export function withBranches(arrangement: Arrangement): Arrangement {
  const byName = new Map(arrangement.boxes.map((item) => [item.box.table.name, item]));
  const sides = Map.groupBy(
    arrangement.routes.flatMap((route, i) => keyEndsOf(route, i, byName)),
    ({ side }) => side,
  );
  const branches = new Map<number, Branch[]>();
  for (const ends of sides.values())
    for (const { end, depth } of withDepths(ends.map((sided) => sided.end))) {
      const points = arrangement.routes[end.route]?.points ?? [];
      const endPoint = endOf(end.at === 'from' ? points : points.toReversed());
      const added = end.others.map((y) => ({
        at: end.at,
        points: branchFrom(endPoint, { y, depth }),
      }));
      branches.set(end.route, [...(branches.get(end.route) ?? []), ...added]);
    }
  const routes = arrangement.routes.map((route, i) => ({
    ...route,
    branches: branches.get(i) ?? [],
  }));
  return { ...arrangement, routes };
}

interface SidedEnd {
  /** The table with its side. */
  readonly side: string;
  readonly end: KeyEnd;
}

function keyEndsOf(
  { line, points, isLabeled }: Route,
  route: number,
  boxes: ReadonlyMap<string, PlacedBox>,
): readonly SidedEnd[] {
  const ends = [
    { at: 'from', end: line.child, columns: line.columns, points },
    { at: 'to', end: line.parent, columns: line.referencedColumns, points: points.toReversed() },
  ] as const;
  return ends.flatMap(({ at, end, columns, points: fromEnd }) => {
    if (isLabeled && at === 'to') return [];
    const { x, y, direction } = endOf(fromEnd);
    const others = otherHeights(boxes.get(end.table), end, columns);
    if (others.length === 0) return [];
    const side = JSON.stringify([end.table, direction, x]);
    return [{ side, end: { route, at, y, others } }];
  });
}

/** The heights of the rows of the key's other columns, as far as they are drawn. */
function otherHeights(
  placedBox: PlacedBox | undefined,
  { column }: LineEnd,
  columns: readonly string[],
): readonly number[] {
  if (placedBox === undefined) return [];
  const rows = placedBox.box.rows.filter(
    (row) => row.column.name !== column && columns.includes(row.column.name),
  );
  return rows.map((row) => placedBox.y + row.y);
}

/** Ends at the same heights have the same distance, since their branches are the same. */
function withDepths(
  ends: readonly KeyEnd[],
): readonly { readonly end: KeyEnd; readonly depth: number }[] {
  const taken = depths.map((): Extent[] => []);
  const byHeights = Map.groupBy(ends, ({ y, others }) => JSON.stringify([y, others]));
  const ordered = [...byHeights.values()].toSorted(([a], [b]) => lengthOf(a) - lengthOf(b));
  return ordered.flatMap((sameEnds) => {
    const [first] = sameEnds;
    if (first === undefined) return [];
    const extent = extentOf(first);
    const free = taken.findIndex((extents) =>
      extents.every(({ from, to }) => to < extent.from || from > extent.to),
    );
    const index = free === -1 ? depths.length - 1 : free;
    taken[index]?.push(extent);
    return sameEnds.map((end) => ({ end, depth: depths[index] ?? 0 }));
  });
}

interface Extent {
  readonly from: number;
  readonly to: number;
}

function extentOf({ y, others }: KeyEnd): Extent {
  return { from: Math.min(y, ...others), to: Math.max(y, ...others) };
}

function lengthOf(end: KeyEnd | undefined): number {
  if (end === undefined) return 0;
  const { from, to } = extentOf(end);
  return to - from;
}
