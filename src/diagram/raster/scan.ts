/** A scanline rasterizer: computes the pixel coverage of areas. */
import type { Point } from '../../portable/drawing/drawing.ts';
import type { Polyline } from './outline.ts';

/** The size of the image. A pixel's index is row × width + column. */
export interface Area {
  readonly width: number;
  readonly height: number;
}

/** Coverage is an integer from 1 to this. */
export const wholeCover = 16;

/** Receives a horizontal run of pixels with equal coverage. */
export type Span = (from: number, to: number, cover: number) => void;

/** Always stored from the upper end. `direction` is that of the original line: 1 is downward. */
interface Edge {
  readonly x: number;
  readonly y: number;
  readonly end: number;
  /** Change of x per row. */
  readonly slope: number;
  readonly direction: 1 | -1;
}

export type Scan = (lines: readonly Polyline[], span: Span) => void;

/** Accumulates signed coverage row by row, from the edges that cross the row. */
export function createScanner({ width, height }: Area): Scan {
  const row = { width, cover: new Float64Array(width + 2), touched: [] };
  return (lines, span) => {
    const edges = edgesOf(lines);
    let active: readonly Edge[] = [];
    let next = 0;
    let y = Math.max(0, Math.floor(edges[0]?.y ?? 0));
    while (y < height && (active.length > 0 || next < edges.length)) {
      const first = next;
      for (let edge = edges[next]; edge !== undefined && edge.y < y + 1;) edge = edges[++next];
      if (next > first) active = [...active, ...edges.slice(first, next)];
      const end = Math.min(height, endOfEqualRows(active, edges[next]?.y, y));
      for (const edge of active) addCoverage(row, edge, y);
      const [top, bottom] = [y, end];
      emitSpans(row, (from, to, amount) => {
        for (let at = top; at < bottom; at++) span(at * width + from, at * width + to, amount);
      });
      y = end;
      if (active.some((edge) => edge.end <= end)) active = active.filter((edge) => edge.end > end);
    }
  };
}

/** Returns the end of the rows that equal this one because all edges are vertical there. */
function endOfEqualRows(active: readonly Edge[], nextStart: number | undefined, y: number): number {
  let end = Math.floor(nextStart ?? Infinity);
  for (const edge of active) {
    if (edge.slope !== 0 || edge.y > y) return y + 1;
    end = Math.min(end, Math.floor(edge.end));
  }
  return Math.max(y + 1, active.length === 0 ? Math.floor(nextStart ?? y) : end);
}

function edgesOf(lines: readonly Polyline[]): readonly Edge[] {
  const edges: Edge[] = [];
  for (const { points } of lines) {
    let from = points.at(-1);
    for (const to of points) {
      const edge = from === undefined ? undefined : edgeBetween(from, to);
      if (edge !== undefined) edges.push(edge);
      from = to;
    }
  }
  return edges.toSorted((a, b) => a.y - b.y);
}

function edgeBetween(from: Point, to: Point): Edge | undefined {
  if (from.y === to.y) return undefined;
  const slope = (to.x - from.x) / (to.y - from.y);
  return from.y < to.y
    ? { x: from.x, y: from.y, end: to.y, slope, direction: 1 }
    : { x: to.x, y: to.y, end: from.y, slope, direction: -1 };
}

/** Each pixel's difference in coverage from its left neighbor. */
interface Row {
  readonly width: number;
  readonly cover: Float64Array;
  /** Columns with a nonzero difference, unordered. */
  readonly touched: number[];
}

function addCoverage(row: Row, edge: Edge, y: number): void {
  const top = Math.max(edge.y, y);
  const bottom = Math.min(edge.end, y + 1);
  const a = clamp(edge.x + (top - edge.y) * edge.slope, row.width);
  const b = clamp(edge.x + (bottom - edge.y) * edge.slope, row.width);
  const height = (bottom - top) * edge.direction;
  const right = Math.max(a, b);
  for (let x = Math.min(a, b); ;) {
    const column = Math.floor(x);
    const to = Math.min(right, column + 1);
    const part = a === b ? height : (height * (to - x)) / Math.abs(b - a);
    const rightShare = (x + to) / 2 - column;
    add(row, column, part * (1 - rightShare));
    add(row, column + 1, part * rightShare);
    if (!(to < right)) return;
    x = to;
  }
}

function clamp(x: number, width: number): number {
  return Math.min(width, Math.max(0, x));
}

function add({ cover, touched }: Row, column: number, amount: number): void {
  if (cover[column] === 0) touched.push(column);
  cover[column] = (cover[column] ?? 0) + amount;
}

function emitSpans({ cover, touched, width }: Row, span: Span): void {
  insertionSort(touched);
  let sum = 0;
  for (let i = 0; i < touched.length; i++) {
    const from = touched[i] ?? 0;
    sum += cover[from] ?? 0;
    cover[from] = 0;
    const to = Math.min(width, touched[i + 1] ?? from);
    const amount = Math.round(Math.min(1, Math.abs(sum)) * wholeCover);
    if (amount > 0 && to > from) span(from, to, amount);
  }
  touched.length = 0;
}

/** Insertion sort: the list is short and nearly sorted. */
function insertionSort(numbers: number[]): void {
  for (let i = 1; i < numbers.length; i++) {
    const number = numbers[i] ?? 0;
    let to = i;
    for (; to > 0 && (numbers[to - 1] ?? 0) > number; to--) numbers[to] = numbers[to - 1] ?? 0;
    numbers[to] = number;
  }
}
