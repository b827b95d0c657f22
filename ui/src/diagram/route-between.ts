import type { SavedPosition } from './saved-positions.ts';
import type { RelationData } from './flow-elements.ts';

export interface Route {
  readonly points: readonly SavedPosition[];
  readonly junctions: readonly SavedPosition[];
}

/** The current positions of the two tables of a relation. */
export interface TablePositions {
  readonly from: SavedPosition;
  readonly to: SavedPosition;
}

/**
 * The route of the server if both tables are at its positions or were moved by the same distance.
 * Otherwise a new route.
 */
export function routeBetween(
  { relation, from, to }: RelationData,
  currentPositions: TablePositions,
): Route {
  const { points, junctions } = relation;
  const offsets = [
    offsetBetween(from, currentPositions.from),
    offsetBetween(to, currentPositions.to),
  ] as const;
  const [fromOffset, toOffset] = offsets;
  if (fromOffset.x !== toOffset.x || fromOffset.y !== toOffset.y)
    return { points: newRoute(), junctions: [] };
  if (fromOffset.x === 0 && fromOffset.y === 0) return { points, junctions };
  const shifted = (position: SavedPosition): SavedPosition => ({
    x: position.x + fromOffset.x,
    y: position.y + fromOffset.y,
  });
  return { points: points.map(shifted), junctions: junctions.map(shifted) };

  function newRoute(): readonly SavedPosition[] {
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

function offsetBetween(before: SavedPosition, currentPositions: SavedPosition): SavedPosition {
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

function stepBetween(from: Side, to: Side): readonly SavedPosition[] {
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
): readonly SavedPosition[] {
  const x = (out + into) / 2;
  return [
    { x: out, y: from.y },
    { x, y: from.y },
    { x, y: to.y },
    { x: into, y: to.y },
  ];
}
