/** Whether the values of columns are all different: exactly, in bounded memory, with runs of sorted values on disk. */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The values of all columns together: they share the memory, and a file for what does not fit. */
export interface ValueStore {
  /** Adds a column. */
  open(): DistinctValues;
  close(): void;
}

export interface DistinctValues {
  /** The value must not contain a line break. Returns false if it is known to have occurred before. */
  add(value: string): boolean;
  /** Whether no value occurred twice. */
  areDistinct(): boolean;
  /** Discards the values. */
  drop(): void;
}

/** The number of values that are held in memory. */
const maxInMemory = 100_000;

/** A run of sorted values in the file, each with a line break. */
interface Run {
  readonly start: number;
  readonly bytes: number;
}

interface OpenColumn {
  inMemory: Set<string>;
  readonly runs: Run[];
}

interface ValueFile {
  write(values: ReadonlySet<string>): Run;
  read(run: Run): Generator<string>;
  close(): void;
}

export function createValueStore(folder: string): ValueStore {
  const file = createValueFile(join(folder, 'distinct.values'));
  const columns = new Set<OpenColumn>();
  let inMemory = 0;
  const writeAll = (): void => {
    for (const column of columns)
      if (column.inMemory.size > 0) {
        column.runs.push(file.write(column.inMemory));
        column.inMemory = new Set();
      }
    inMemory = 0;
  };
  const open = (): DistinctValues => {
    const column: OpenColumn = { inMemory: new Set(), runs: [] };
    columns.add(column);
    return {
      add: (value) => {
        if (column.inMemory.size === column.inMemory.add(value).size) return false;
        if (++inMemory >= maxInMemory) writeAll();
        return true;
      },
      areDistinct: () => {
        if (column.runs.length === 0) return true;
        writeAll();
        return isStrictlyAscending(merge(column.runs.map((run) => file.read(run))));
      },
      drop: () => {
        inMemory -= column.inMemory.size;
        columns.delete(column);
      },
    };
  };
  return { open, close: file.close };
}

/** A file that is created with the first run and removed in the end. */
function createValueFile(path: string): ValueFile {
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
