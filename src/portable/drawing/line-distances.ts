/** The distances that lines keep from tables. */
import type { Point } from './drawing.ts';

/** A table at its current position. */
export interface Obstacle extends Point {
  readonly width: number;
  readonly height: number;
}

/** A table and the area around it in which no line runs. Lines may run along the edges of that area. */
export interface Zone {
  readonly obstacle: Obstacle;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** In pixels, where there is space. */
const wide = { x: 20, y: 12 };

/** The least distance at which a line between two tables is visible, in pixels. */
const least = 2;

/**
 * `wide` is the same for all tables. With `fitted`, lines between close tables run in the middle between them,
 * unless there is too little space. With `touching`, they also run along the edges of tables that touch. With
 * `edges`, they run along the edges of all tables, which leaves open any way that there is between those that
 * overlap.
 */
export const distancesFor = {
  wide: (obstacles: readonly Obstacle[]): readonly Zone[] =>
    obstacles.map((one) => zoneAround(one, sidesWith(Infinity))),
  fitted: (obstacles: readonly Obstacle[]): readonly Zone[] => fittedZones(obstacles, least),
  touching: (obstacles: readonly Obstacle[]): readonly Zone[] => fittedZones(obstacles, 0),
  edges: (obstacles: readonly Obstacle[]): readonly Zone[] =>
    obstacles.map((one) => zoneAround(one, sidesWith(0))),
};

/** The space on each side of a table. */
type Gaps = Pick<Zone, 'left' | 'right' | 'top' | 'bottom'>;

function sidesWith(gap: number): Gaps {
  return { left: gap, right: gap, top: gap, bottom: gap };
}

/** Half of the space on each side, as far as that is not more than lines need. */
function zoneAround(obstacle: Obstacle, gaps: Gaps, atLeast = 0): Zone {
  const distance = (gap: number, most: number): number =>
    Math.max(atLeast, Math.min(most, gap / 2));
  const { x, y, width, height } = obstacle;
  return {
    obstacle,
    left: x - distance(gaps.left, wide.x),
    right: x + width + distance(gaps.right, wide.x),
    top: y - distance(gaps.top, wide.y),
    bottom: y + height + distance(gaps.bottom, wide.y),
  };
}

/** `atLeast` closes narrower spaces. */
function fittedZones(obstacles: readonly Obstacle[], atLeast: number): readonly Zone[] {
  const gaps = knownGaps.get(obstacles) ?? obstacles.map((one) => gapsAround(one, obstacles));
  knownGaps.set(obstacles, gaps);
  return obstacles.map((one, i) => zoneAround(one, gaps[i] ?? sidesWith(Infinity), atLeast));
}

/** Many lines run around the same tables. */
const knownGaps = new WeakMap<readonly Obstacle[], readonly Gaps[]>();

/** The space on each side up to the next table. Tables that overlap this one do not limit it. */
function gapsAround({ x, y, width, height }: Obstacle, obstacles: readonly Obstacle[]): Gaps {
  const gaps = { ...sidesWith(Infinity) };
  for (const other of obstacles) {
    const onLeft = x - other.x - other.width;
    const onRight = other.x - x - width;
    const above = y - other.y - other.height;
    const below = other.y - y - height;
    if (above < wide.y && below < wide.y) {
      if (onLeft > -1e-6) gaps.left = Math.min(gaps.left, Math.max(0, onLeft));
      if (onRight > -1e-6) gaps.right = Math.min(gaps.right, Math.max(0, onRight));
    }
    if (onLeft < wide.x && onRight < wide.x) {
      if (above > -1e-6) gaps.top = Math.min(gaps.top, Math.max(0, above));
      if (below > -1e-6) gaps.bottom = Math.min(gaps.bottom, Math.max(0, below));
    }
  }
  return gaps;
}
