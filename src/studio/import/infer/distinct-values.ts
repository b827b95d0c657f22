/** Whether the values of a column are all different: exactly, in bounded memory, with runs of sorted values on disk. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface DistinctValues {
  /** The value must not contain a line break. Returns false if it is known to have occurred before. */
  add(value: string): boolean;
  /** Whether no value occurred twice. */
  areDistinct(): boolean;
  close(): void;
}

/** The number of values that are held in memory. */
const runLength = 50_000;

/** A run of sorted values in the file, each with a line break. */
interface Run {
  readonly start: number;
  readonly bytes: number;
}

/** `name` must be unique among the files of the folder. */
export function createDistinctValues(folder: string, name: string): DistinctValues {
  let current = new Set<string>();
  const runs: Run[] = [];
  let fd: number | undefined;
  let size = 0;
  const flush = (): void => {
    fd ??= openSync(join(folder, `${name}.values`), 'wx+', 0o600);
    const bytes = Buffer.from(`${[...current].toSorted(byBytes).join('\n')}\n`);
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    runs.push({ start: size, bytes: bytes.length });
    size += bytes.length;
    current = new Set();
  };
  return {
    add: (value) => {
      if (current.size === current.add(value).size) return false;
      if (current.size >= runLength) flush();
      return true;
    },
    areDistinct: () => {
      if (runs.length === 0) return true;
      if (current.size > 0) flush();
      return fd === undefined || isStrictlyAscending(merge(runs.map((run) => valuesOf(fd!, run))));
    },
    close: () => {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const chunkBytes = 16 * 1024;

function* valuesOf(fd: number, { start, bytes }: Run): Generator<string> {
  let rest = '';
  for (let at = 0; at < bytes;) {
    const chunk = Buffer.alloc(Math.min(chunkBytes, bytes - at));
    at += readSync(fd, chunk, 0, chunk.length, start + at);
    // Values are ASCII, so a chunk never ends within a character.
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

interface Head {
  value: string;
  readonly values: Iterator<string>;
}

/** Merges ascending values, with a binary heap of the next value of each source. */
function* merge(sources: readonly Iterator<string>[]): Generator<string> {
  const heap: Head[] = [];
  for (const values of sources) {
    const first = values.next();
    if (first.done !== true) siftUp(heap, heap.push({ value: first.value, values }) - 1);
  }
  for (let top = heap[0]; top !== undefined; top = heap[0]) {
    yield top.value;
    const next = top.values.next();
    if (next.done !== true) top.value = next.value;
    else {
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) heap[0] = last;
    }
    siftDown(heap);
  }
}

function siftUp(heap: Head[], from: number): void {
  for (let at = from; at > 0;) {
    const parent = (at - 1) >> 1;
    if (heap[parent]!.value <= heap[at]!.value) return;
    [heap[parent], heap[at]] = [heap[at]!, heap[parent]!];
    at = parent;
  }
}

function siftDown(heap: Head[]): void {
  for (let at = 0; ;) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    let least = at;
    if (left < heap.length && heap[left]!.value < heap[least]!.value) least = left;
    if (right < heap.length && heap[right]!.value < heap[least]!.value) least = right;
    if (least === at) return;
    [heap[least], heap[at]] = [heap[at]!, heap[least]!];
    at = least;
  }
}

function isStrictlyAscending(values: Iterable<string>): boolean {
  let before: string | undefined;
  for (const value of values) {
    if (value === before) return false;
    before = value;
  }
  return true;
}
