import { moved, together } from './arrangement.ts';
import type { Arrangement, Point, Size } from './arrangement.ts';

/** Between parts that have nothing to do with each other. */
export const partGap = 56;

/** The parts on one sheet, about as wide by height as asked. */
export function pack(parts: readonly Arrangement[], aspect: number): Arrangement {
  const tries = widthsToTry(parts, aspect).map((width) => packWithin(parts, width));
  return tries.reduce((best, next) => (waste(next, aspect) < waste(best, aspect) ? next : best));
}

/** Between the area that it takes and that of the sheet of the right aspect that would hold it. */
export function waste({ width, height }: Size, aspect: number): number {
  const sheet = Math.max(width, height * aspect) * Math.max(height, width / aspect);
  return Math.sqrt(width * height * sheet);
}

function widthsToTry(parts: readonly Arrangement[], aspect: number): readonly number[] {
  const widest = Math.max(0, ...parts.map((part) => part.width));
  const area = parts.reduce((sum, p) => sum + (p.width + partGap) * (p.height + partGap), 0);
  const even = Math.sqrt(area * aspect);
  return [0.9, 1, 1.1, 1.2, 1.35, 1.5].map((factor) => Math.max(widest, even * factor));
}

/** Highest first, each as far up and left as it can go. */
function packWithin(parts: readonly Arrangement[], width: number): Arrangement {
  let skyline: readonly Step[] = [{ x: 0, y: 0, width: width + partGap }];
  const placed = parts
    .toSorted((a, b) => b.height - a.height)
    .map((part) => {
      const size = { width: part.width + partGap, height: part.height + partGap };
      const at = lowestPlace(skyline, size.width);
      skyline = raised(skyline, at, size);
      return moved(part, at);
    });
  return together(placed, extentOf(placed));
}

/** A stretch of the packed parts' lower edge. */
interface Step extends Point {
  readonly width: number;
}

function lowestPlace(skyline: readonly Step[], width: number): Point {
  const end = skyline.reduce((max, step) => Math.max(max, step.x + step.width), 0);
  const places = skyline
    .filter((step) => step.x + width <= end + 0.5 || step.x === 0)
    .map(({ x }) => ({ x, y: floorOf(skyline, x, width) }));
  return places.reduce((best, place) => (place.y < best.y ? place : best));
}

function floorOf(skyline: readonly Step[], x: number, width: number): number {
  const under = skyline.filter((step) => step.x < x + width && step.x + step.width > x);
  return Math.max(...under.map((step) => step.y));
}

function raised(skyline: readonly Step[], at: Point, size: Size): readonly Step[] {
  const right = at.x + size.width;
  const left = skyline.flatMap((step) =>
    step.x < at.x ? [{ ...step, width: Math.min(step.width, at.x - step.x) }] : [],
  );
  const rest = skyline.flatMap((step) => {
    const end = step.x + step.width;
    const x = Math.max(step.x, right);
    return end > right ? [{ ...step, x, width: end - x }] : [];
  });
  return [...left, { x: at.x, y: at.y + size.height, width: size.width }, ...rest];
}

function extentOf(parts: readonly Arrangement[]): Size {
  const rights = parts.flatMap((part) => part.boxes.map(({ x, box }) => x + box.width));
  const lows = parts.flatMap((part) => part.boxes.map(({ y, box }) => y + box.height));
  const points = parts.flatMap((part) => part.routes.flatMap((route) => route.points));
  return {
    width: maximum([...rights, ...points.map(({ x }) => x)]),
    height: maximum([...lows, ...points.map(({ y }) => y)]),
  };
}

/** Of any number of them: too many are no arguments of Math.max. */
function maximum(values: readonly number[]): number {
  return values.reduce((max, value) => Math.max(max, value), 0);
}
