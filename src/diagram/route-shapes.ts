/** Lines between tables as shapes: their way, and crow's feet. Runs in browsers too. */
import type { Point } from './arrangement.ts';
import type { Ink, Line } from './drawing.ts';
import type { Count } from './relation-line.ts';

/** How sharply lines turn, and how long the marks at their ends are. */
const bend = 6;
const mark = {
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
  /** Which way the line leaves the table. */
  readonly direction: 1 | -1;
}

export function endOf([first, second]: readonly Point[]): End {
  const { x, y } = first ?? { x: 0, y: 0 };
  return { x, y, direction: (second?.x ?? x) >= x ? 1 : -1 };
}

/** Crow's feet: what stands at a line's end for how many rows there can be. */
export function endShapes(count: Count, end: End): readonly Line[] {
  if (count === 'one') return [bar(end, mark.bar), bar(end, mark.nextBar)];
  if (count === 'zero-or-one') return [bar(end, mark.bar), ring(end, mark.ringAfterBar)];
  return [foot(end), ring(end, mark.ring)];
}

/** Of everything of a line. */
export const stroke = { stroke: 'edge', width: 1.2 } as const satisfies {
  stroke: Ink;
  width: number;
};

function bar({ x, y, direction }: End, distance: number): Line {
  const at = x + direction * distance;
  return { kind: 'line', path: `M${at} ${y - mark.half}V${y + mark.half}`, ...stroke };
}

function foot({ x, y, direction }: End): Line {
  const tip = x + direction * mark.foot;
  return {
    kind: 'line',
    path: `M${x} ${y - mark.half}L${tip} ${y}L${x} ${y + mark.half}`,
    ...stroke,
  };
}

function ring({ x, y, direction }: End, distance: number): Line {
  const path = circle({ x: x + direction * distance, y }, mark.radius);
  return { kind: 'line', path, fill: 'canvas', ...stroke };
}

/** Tells lines that part from lines that cross. */
export function junctionDot(at: Point): Line {
  return { kind: 'line', path: circle(at, mark.dot), fill: 'edge' };
}

function circle({ x, y }: Point, r: number): string {
  return `M${x - r} ${y}A${r} ${r} 0 1 1 ${x + r} ${y}A${r} ${r} 0 1 1 ${x - r} ${y}Z`;
}

/** A way at right angles with its corners rounded. */
export function roundedPath(points: readonly Point[]): string {
  const [first] = points;
  if (first === undefined) return '';
  const turns = points
    .slice(1, -1)
    .map((point, i) => turn(points[i] ?? point, point, points[i + 2] ?? point));
  const last = points.at(-1) ?? first;
  return `M${first.x} ${first.y}${turns.join('')}L${last.x} ${last.y}`;
}

function turn(before: Point, at: Point, after: Point): string {
  const start = toward(at, before);
  const end = toward(at, after);
  return `L${start.x} ${start.y}Q${at.x} ${at.y} ${end.x} ${end.y}`;
}

/** A bend's length from a corner, or half the way to the next when that is shorter. */
function toward(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length === 0 ? 0 : Math.min(bend, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}
