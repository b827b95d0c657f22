/** Shapes of relations: paths with rounded corners and crow's feet. Runs in browsers too. */
import type { ColorRole, Line, Point } from './drawing.ts';

/** A cardinality: how many rows one end of a relation has. */
export type Cardinality = 'one' | 'zero-or-one' | 'zero-or-many';

/** Corner radius, and the sizes of the crow's feet, in pixels. */
const cornerRadius = 6;
const footSizes = {
  half: 5,
  foot: 11,
  bar: 7,
  nextBar: 11,
  ring: 15,
  ringAfterBar: 14,
  radius: 3.5,
  dot: 2.2,
};

export interface End extends Point {
  /** 1 if the line leaves the table to the right, -1 to the left. */
  readonly direction: 1 | -1;
}

export function endOf([first, second]: readonly Point[]): End {
  const { x, y } = first ?? { x: 0, y: 0 };
  return { x, y, direction: (second?.x ?? x) >= x ? 1 : -1 };
}

/** Draws the crow's foot of a cardinality. */
export function endShapes(count: Cardinality, end: End): readonly Line[] {
  if (count === 'one') return [bar(end, footSizes.bar), bar(end, footSizes.nextBar)];
  if (count === 'zero-or-one') return [bar(end, footSizes.bar), ring(end, footSizes.ringAfterBar)];
  return [foot(end), ring(end, footSizes.ring)];
}

/** The stroke of paths and crow's feet. */
export const stroke = { stroke: 'edge', width: 1.2 } as const satisfies {
  stroke: ColorRole;
  width: number;
};

function bar({ x, y, direction }: End, distance: number): Line {
  const at = x + direction * distance;
  return { kind: 'line', path: `M${at} ${y - footSizes.half}V${y + footSizes.half}`, ...stroke };
}

function foot({ x, y, direction }: End): Line {
  const tip = x + direction * footSizes.foot;
  return {
    kind: 'line',
    path: `M${x} ${y - footSizes.half}L${tip} ${y}L${x} ${y + footSizes.half}`,
    ...stroke,
  };
}

function ring({ x, y, direction }: End, distance: number): Line {
  const path = circle({ x: x + direction * distance, y }, footSizes.radius);
  return { kind: 'line', path, fill: 'canvas', ...stroke };
}

/** Distinguishes a branch from a crossing. */
export function junctionDot(at: Point): Line {
  return { kind: 'line', path: circle(at, footSizes.dot), fill: 'edge' };
}

function circle({ x, y }: Point, r: number): string {
  return `M${x - r} ${y}A${r} ${r} 0 1 1 ${x + r} ${y}A${r} ${r} 0 1 1 ${x - r} ${y}Z`;
}

/** Returns path data with rounded corners. */
export function roundedPath(points: readonly Point[]): string {
  const [first] = points;
  if (first === undefined) return '';
  const corners = points
    .slice(1, -1)
    .map((point, i) => roundedCorner(points[i] ?? point, point, points[i + 2] ?? point));
  const last = points.at(-1) ?? first;
  return `M${first.x} ${first.y}${corners.join('')}L${last.x} ${last.y}`;
}

function roundedCorner(before: Point, at: Point, after: Point): string {
  const start = toward(at, before);
  const end = toward(at, after);
  return `L${start.x} ${start.y}Q${at.x} ${at.y} ${end.x} ${end.y}`;
}

/** Returns the end of a corner's curve on the line to `to`: at the corner radius, or halfway to the next corner if that is shorter. */
function toward(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length === 0 ? 0 : Math.min(cornerRadius, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}
