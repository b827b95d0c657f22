/** Runs of sorted lines on disk, and their merge, in bounded memory. */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

/** A run of sorted values in the file, each with a line break. */
export interface SortedRun {
  readonly start: number;
  readonly bytes: number;
}

interface RunFile {
  write(values: ReadonlySet<string>): SortedRun;
  read(run: SortedRun): Generator<string>;
  close(): void;
}

/** A file that is created with the first run and removed in the end. */
export function createRunFile(path: string): RunFile {
  let fd: number | undefined;
  let size = 0;
  return {
    write: (values) => {
      fd ??= openSync(path, 'wx+', 0o600);
      const bytes = Buffer.from(`${[...values].toSorted(byBytes).join('\n')}\n`);
      const start = size;
      for (let at = 0; at < bytes.length;)
        at += writeSync(fd, bytes, at, bytes.length - at, start + at);
      size += bytes.length;
      return { start, bytes: bytes.length };
    },
    read: (run) => valuesOf(fd!, run),
    close: () => {
      if (fd === undefined) return;
      closeSync(fd);
      rmSync(path, { force: true });
      fd = undefined;
    },
  };
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const chunkBytes = 16 * 1024;

function* valuesOf(fd: number, { start, bytes }: SortedRun): Generator<string> {
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
export function* mergeRuns(sources: readonly Iterator<string>[]): Generator<string> {
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
