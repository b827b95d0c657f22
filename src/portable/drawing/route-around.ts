/** Lines around tables: the shortest way with right angles along the edges of the tables, with few corners. */
import type { Point } from './drawing.ts';

export interface Obstacle extends Point {
  readonly width: number;
  readonly height: number;
}

/** An edge of a table at which a line may begin or end. `direction` leads away from the table. */
export interface Exit extends Point {
  readonly direction: 1 | -1;
}

/** The distances of lines from tables, and that of the first corner, beyond the crow's foot. */
const margin = { x: 20, y: 12 };
const stub = 30;

/** A corner costs as much as a detour of this many pixels. */
const cornerCost = 80;

/** Gives up in a maze. */
const maxVisited = 40_000;

/** Undefined if there is no way, or none that is found soon. */
export function routeAround(
  obstacles: readonly Obstacle[],
  starts: readonly Exit[],
  ends: readonly Exit[],
): readonly Point[] | undefined {
  const grid = gridOf(obstacles, [...starts, ...ends]);
  const goals = new Map(ends.map((end) => [nodeAt(grid, stubOf(end)), end]));
  const found = search(grid, starts, goals);
  if (found === undefined) return undefined;
  const { start, path } = found;
  const end = goals.get(path.at(-1) ?? -1);
  if (end === undefined) return undefined;
  return withoutStraightPoints([start, ...path.map((node) => pointOf(grid, node)), end]);
}

function stubOf({ x, y, direction }: Exit): Point {
  return { x: x + direction * stub, y };
}

interface Grid {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** By node, whether the way to the next node on the right, or below, is behind a table. */
  readonly isBlocked: { readonly right: Uint8Array; readonly down: Uint8Array };
}

function gridOf(obstacles: readonly Obstacle[], exits: readonly Exit[]): Grid {
  const stubs = exits.map(stubOf);
  const xs = sorted([
    ...stubs.map(({ x }) => x),
    ...obstacles.flatMap(({ x, width }) => [x - margin.x, x + width + margin.x]),
  ]);
  const ys = sorted([
    ...stubs.map(({ y }) => y),
    ...obstacles.flatMap(({ y, height }) => [y - margin.y, y + height + margin.y]),
  ]);
  const right = new Uint8Array(xs.length * ys.length);
  const down = new Uint8Array(xs.length * ys.length);
  for (const { x, y, width, height } of obstacles) {
    // A line at the margin is free.
    const [left, top] = [x - margin.x + 1, y - margin.y + 1];
    const [end, bottom] = [x + width + margin.x - 1, y + height + margin.y - 1];
    const columns = { from: firstAbove(xs, left), to: firstAbove(xs, end) };
    const rows = { from: firstAbove(ys, top), to: firstAbove(ys, bottom) };
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

interface Found {
  readonly start: Exit;
  readonly path: readonly number[];
}

function search(
  grid: Grid,
  starts: readonly Exit[],
  goals: ReadonlyMap<number, Exit>,
): Found | undefined {
  const ends = [...goals.keys()].map((node) => pointOf(grid, node));
  const estimateFrom = (node: number): number => {
    const { x, y } = pointOf(grid, node);
    let least = Infinity;
    for (const end of ends) least = Math.min(least, Math.abs(end.x - x) + Math.abs(end.y - y));
    return least;
  };
  const states = 2 * grid.isBlocked.right.length;
  const costs = new Float64Array(states).fill(Infinity);
  const previous = new Int32Array(states).fill(-1);
  const queue: Step[] = [];
  const add = (state: number, cost: number, from: number): void => {
    if (cost >= (costs[state] ?? 0)) return;
    costs[state] = cost;
    previous[state] = from;
    push(queue, { state, cost, estimate: cost + estimateFrom(state >> 1) });
  };
  const firstStates = new Map(starts.map((exit) => [2 * nodeAt(grid, stubOf(exit)) + 1, exit]));
  for (const state of firstStates.keys()) add(state, 0, -1);
  for (let visited = 0; visited < maxVisited; visited++) {
    const step = pop(queue);
    if (step === undefined) return undefined;
    if (step.cost > (costs[step.state] ?? 0)) continue;
    // The last part of the line is horizontal.
    if (goals.has(step.state >> 1) && step.state % 2 === 1)
      return foundPath(step.state, previous, firstStates);
    for (const { state, cost } of nextStates(grid, step.state))
      add(state, step.cost + cost, step.state);
  }
  return undefined;
}

function foundPath(
  last: number,
  previous: Int32Array,
  firstStates: ReadonlyMap<number, Exit>,
): Found | undefined {
  const path: number[] = [];
  let state = last;
  for (let at = last; at !== -1; at = previous[at] ?? -1) {
    // At a corner, two states have the same node.
    if (path[0] !== at >> 1) path.unshift(at >> 1);
    state = at;
  }
  const start = firstStates.get(state);
  return start === undefined ? undefined : { start, path };
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

function withoutStraightPoints(points: readonly Point[]): readonly Point[] {
  return points.filter((point, i) => {
    const [before, after] = [points[i - 1], points[i + 1]];
    if (before === undefined || after === undefined) return true;
    const isOnLine =
      (before.x === point.x && point.x === after.x) ||
      (before.y === point.y && point.y === after.y);
    return !isOnLine;
  });
}
