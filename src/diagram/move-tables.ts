/** Draws tables where the user moved them. */
import type { Point } from '../portable/drawing/drawing.ts';
import type { Obstacle } from '../portable/drawing/line-distances.ts';
import { routeBetween } from '../portable/drawing/route-between.ts';
import { translated } from './arrangement.ts';
import type { Arrangement, Frame, PlacedBox, Route } from './arrangement.ts';
import { frameAround } from './frames.ts';
import { widthWithLabels } from './table-box.ts';

/**
 * Moves tables of an arrangement. `positions` has the new ones by table name, in the coordinates of the
 * arrangement. A line gets a new route if its tables moved relative to each other, or if it would run behind a
 * table that is not one of the `hidden`. Frames enclose the same tables as before.
 */
export function moveTables(
  arrangement: Arrangement,
  positions: ReadonlyMap<string, Point>,
  hidden: ReadonlySet<string> = new Set(),
): Arrangement {
  if (positions.size === 0) return arrangement;
  const before = new Map(
    arrangement.boxes.map((placedBox) => [placedBox.box.table.name, placedBox]),
  );
  const boxes = arrangement.boxes.map((placedBox): PlacedBox => ({
    ...placedBox,
    ...positions.get(placedBox.box.table.name),
  }));
  const after = new Map(boxes.map((placedBox) => [placedBox.box.table.name, placedBox]));
  const obstacles = boxes
    .filter(({ box }) => !hidden.has(box.table.name))
    .map(({ x, y, box: { width, height } }) => ({ x, y, width, height }));
  const movedArrangement = {
    ...arrangement,
    boxes,
    routes: arrangement.routes.map((route) => moveRoute(route, { before, after, obstacles })),
    frames: arrangement.frames.map((frame) =>
      frame.tables.some((name) => positions.has(name))
        ? frameAround(
            frame,
            frame.tables.flatMap((name) => after.get(name) ?? []),
          )
        : frame,
    ),
  };
  return fitted(movedArrangement);
}

type PlacedByName = ReadonlyMap<string, PlacedBox>;

interface Move {
  readonly before: PlacedByName;
  readonly after: PlacedByName;
  /** The tables that are drawn, after the move. */
  readonly obstacles: readonly Obstacle[];
}

function moveRoute(route: Route, { before, after, obstacles }: Move): Route {
  const { child, parent } = route.line;
  const [from, to] = [before.get(child.table), before.get(parent.table)];
  const [newFrom, newTo] = [after.get(child.table), after.get(parent.table)];
  if (from === undefined || to === undefined || newFrom === undefined || newTo === undefined)
    return route;
  const laidOut = {
    relation: route,
    from: { ...from, width: from.box.width },
    to: { ...to, width: to.box.width },
  };
  return { ...route, ...routeBetween(laidOut, { from: newFrom, to: newTo }, obstacles) };
}

/** Moves everything so that the origin is the top left corner, and computes the size. */
export function fitted(arrangement: Arrangement): Arrangement {
  const corners: readonly Point[] = [
    ...arrangement.boxes.flatMap(({ x, y, box }) =>
      cornersOf({ x, y, width: widthWithLabels(box), height: box.height }),
    ),
    ...arrangement.frames.flatMap(cornersOf),
    ...arrangement.routes.flatMap(({ points }) => points),
    ...arrangement.headings,
  ];
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  const [left, top] = [minOf(xs), minOf(ys)];
  return {
    ...translated(arrangement, { x: -left, y: -top }),
    width: -minOf(xs.map((x) => -x)) - left,
    height: -minOf(ys.map((y) => -y)) - top,
  };
}

function cornersOf({
  x,
  y,
  width,
  height,
}: Pick<Frame, 'x' | 'y' | 'width' | 'height'>): readonly Point[] {
  return [
    { x, y },
    { x: x + width, y: y + height },
  ];
}

/** `Math.min` takes too few arguments for the corners of a large diagram. */
function minOf(numbers: readonly number[]): number {
  return numbers.reduce((least, number) => Math.min(least, number), Infinity);
}
