/** Which rows of a file were rejected, and why: in bounded memory, in the order of the file. */
import { join } from 'node:path';
import { createRunFile, mergeRuns } from './sorted-runs.ts';
import type { UnlocatedError } from '../../model/load.ts';
import type { SortedRun } from './sorted-runs.ts';

export interface RejectedRowLog {
  add(this: void, error: UnlocatedError): void;
  /** Rows of a cycle of foreign keys are known by their key only. */
  countOfUnlocated(): number;
  rows(): Iterator<RejectedRow, undefined>;
  close(): void;
}

export interface RejectedRow {
  readonly row: number;
  readonly reason: string;
}

/** The number of errors that are held in memory. */
const maxInMemory = 20_000;
const digits = 16;

export function createRejectedRowLog(folder: string): RejectedRowLog {
  const file = createRunFile(join(folder, 'rejected.rows'));
  const runs: SortedRun[] = [];
  let inMemory = new Set<string>();
  let unlocated = 0;
  const writeAll = (): void => {
    if (inMemory.size > 0) runs.push(file.write(inMemory));
    inMemory = new Set();
  };
  return {
    add: ({ row, column, message }) => {
      if (row === undefined) return void unlocated++;
      const reason = column === undefined ? message : `${column}: ${message}`;
      inMemory.add(`${String(row).padStart(digits, '0')}${asciiJson(reason)}`);
      if (inMemory.size >= maxInMemory) writeAll();
    },
    countOfUnlocated: () => unlocated,
    rows: () => {
      writeAll();
      return groupByRow(mergeRuns(runs.map((run) => file.read(run))));
    },
    close: file.close,
  };
}

function* groupByRow(lines: Iterable<string>): Generator<RejectedRow, undefined> {
  let current: RejectedRow | undefined;
  for (const line of lines) {
    const row = Number(line.slice(0, digits));
    const reason = JSON.parse(line.slice(digits)) as string;
    if (current?.row === row) current = { row, reason: `${current.reason} ${reason}` };
    else {
      if (current !== undefined) yield current;
      current = { row, reason };
    }
  }
  if (current !== undefined) yield current;
  return undefined;
}

/** Runs have lines of ASCII. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
