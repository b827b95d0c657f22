/** The line between two tables of the diagram, at their current positions. */
import type { Point } from './drawing.ts';
import { routeAround } from './route-around.ts';
import type { Exit } from './route-around.ts';
import type { Obstacle } from './line-distances.ts';
import { endOf } from './route-shapes.ts';
import type { End } from './route-shapes.ts';

export interface Route {
  readonly points: readonly Point[];
  readonly junctions: readonly Point[];
  readonly branches: readonly Branch[];
}

/** The line from another column of a composite key to the line of the key. */
export interface Branch {
  /** The end of the line that it belongs to. */
  readonly at: 'from' | 'to';
  readonly points: readonly Point[];
}

/** The branch from the height of a column at the same edge of the table, `depth` pixels beside it. */
export function branchFrom(
  { x, y: endY, direction }: End,
  { y, depth }: { readonly y: number; readonly depth: number },
): readonly Point[] {
  const corner = x + direction * depth;
  return [
    { x, y },
    { x: corner, y },
    { x: corner, y: endY },
  ];
}

/** A table in the layout of the server. */
interface LaidOutTable extends Point {
  readonly width: number;
}

interface LaidOutRelation {
  /** With a label in place of its far end, the line moves with the table that it begins at. */
  readonly relation: Route & { readonly isLabeled: boolean };
  readonly from: LaidOutTable;
  readonly to: LaidOutTable;
}

/** The current positions of the two tables of a relation. */
export interface TablePositions {
  readonly from: Point;
  readonly to: Point;
}

/**
 * The route of the server if both tables are at its positions or were moved by the same distance, otherwise a new
 * route. If it would run behind one of the `obstacles`, all tables at their current positions, and there is a way
 * around them, it takes that.
 */
export function routeBetween(
  laidOut: LaidOutRelation,
  currentPositions: TablePositions,
  obstacles: readonly Obstacle[] = [],
): Route {
  const { relation, from, to } = laidOut;
  const direct = withFittedBranches(directRoute(laidOut, currentPositions), obstacles);
  const [start, end] = [direct.points[0], direct.points.at(-1)];
  if (relation.isLabeled || start === undefined || end === undefined) return direct;
  if (!isBehindAny(direct.points, obstacles)) return direct;
  const points = routeAround(
    obstacles,
    exitsOf({ x: currentPositions.from.x, width: from.width, y: start.y }),
    exitsOf({ x: currentPositions.to.x, width: to.width, y: end.y }),
  );
  if (points === undefined) return direct;
  return withFittedBranches(
    { points, junctions: [], branches: movedBranches(relation, points) },
    obstacles,
  );
}

function directRoute(
  { relation, from, to }: LaidOutRelation,
  currentPositions: TablePositions,
): Route {
  const { points, junctions, branches, isLabeled } = relation;
  const fromOffset = offsetBetween(from, currentPositions.from);
  const toOffset = isLabeled ? fromOffset : offsetBetween(to, currentPositions.to);
  if (!isSame(fromOffset, toOffset)) {
    const heights = {
      from: (points[0]?.y ?? from.y) + fromOffset.y,
      to: (points.at(-1)?.y ?? to.y) + toOffset.y,
    };
    return newRoute({ relation, from, to }, currentPositions, heights);
  }
  if (isSame(fromOffset, { x: 0, y: 0 })) return { points, junctions, branches };
  const shifted = (position: Point): Point => ({
    x: position.x + fromOffset.x,
    y: position.y + fromOffset.y,
  });
  return {
    points: points.map(shifted),
    junctions: junctions.map(shifted),
    branches: branches.map((branch) => ({ ...branch, points: branch.points.map(shifted) })),
  };
}

/** The least distance to a table at which a line does not seem to belong to it, in pixels. */
const clearance = 5;

function isBehindAny(points: readonly Point[], obstacles: readonly Obstacle[]): boolean {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right] = [Math.min(...xs) - clearance, Math.max(...xs) + clearance];
  const [top, bottom] = [Math.min(...ys) - clearance, Math.max(...ys) + clearance];
  return obstacles.some(
    (obstacle) =>
      obstacle.x < right &&
      obstacle.x + obstacle.width > left &&
      obstacle.y < bottom &&
      obstacle.y + obstacle.height > top &&
      runsBehind(points, obstacle),
  );
}

/** Whether the line runs behind the table, or along its edge unless it ends there. */
function runsBehind(points: readonly Point[], obstacle: Obstacle): boolean {
  const isEnd = [points[0], points.at(-1)].some(
    (end) => end !== undefined && isInside(end, widened(obstacle, tolerance)),
  );
  const { x, y, width, height } = widened(obstacle, isEnd ? -0.5 : clearance);
  return points.slice(1).some((to, i) => {
    const from = points[i] ?? to;
    return (
      Math.min(from.x, to.x) < x + width &&
      Math.max(from.x, to.x) > x &&
      Math.min(from.y, to.y) < y + height &&
      Math.max(from.y, to.y) > y
    );
  });
}

function isInside(point: Point, { x, y, width, height }: Obstacle): boolean {
  return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
}

function widened({ x, y, width, height }: Obstacle, by: number): Obstacle {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

interface WholeLine {
  /** Where it meets the other table, relative to that table's top. */
  readonly endHeight: number;
  /** The tables that it must not run behind, at their current positions. */
  readonly obstacles: readonly Obstacle[] | undefined;
}

/** The line of a relation with a label, up to the other table. */
export function wholeRoute(
  laidOut: LaidOutRelation,
  currentPositions: TablePositions,
  { endHeight, obstacles }: WholeLine,
): Route {
  const { relation, from, to } = laidOut;
  const start = (relation.points[0]?.y ?? from.y) - from.y;
  const heights = { from: currentPositions.from.y + start, to: currentPositions.to.y + endHeight };
  const points =
    obstacles &&
    routeAround(
      obstacles,
      exitsOf({ x: currentPositions.from.x, width: from.width, y: heights.from }),
      exitsOf({ x: currentPositions.to.x, width: to.width, y: heights.to }),
    );
  const route =
    points === undefined
      ? newRoute(laidOut, currentPositions, heights)
      : { points, junctions: [], branches: movedBranches(relation, points) };
  return withFittedBranches(route, obstacles ?? []);
}

/** Lines leave a table on either side. */
function exitsOf({ x, width, y }: LaidOutTable): readonly Exit[] {
  return [
    { x, y, direction: -1 },
    { x: x + width, y, direction: 1 },
  ];
}

/** `heights` are those at which the line meets the tables. */
function newRoute(
  { relation, from, to }: LaidOutRelation,
  currentPositions: TablePositions,
  heights: { readonly from: number; readonly to: number },
): Route {
  const { from: left, to: right } = currentPositions;
  const points = stepBetween(
    { left: left.x, right: left.x + from.width, y: heights.from },
    { left: right.x, right: right.x + to.width, y: heights.to },
  );
  return { points, junctions: [], branches: movedBranches(relation, points) };
}

/** Attaches the branches to the ends of a new route, at the same distances as before. */
function movedBranches(
  { points, branches }: Route,
  newPoints: readonly Point[],
): Route['branches'] {
  return branches.map(({ at, points: [start, corner] }) => {
    const inOrder = (all: readonly Point[]): readonly Point[] =>
      at === 'from' ? all : all.toReversed();
    const [before, after] = [endOf(inOrder(points)), endOf(inOrder(newPoints))];
    const height = { y: after.y + (start?.y ?? 0) - before.y };
    const depth = Math.abs((corner?.x ?? before.x) - before.x);
    return { at, points: branchFrom(after, { ...height, depth }) };
  });
}

/** Brings branches closer to their table where another one is close to it, or where the line has its first corner. */
function withFittedBranches(route: Route, obstacles: readonly Obstacle[]): Route {
  if (route.branches.length === 0) return route;
  const branches = route.branches.map((branch) => {
    const points = branch.at === 'from' ? route.points : route.points.toReversed();
    const end = endOf(points);
    const [{ y }, corner] = [branch.points[0] ?? end, branch.points[1] ?? end];
    const depth = Math.abs(corner.x - end.x);
    const space = spaceBeside(end, { from: Math.min(y, end.y), to: Math.max(y, end.y) }, obstacles);
    const least = Math.min(
      depth,
      space < depth + clearance ? space / 2 : depth,
      Math.abs((points[1] ?? end).x - end.x),
    );
    return least < depth - tolerance
      ? { ...branch, points: branchFrom(end, { y, depth: least }) }
      : branch;
  });
  return { ...route, branches };
}

/** The distance from an end of a line to the next table in its direction, between two heights. */
function spaceBeside(
  { x, direction }: End,
  { from, to }: { readonly from: number; readonly to: number },
  obstacles: readonly Obstacle[],
): number {
  let space = Infinity;
  for (const obstacle of obstacles) {
    if (obstacle.y >= to || obstacle.y + obstacle.height <= from) continue;
    const near = direction === 1 ? obstacle.x - x : x - obstacle.x - obstacle.width;
    if (near > -tolerance) space = Math.min(space, Math.max(0, near));
  }
  return space;
}

/** Positions pass through sums of doubles, so equal ones differ by some 1e-13 pixels. */
const tolerance = 0.01;

function isSame(one: Point, two: Point): boolean {
  return Math.abs(one.x - two.x) < tolerance && Math.abs(one.y - two.y) < tolerance;
}

function offsetBetween(before: Point, currentPositions: Point): Point {
  return { x: currentPositions.x - before.x, y: currentPositions.y - before.y };
}

/** A table's edges, and the height at which a line meets them. */
interface Side {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/**
 * The minimum horizontal space for crow's feet at both ends, and the distance at which a line
 * passes tables that overlap horizontally.
 */
const minGap = 60;
const detour = 30;

function stepBetween(from: Side, to: Side): readonly Point[] {
  if (from.right + minGap <= to.left) return steps(from, to, { out: from.right, into: to.left });
  if (to.right + minGap <= from.left) return steps(from, to, { out: from.left, into: to.right });
  const x = Math.max(from.right, to.right) + detour;
  return [
    { x: from.right, y: from.y },
    { x, y: from.y },
    { x, y: to.y },
    { x: to.right, y: to.y },
  ];
}

function steps(
  from: Side,
  to: Side,
  { out, into }: { readonly out: number; readonly into: number },
): readonly Point[] {
  const x = (out + into) / 2;
  return [
    { x: out, y: from.y },
    { x, y: from.y },
    { x, y: to.y },
    { x: into, y: to.y },
  ];
}
