/** Lines around tables: a short way with right angles along the edges of the tables, with few corners. */
import type { Point } from './drawing.ts';
import { distancesFor } from './line-distances.ts';
import type { Obstacle, Zone } from './line-distances.ts';
import { createGrid, findPath } from './route-search.ts';
import type { Region } from './route-search.ts';

/** An edge of a table at which a line may begin or end. `direction` leads away from the table. */
export interface Exit extends Point {
  readonly direction: 1 | -1;
}

/** The distance of the first corner, beyond the crow's foot, in pixels. Less where a table is closer. */
const stubLength = 30;

/** In pixels. Most ways stay this close to the two tables; the tables beyond are considered only if there is none. */
const nearby = 400;

/** The search gives up in a maze after this many steps: soon, since another one may find a way, or at last. */
const maxVisited = { first: 8000, last: 20_000 };

/** Undefined if there is no way, or none that is found soon. */
export function routeAround(
  tables: readonly Obstacle[],
  starts: readonly Exit[],
  ends: readonly Exit[],
): readonly Point[] | undefined {
  // An end that is covered on both sides of its table has to run behind the table that covers it.
  const obstacles = uncovered(tables, [starts, ends]);
  const region = regionAround([...starts, ...ends]);
  const near = { obstacles: obstacles.filter((one) => isWithin(one, region)), region };
  const all = { obstacles, region: everywhere };
  const attempts: readonly Attempt[] = [
    { ...near, mode: 'wide', maxVisited: maxVisited.first },
    { ...near, mode: 'fitted', maxVisited: maxVisited.first },
    { ...all, mode: 'wide', maxVisited: maxVisited.first },
    { ...all, mode: 'fitted', maxVisited: maxVisited.last },
    // Between tables that touch, the line runs along their edges.
    { ...all, mode: 'touching', maxVisited: maxVisited.last },
    { ...all, mode: 'edges', maxVisited: maxVisited.last },
  ];
  for (const attempt of attempts) {
    const way = findWay(attempt, starts, ends);
    if (way !== undefined) return way;
  }
  return undefined;
}

interface Attempt {
  readonly obstacles: readonly Obstacle[];
  /** Where the line may run. `obstacles` has all tables in it. */
  readonly region: Region;
  /** The distances that lines keep from tables. */
  readonly mode: keyof typeof distancesFor;
  readonly maxVisited: number;
}

const everywhere: Region = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };

function regionAround(exits: readonly Exit[]): Region {
  const xs = exits.map(({ x }) => x);
  const ys = exits.map(({ y }) => y);
  return {
    left: Math.min(...xs) - nearby,
    right: Math.max(...xs) + nearby,
    top: Math.min(...ys) - nearby,
    bottom: Math.max(...ys) + nearby,
  };
}

/** With the distance that lines keep. */
function isWithin({ x, y, width, height }: Obstacle, region: Region): boolean {
  const margin = 20;
  return (
    x - margin < region.right &&
    x + width + margin > region.left &&
    y - margin < region.bottom &&
    y + height + margin > region.top
  );
}

/** The obstacles without those that cover all exits of one end. */
function uncovered(
  obstacles: readonly Obstacle[],
  ends: readonly (readonly Exit[])[],
): readonly Obstacle[] {
  const covering = ends
    .filter((exits) => exits.every((exit) => obstacles.some((one) => covers(one, exit))))
    .flat();
  // The same list for all lines, so that the spaces between its tables are measured once.
  if (covering.length === 0) return obstacles;
  return obstacles.filter((one) => !covering.some((exit) => covers(one, exit)));
}

function covers({ x, y, width, height }: Obstacle, at: Point): boolean {
  return at.x > x && at.x < x + width && at.y > y && at.y < y + height;
}

function findWay(
  { obstacles, region, mode, maxVisited: limit }: Attempt,
  allStarts: readonly Exit[],
  allEnds: readonly Exit[],
): readonly Point[] | undefined {
  const zones = distancesFor[mode](obstacles);
  const [starts, ends] = [stubsOf(allStarts, zones), stubsOf(allEnds, zones)];
  if (starts.length === 0 || ends.length === 0) return undefined;
  const corners = [...starts, ...ends].map(({ corner }) => corner);
  const found = findPath(createGrid(zones, region, corners), {
    starts: starts.map(({ corner }) => corner),
    ends: ends.map(({ corner }) => corner),
    maxVisited: limit,
  });
  if (found === undefined) return undefined;
  const [start, end] = [starts[found.start], ends[found.end]];
  if (start === undefined || end === undefined) return undefined;
  return withoutStraightPoints([start.exit, ...found.path, end.exit]);
}

interface Stub {
  readonly exit: Point;
  /** The first corner that is possible. */
  readonly corner: Point;
}

/** Of the exits that no other table covers. */
function stubsOf(exits: readonly Exit[], zones: readonly Zone[]): readonly Stub[] {
  return exits.flatMap(({ x, y, direction }) => {
    const room = roomAt({ x, y, direction }, zones);
    if (room < 0) return [];
    return { exit: { x, y }, corner: { x: x + direction * Math.min(stubLength, room), y } };
  });
}

/** The free distance in front of the exit, in pixels. Negative if another table covers it. */
function roomAt({ x, y, direction }: Exit, zones: readonly Zone[]): number {
  let room = Infinity;
  for (const { obstacle, left, right, top, bottom } of zones) {
    if (y <= top || y >= bottom) continue;
    const [near, far] = [obstacle.x - x, obstacle.x + obstacle.width - x].toSorted(
      (a, b) => direction * (a - b),
    ) as [number, number];
    if (direction * far <= tolerance) continue;
    if (direction * near < -tolerance) return -1;
    room = Math.min(room, direction * ((direction === 1 ? left : right) - x));
  }
  return room < 0 && room > -tolerance ? 0 : room;
}

/** Positions are sums of doubles. */
const tolerance = 0.01;

function withoutStraightPoints(points: readonly Point[]): readonly Point[] {
  return points.filter((point, i) => {
    const [before, after] = [points[i - 1], points[i + 1]];
    if (before === undefined || after === undefined) return true;
    const isOnLine =
      (before.x === point.x && point.x === after.x) ||
      (before.y === point.y && point.y === after.y);
    return !isOnLine;
  });
}
