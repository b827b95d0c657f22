import type { Point, Route } from './arrangement.ts';

export function lengthOf({ points }: Route): number {
  return points.slice(1).reduce((sum, { x, y }, i) => {
    const before = points[i] ?? { x, y };
    return sum + Math.abs(x - before.x) + Math.abs(y - before.y);
  }, 0);
}

interface Stretch {
  readonly route: number;
  readonly from: Point;
  readonly to: Point;
}

/** How many times lines cross each other; where they meet or part is no crossing. */
export function countCrossings(routes: readonly Route[]): number {
  const stretches = routes.flatMap(({ points }, route) =>
    points.slice(1).map((to, i): Stretch => ({ route, from: points[i] ?? to, to })),
  );
  const upright = stretches.filter(({ from, to }) => from.x === to.x && from.y !== to.y);
  const level = stretches.filter(({ from, to }) => from.x !== to.x);
  let count = 0;
  for (const one of upright) for (const other of level) if (cross(one, other)) count++;
  return count;
}

function cross(upright: Stretch, level: Stretch): boolean {
  return (
    upright.route !== level.route &&
    isWithin(upright.from.x, level.from.x, level.to.x) &&
    isWithin(level.from.y, upright.from.y, upright.to.y)
  );
}

function isWithin(value: number, one: number, other: number): boolean {
  return value > Math.min(one, other) + 0.5 && value < Math.max(one, other) - 0.5;
}
