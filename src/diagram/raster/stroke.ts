/** Converts strokes to areas, with round caps and joins. */
import type { Point } from '../../portable/drawing/drawing.ts';
import type { Polyline } from './outline.ts';

/** Returns the outlines of strokes of the given width. */
export function strokeOutline(lines: readonly Polyline[], width: number): readonly Polyline[] {
  return lines.flatMap((line) => outlineOf(line, width / 2));
}

function outlineOf({ points, isClosed }: Polyline, radius: number): readonly Polyline[] {
  const path = withoutRepeats(points, isClosed);
  const back = path.toReversed();
  const [first = origin] = path;
  if (path.length === 1) return [closed(arcPoints(first, { from: 0, by: 2 * Math.PI, radius }))];
  if (isClosed) return [path, back].map((side) => closed(offsetPath(side, radius, true)));
  return [closed([path, back].flatMap((side) => offsetPath(side, radius, false)))];
}

const origin: Point = { x: 0, y: 0 };

function closed(points: readonly Point[]): Polyline {
  return { points, isClosed: true };
}

function withoutRepeats(points: readonly Point[], isClosed: boolean): readonly Point[] {
  const isSame = (a: Point | undefined, b: Point | undefined): boolean =>
    a !== undefined && b !== undefined && Math.hypot(a.x - b.x, a.y - b.y) < 1e-3;
  const path = points.filter((point, i) => i === 0 || !isSame(point, points[i - 1]));
  return isClosed && path.length > 1 && isSame(path[0], path.at(-1)) ? path.slice(0, -1) : path;
}

/** Offsets a path to its left, with joins at the corners. An open path gets a round cap at its end. */
function offsetPath(path: readonly Point[], radius: number, isClosed: boolean): readonly Point[] {
  const out: Point[] = [];
  const count = isClosed ? path.length : path.length - 1;
  for (let i = 0; i < count; i++) {
    const at = path[i] ?? origin;
    const to = path[(i + 1) % path.length] ?? at;
    const after = isClosed ? path[(i + 2) % path.length] : path[i + 2];
    const angle = leftNormal(at, to);
    const by = after === undefined ? Math.PI : normalizeAngle(leftNormal(to, after) - angle);
    out.push(offsetPoint(at, angle, radius), ...corner(to, { from: angle, by, radius }));
  }
  return out;
}

/** An arc around a point. Angles are in radians; a positive `by` is clockwise. */
interface Arc {
  readonly from: number;
  readonly by: number;
  readonly radius: number;
}

/** Outer corners are round. Inner corners pass through the corner point, so that no area is missed. */
function corner(at: Point, arc: Arc): readonly Point[] {
  const start = offsetPoint(at, arc.from, arc.radius);
  if (Math.abs(arc.by) < 1e-3) return [start];
  return arc.by < 0 ? [start, at] : [start, ...arcPoints(at, arc)];
}

function arcPoints(at: Point, { from, by, radius }: Arc): readonly Point[] {
  const steps = Math.ceil((Math.abs(by) * (1 + Math.sqrt(radius))) / 1.2);
  return Array.from({ length: steps }, (_, i) =>
    offsetPoint(at, from + (by * (i + 1)) / steps, radius),
  );
}

/** Returns the angle of the normal to the left of a segment. */
function leftNormal(from: Point, to: Point): number {
  return Math.atan2(to.y - from.y, to.x - from.x) - Math.PI / 2;
}

function offsetPoint({ x, y }: Point, angle: number, radius: number): Point {
  return { x: x + Math.cos(angle) * radius, y: y + Math.sin(angle) * radius };
}

/** Normalizes an angle to -π to π. */
function normalizeAngle(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** Lengths in pixels. */
export interface Dashes {
  readonly dash: number;
  readonly gap: number;
}

export function dashed(lines: readonly Polyline[], dashes: Dashes): readonly Polyline[] {
  return lines.flatMap(({ points, isClosed }) =>
    splitIntoDashes(isClosed ? [...points, ...points.slice(0, 1)] : points, dashes),
  );
}

function splitIntoDashes(points: readonly Point[], { dash, gap }: Dashes): readonly Polyline[] {
  const [first = origin] = points;
  const parts: Point[][] = [[first]];
  let [isDrawn, remainingLength] = [true, dash];
  for (const [i, end] of points.entries()) {
    const start = points[i - 1] ?? end;
    const length = Math.hypot(end.x - start.x, end.y - start.y);
    let drawnLength = 0;
    while (remainingLength <= length - drawnLength) {
      drawnLength += remainingLength;
      const at = between(start, end, drawnLength / length);
      if (isDrawn) parts.at(-1)?.push(at);
      else parts.push([at]);
      isDrawn = !isDrawn;
      remainingLength = isDrawn ? dash : gap;
    }
    remainingLength -= length - drawnLength;
    if (isDrawn) parts.at(-1)?.push(end);
  }
  return parts.map((part) => ({ points: part, isClosed: false }));
}

function between(a: Point, b: Point, part: number): Point {
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}
