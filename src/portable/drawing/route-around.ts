/** Lines around tables: a short way with right angles along the edges of the tables, with few corners. */
import type { Point } from './drawing.ts';

export interface Obstacle extends Point {
  readonly width: number;
  readonly height: number;
}

/** An edge of a table at which a line may begin or end. `direction` leads away from the table. */
export interface Exit extends Point {
  readonly direction: 1 | -1;
}

/** The distances of lines from tables, and that of the first corner, beyond the crow's foot. In pixels. */
interface Distances {
  readonly x: number;
  readonly y: number;
  readonly stub: number;
}

const wide: Distances = { x: 20, y: 12, stub: 30 };
/** Between tables that are close to each other. */
const narrow: Distances = { x: 8, y: 6, stub: 22 };

/** A corner costs as much as a detour of this many pixels. */
const cornerCost = 80;

/** In pixels. Most ways stay this close to the two tables; the tables beyond are considered only if there is none. */
const nearby = 400;

/** How much the search prefers ways toward the end. More is faster, and the ways are less short. */
const greed = 1.6;

/** Gives up in a maze. */
const maxVisited = 8000;

/** Undefined if there is no way, or none that is found soon. */
export function routeAround(
  obstacles: readonly Obstacle[],
  starts: readonly Exit[],
  ends: readonly Exit[],
): readonly Point[] | undefined {
  const region = regionAround([...starts, ...ends]);
  const near = obstacles.filter((obstacle) => isWithin(obstacle, region));
  const nearTask = { obstacles: near, region, starts, ends };
  return (
    findWay({ ...nearTask, distances: wide }) ??
    findWay({ ...nearTask, distances: narrow }) ??
    findWay({ obstacles, region: everywhere, starts, ends, distances: wide })
  );
}

interface Task {
  readonly obstacles: readonly Obstacle[];
  /** Where the line may run. `obstacles` has all tables in it. */
  readonly region: Region;
  readonly starts: readonly Exit[];
  readonly ends: readonly Exit[];
  readonly distances: Distances;
}

interface Region {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const everywhere: Region = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };

function regionAround(exits: readonly Exit[]): Region {
  const xs = exits.map(({ x }) => x);
  const ys = exits.map(({ y }) => y);
  return {
    left: Math.min(...xs) - nearby,
    right: Math.max(...xs) + nearby,
    top: Math.min(...ys) - nearby,
    bottom: Math.max(...ys) + nearby,
  };
}

/** With the distance that lines keep. */
function isWithin({ x, y, width, height }: Obstacle, region: Region): boolean {
  return (
    x - wide.x < region.right &&
    x + width + wide.x > region.left &&
    y - wide.y < region.bottom &&
    y + height + wide.y > region.top
  );
}

function findWay({ starts: all, ends: allEnds, ...task }: Task): readonly Point[] | undefined {
  const { obstacles, distances } = task;
  const [starts, ends] = [all, allEnds].map((exits) =>
    exits.filter((exit) => isFree(stubOf(exit, distances), obstacles)),
  );
  if (starts === undefined || ends === undefined) return undefined;
  if (starts.length === 0 || ends.length === 0) return undefined;
  const grid = gridOf({ ...task, starts, ends });
  const nodeOf = (exit: Exit): number => nodeAt(grid, stubOf(exit, distances));
  const goals = new Map(ends.map((end) => [nodeOf(end), end]));
  const found = search(grid, new Map(starts.map((start) => [nodeOf(start), start])), goals);
  if (found === undefined) return undefined;
  const { start, path } = found;
  const end = goals.get(path.at(-1) ?? -1);
  if (end === undefined) return undefined;
  return withoutStraightPoints([start, ...path.map((node) => pointOf(grid, node)), end]);
}

function stubOf({ x, y, direction }: Exit, { stub }: Distances): Point {
  return { x: x + direction * stub, y };
}

function isFree({ x: pointX, y: pointY }: Point, obstacles: readonly Obstacle[]): boolean {
  return !obstacles.some(
    ({ x, y, width, height }) =>
      pointX > x && pointX < x + width && pointY > y && pointY < y + height,
  );
}

interface Grid {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** By node, whether the way to the next node on the right, or below, is behind a table. */
  readonly isBlocked: { readonly right: Uint8Array; readonly down: Uint8Array };
}

function gridOf({ obstacles, region, starts, ends, distances }: Task): Grid {
  const stubs = [...starts, ...ends].map((exit) => stubOf(exit, distances));
  const xs = sorted([
    ...stubs.map(({ x }) => x),
    ...obstacles
      .flatMap(({ x, width }) => [x - distances.x, x + width + distances.x])
      .filter((x) => x >= region.left && x <= region.right),
  ]);
  const ys = sorted([
    ...stubs.map(({ y }) => y),
    ...obstacles
      .flatMap(({ y, height }) => [y - distances.y, y + height + distances.y])
      .filter((y) => y >= region.top && y <= region.bottom),
  ]);
  const right = new Uint8Array(xs.length * ys.length);
  const down = new Uint8Array(xs.length * ys.length);
  for (const { x, y, width, height } of obstacles) {
    // A line at this distance is free.
    const [left, top] = [x - distances.x + 1, y - distances.y + 1];
    const [end, bottom] = [x + width + distances.x - 1, y + height + distances.y - 1];
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

/** `starts` and `goals` are by the node of their first corner. */
function search(
  grid: Grid,
  starts: ReadonlyMap<number, Exit>,
  goals: ReadonlyMap<number, Exit>,
): Found | undefined {
  const ends = [...goals.keys()].map((node) => pointOf(grid, node));
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
  for (const node of starts.keys()) add(2 * node + 1, 0, -1);
  for (let visited = 0; visited < maxVisited; visited++) {
    const step = pop(queue);
    if (step === undefined) return undefined;
    if (step.cost + 1 > (costs[step.state] ?? 0)) continue;
    // The last part of the line is horizontal.
    if (goals.has(step.state >> 1) && step.state % 2 === 1)
      return foundPath(step.state, previous, starts);
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

function foundPath(
  last: number,
  previous: Int32Array,
  starts: ReadonlyMap<number, Exit>,
): Found | undefined {
  const path: number[] = [];
  let state = last;
  for (let at = last; at !== -1; at = previous[at] ?? -1) {
    // At a corner, two states have the same node.
    if (path.at(-1) !== at >> 1) path.push(at >> 1);
    state = at;
  }
  const start = starts.get(state >> 1);
  return start === undefined ? undefined : { start, path: path.toReversed() };
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
