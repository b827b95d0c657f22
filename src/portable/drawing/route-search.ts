/** The shortest way with few corners along the edges of areas in which no line runs. */
import type { Point } from './drawing.ts';
import type { Zone } from './line-distances.ts';

/** A corner costs as much as a detour of this many pixels. */
const cornerCost = 80;

/** How much the search prefers ways toward the end. More is faster, and the ways are less short. */
const greed = 1.6;

/** Positions are sums of doubles. */
const tolerance = 0.01;

/** In pixels. */
export interface Region {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Grid {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** By node, whether the way to the next node on the right, or below, is behind a table. */
  readonly isBlocked: { readonly right: Uint8Array; readonly down: Uint8Array };
}

/** Lines run along the edges of the zones within the region, and through `corners`. */
export function createGrid(
  zones: readonly Zone[],
  region: Region,
  corners: readonly Point[],
): Grid {
  const isInRegion = {
    x: (x: number): boolean => x >= region.left && x <= region.right,
    y: (y: number): boolean => y >= region.top && y <= region.bottom,
  };
  const xs = sorted([
    ...corners.map(({ x }) => x),
    ...zones.flatMap(({ left, right }) => [left, right]).filter(isInRegion.x),
  ]);
  const ys = sorted([
    ...corners.map(({ y }) => y),
    ...zones.flatMap(({ top, bottom }) => [top, bottom]).filter(isInRegion.y),
  ]);
  const right = new Uint8Array(xs.length * ys.length);
  const down = new Uint8Array(xs.length * ys.length);
  for (const zone of zones) {
    const columns = {
      from: firstAbove(xs, zone.left + tolerance),
      to: firstAbove(xs, zone.right - tolerance),
    };
    const rows = {
      from: firstAbove(ys, zone.top + tolerance),
      to: firstAbove(ys, zone.bottom - tolerance),
    };
    for (let j = rows.from; j < rows.to; j++)
      right.fill(1, j * xs.length + Math.max(0, columns.from - 1), j * xs.length + columns.to);
    for (let j = Math.max(0, rows.from - 1); j < rows.to; j++)
      down.fill(1, j * xs.length + columns.from, j * xs.length + columns.to);
  }
  return { xs, ys, isBlocked: { right, down } };
}

function sorted(values: readonly number[]): readonly number[] {
  return [...new Set(values)].toSorted((a, b) => a - b);
}

/** The index of the first value that is not below the limit. */
function firstAbove(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nodeAt({ xs, ys }: Grid, { x, y }: Point): number {
  return firstAbove(ys, y) * xs.length + firstAbove(xs, x);
}

function pointOf({ xs, ys }: Grid, node: number): Point {
  return { x: xs[node % xs.length] ?? 0, y: ys[Math.floor(node / xs.length)] ?? 0 };
}

// The search: A*, whose states are a node and whether the line came there horizontally.

interface Step {
  readonly state: number;
  readonly cost: number;
  readonly estimate: number;
}

interface Search {
  /** The first corners of the line from each of its possible ends. Nodes of the grid. */
  readonly starts: readonly Point[];
  readonly ends: readonly Point[];
  /** The number of steps after which the search gives up. */
  readonly maxVisited: number;
}

interface Found {
  /** The indexes of the start and the end that the path connects. */
  readonly start: number;
  readonly end: number;
  readonly path: readonly Point[];
}

/** Undefined if there is no way. */
export function findPath(grid: Grid, { starts, ends, maxVisited }: Search): Found | undefined {
  const goals = new Map(ends.map((end, i) => [nodeAt(grid, end), i]));
  const states = 2 * grid.isBlocked.right.length;
  /** One more than the cost. Zero if no way is known: filling a large array with another number takes long. */
  const costs = new Float64Array(states);
  const previous = new Int32Array(states);
  const queue: Step[] = [];
  const add = (state: number, cost: number, from: number): void => {
    const known = costs[state] ?? 0;
    if (known !== 0 && cost + 1 >= known) return;
    costs[state] = cost + 1;
    previous[state] = from;
    push(queue, { state, cost, estimate: cost + greed * leastCost(grid, state, ends) });
  };
  for (const start of starts) add(2 * nodeAt(grid, start) + 1, 0, -1);
  for (let visited = 0; visited < maxVisited; visited++) {
    const step = pop(queue);
    if (step === undefined) return undefined;
    if (step.cost + 1 > (costs[step.state] ?? 0)) continue;
    const end = goals.get(step.state >> 1);
    // The last part of the line is horizontal.
    if (end !== undefined && step.state % 2 === 1) {
      const path = pathTo(step.state, previous);
      const start = starts.findIndex((one) => nodeAt(grid, one) === path[0]);
      return { start, end, path: path.map((node) => pointOf(grid, node)) };
    }
    for (const { state, cost } of nextStates(grid, step.state))
      add(state, step.cost + cost, step.state);
  }
  return undefined;
}

/** The cost of the way to the nearest end if no table were in between. */
function leastCost({ xs, ys }: Grid, state: number, ends: readonly Point[]): number {
  const node = state >> 1;
  const [x, y] = [xs[node % xs.length] ?? 0, ys[Math.floor(node / xs.length)] ?? 0];
  let least = Infinity;
  for (const end of ends) {
    const horizontalCorners = end.y === y ? 0 : 2;
    const corners = state % 2 === 1 ? horizontalCorners : 1;
    least = Math.min(least, Math.abs(end.x - x) + Math.abs(end.y - y) + corners * cornerCost);
  }
  return least;
}

/** The nodes of the path. */
function pathTo(last: number, previous: Int32Array): readonly number[] {
  const path: number[] = [];
  for (let at = last; at !== -1; at = previous[at] ?? -1) {
    // At a corner, two states have the same node.
    if (path.at(-1) !== at >> 1) path.push(at >> 1);
  }
  return path.toReversed();
}

function nextStates(
  { xs, ys, isBlocked }: Grid,
  state: number,
): readonly Pick<Step, 'state' | 'cost'>[] {
  const node = state >> 1;
  const isHorizontal = state % 2 === 1;
  const [i, j] = [node % xs.length, Math.floor(node / xs.length)];
  const next: { state: number; cost: number }[] = [
    { state: 2 * node + (isHorizontal ? 0 : 1), cost: cornerCost },
  ];
  const move = (to: number, cost: number, blocked: number | undefined): void => {
    if (blocked === 0) next.push({ state: 2 * to + (isHorizontal ? 1 : 0), cost });
  };
  if (isHorizontal) {
    const x = xs[i] ?? 0;
    if (i + 1 < xs.length) move(node + 1, (xs[i + 1] ?? 0) - x, isBlocked.right[node]);
    if (i > 0) move(node - 1, x - (xs[i - 1] ?? 0), isBlocked.right[node - 1]);
  } else {
    const [y, width] = [ys[j] ?? 0, xs.length];
    if (j + 1 < ys.length) move(node + width, (ys[j + 1] ?? 0) - y, isBlocked.down[node]);
    if (j > 0) move(node - width, y - (ys[j - 1] ?? 0), isBlocked.down[node - width]);
  }
  return next;
}

/** A heap: no step has a lower estimate than the one at half of its index. */
function push(heap: Step[], step: Step): void {
  let at = heap.length;
  heap.push(step);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const other = heap[parent]!;
    if (other.estimate <= step.estimate) break;
    heap[at] = other;
    at = parent;
  }
  heap[at] = step;
}

function pop(heap: Step[]): Step | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    const [left, right] = [heap[child], heap[child + 1]];
    if (left === undefined) break;
    if (right !== undefined && right.estimate < left.estimate) child++;
    const smaller = heap[child]!;
    if (smaller.estimate >= last.estimate) break;
    heap[at] = smaller;
    at = child;
  }
  heap[at] = last;
  return first;
}
