/** The line between two tables of the diagram, at their current positions. */
import type { Point } from './drawing.ts';

export interface Route {
  readonly points: readonly Point[];
  readonly junctions: readonly Point[];
}

/** A table in the layout of the server. */
interface LaidOutTable extends Point {
  readonly width: number;
}

interface LaidOutRelation {
  readonly relation: Route;
  readonly from: LaidOutTable;
  readonly to: LaidOutTable;
}

/** The current positions of the two tables of a relation. */
export interface TablePositions {
  readonly from: Point;
  readonly to: Point;
}

/**
 * The route of the server if both tables are at its positions or were moved by the same distance.
 * Otherwise a new route.
 */
export function routeBetween(
  { relation, from, to }: LaidOutRelation,
  currentPositions: TablePositions,
): Route {
  const { points, junctions } = relation;
  const offsets = [
    offsetBetween(from, currentPositions.from),
    offsetBetween(to, currentPositions.to),
  ] as const;
  const [fromOffset, toOffset] = offsets;
  if (!isSame(fromOffset, toOffset)) return { points: newRoute(), junctions: [] };
  if (isSame(fromOffset, { x: 0, y: 0 })) return { points, junctions };
  const shifted = (position: Point): Point => ({
    x: position.x + fromOffset.x,
    y: position.y + fromOffset.y,
  });
  return { points: points.map(shifted), junctions: junctions.map(shifted) };

  function newRoute(): readonly Point[] {
    const [first, last] = [points[0] ?? from, points.at(-1) ?? to];
    return stepBetween(
      {
        left: currentPositions.from.x,
        right: currentPositions.from.x + from.width,
        y: first.y + fromOffset.y,
      },
      {
        left: currentPositions.to.x,
        right: currentPositions.to.x + to.width,
        y: last.y + toOffset.y,
      },
    );
  }
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
const minGap = 44;
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
