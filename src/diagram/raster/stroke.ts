/** The areas that strokes cover, with round ends and corners. */
import type { Point } from '../arrangement.ts';
import type { Polyline } from './outline.ts';

/** Around lines as thick as `width`. */
export function strokeOutline(lines: readonly Polyline[], width: number): readonly Polyline[] {
  return lines.flatMap((line) => aroundLine(line, width / 2));
}

function aroundLine({ points, isClosed }: Polyline, radius: number): readonly Polyline[] {
  const way = withoutRepeats(points, isClosed);
  const back = way.toReversed();
  const [first = origin] = way;
  if (way.length === 1) return [closed(turn(first, { from: 0, by: 2 * Math.PI, radius }))];
  if (isClosed) return [way, back].map((side) => closed(alongside(side, radius, true)));
  return [closed([way, back].flatMap((side) => alongside(side, radius, false)))];
}

const origin: Point = { x: 0, y: 0 };

function closed(points: readonly Point[]): Polyline {
  return { points, isClosed: true };
}

function withoutRepeats(points: readonly Point[], isClosed: boolean): readonly Point[] {
  const isSame = (a: Point | undefined, b: Point | undefined): boolean =>
    a !== undefined && b !== undefined && Math.hypot(a.x - b.x, a.y - b.y) < 1e-3;
  const way = points.filter((point, i) => i === 0 || !isSame(point, points[i - 1]));
  return isClosed && way.length > 1 && isSame(way[0], way.at(-1)) ? way.slice(0, -1) : way;
}

/** The way's left side, around its corners; to its end and half around that where it is open. */
function alongside(way: readonly Point[], radius: number, isClosed: boolean): readonly Point[] {
  const out: Point[] = [];
  const count = isClosed ? way.length : way.length - 1;
  for (let i = 0; i < count; i++) {
    const at = way[i] ?? origin;
    const to = way[(i + 1) % way.length] ?? at;
    const after = isClosed ? way[(i + 2) % way.length] : way[i + 2];
    const angle = leftOf(at, to);
    const by = after === undefined ? Math.PI : within(leftOf(to, after) - angle);
    out.push(beside(at, angle, radius), ...corner(to, { from: angle, by, radius }));
  }
  return out;
}

/** Around a point, to the right where `by` is more than 0; angles in radians. */
interface Turn {
  readonly from: number;
  readonly by: number;
  readonly radius: number;
}

/** Outside it is round; inside it goes through the corner itself, so that no area is left out. */
function corner(at: Point, around: Turn): readonly Point[] {
  const start = beside(at, around.from, around.radius);
  if (Math.abs(around.by) < 1e-3) return [start];
  return around.by < 0 ? [start, at] : [start, ...turn(at, around)];
}

function turn(at: Point, { from, by, radius }: Turn): readonly Point[] {
  const steps = Math.ceil((Math.abs(by) * (1 + Math.sqrt(radius))) / 1.2);
  return Array.from({ length: steps }, (_, i) => beside(at, from + (by * (i + 1)) / steps, radius));
}

/** The direction to the left of a way, as an angle. */
function leftOf(from: Point, to: Point): number {
  return Math.atan2(to.y - from.y, to.x - from.x) - Math.PI / 2;
}

function beside({ x, y }: Point, angle: number, radius: number): Point {
  return { x: x + Math.cos(angle) * radius, y: y + Math.sin(angle) * radius };
}

/** From -π to π. */
function within(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** Parts as long as `dash` with gaps as long as `gap`. */
export interface Dashes {
  readonly dash: number;
  readonly gap: number;
}

export function dashed(lines: readonly Polyline[], dashes: Dashes): readonly Polyline[] {
  return lines.flatMap(({ points, isClosed }) =>
    cut(isClosed ? [...points, ...points.slice(0, 1)] : points, dashes),
  );
}

function cut(points: readonly Point[], { dash, gap }: Dashes): readonly Polyline[] {
  const [first = origin] = points;
  const parts: Point[][] = [[first]];
  let [isDrawn, left] = [true, dash];
  for (const [i, end] of points.entries()) {
    const start = points[i - 1] ?? end;
    const length = Math.hypot(end.x - start.x, end.y - start.y);
    let done = 0;
    while (left <= length - done) {
      done += left;
      const at = between(start, end, done / length);
      if (isDrawn) parts.at(-1)?.push(at);
      else parts.push([at]);
      isDrawn = !isDrawn;
      left = isDrawn ? dash : gap;
    }
    left -= length - done;
    if (isDrawn) parts.at(-1)?.push(end);
  }
  return parts.map((part) => ({ points: part, isClosed: false }));
}

function between(a: Point, b: Point, part: number): Point {
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}
