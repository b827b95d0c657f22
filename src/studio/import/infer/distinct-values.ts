/** Whether the values of columns are all different: exactly, in bounded memory, with runs of sorted values on disk. */
import { join } from 'node:path';
import { createRunFile, mergeRuns } from '../sorted-runs.ts';
import type { SortedRun } from '../sorted-runs.ts';

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

interface OpenColumn {
  inMemory: Set<string>;
  readonly runs: SortedRun[];
}

export function createValueStore(folder: string): ValueStore {
  const file = createRunFile(join(folder, 'distinct.values'));
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
        return isStrictlyAscending(mergeRuns(column.runs.map((run) => file.read(run))));
      },
      drop: () => {
        inMemory -= column.inMemory.size;
        columns.delete(column);
      },
    };
  };
  return { open, close: file.close };
}

function isStrictlyAscending(values: Iterable<string>): boolean {
  let before: string | undefined;
  for (const value of values) {
    if (value === before) return false;
    before = value;
  }
  return true;
}
