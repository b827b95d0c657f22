import type { Route } from './arrangement.ts';
import type { Point } from '../portable/drawing/drawing.ts';

export function lengthOf({ points }: Route): number {
  return points.slice(1).reduce((sum, { x, y }, i) => {
    const before = points[i] ?? { x, y };
    return sum + Math.abs(x - before.x) + Math.abs(y - before.y);
  }, 0);
}

interface Segment {
  readonly route: number;
  readonly from: Point;
  readonly to: Point;
}

/** Counts the crossings between routes. Points where routes join or branch do not count. */
export function countCrossings(routes: readonly Route[]): number {
  const segments = routes.flatMap(({ points }, route) =>
    points.slice(1).map((to, i): Segment => ({ route, from: points[i] ?? to, to })),
  );
  const vertical = segments.filter(({ from, to }) => from.x === to.x && from.y !== to.y);
  const horizontal = segments.filter(({ from, to }) => from.x !== to.x);
  let count = 0;
  for (const start of vertical) for (const end of horizontal) if (cross(start, end)) count++;
  return count;
}

function cross(vertical: Segment, horizontal: Segment): boolean {
  return (
    vertical.route !== horizontal.route &&
    isWithin(vertical.from.x, horizontal.from.x, horizontal.to.x) &&
    isWithin(horizontal.from.y, vertical.from.y, vertical.to.y)
  );
}

function isWithin(value: number, start: number, end: number): boolean {
  return value > Math.min(start, end) + 0.5 && value < Math.max(start, end) - 0.5;
}
