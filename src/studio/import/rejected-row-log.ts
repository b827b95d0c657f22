/** Which rows of a file were rejected, and why: in bounded memory, in the order of the file. */
import { join } from 'node:path';
import { replaceParameters } from '../../model/parameter-words.ts';
import { importParameters } from './import-options.ts';
import { createRunFile, mergeRuns } from './sorted-runs.ts';
import type { ErrorInFile } from '../../model/load.ts';
import type { SortedRun } from './sorted-runs.ts';

/** Identifies a row of the file. */
export interface RowPosition {
  /** What the position counts in: a sheet, or a table of a JSON document. Empty: the whole file. */
  readonly part: string;
  /** Increases from row to row of the part. */
  readonly position: number;
}

export interface RejectedRowLog {
  add(this: void, error: ErrorInFile): void;
  /** The number of errors without a position: rows in a cycle of foreign keys are known by their key only. */
  countOfUnlocated(): number;
  /** The rows so far. */
  rows(): RejectedRows;
  close(): void;
}

export interface RejectedRows {
  isAtEnd(): boolean;
  /** Why the row was rejected; undefined if it was not. Called for the rows of each part in order. */
  reasonOf(row: RowPosition): string | undefined;
}

interface RejectedRow {
  readonly position: number;
  readonly reason: string;
}

interface Part {
  inMemory: Set<string>;
  readonly runs: SortedRun[];
}

/** The number of errors that are held in memory. */
const maxInMemory = 20_000;
const digits = 16;

/** `positionOf` returns undefined for an error without a position. */
export function createRejectedRowLog(
  folder: string,
  positionOf: (error: ErrorInFile) => RowPosition | undefined,
): RejectedRowLog {
  const file = createRunFile(join(folder, 'rejected.rows'));
  const parts = new Map<string, Part>();
  let inMemory = 0;
  let unlocated = 0;
  const writeAll = (): void => {
    for (const part of parts.values()) {
      if (part.inMemory.size > 0) part.runs.push(file.write(part.inMemory));
      part.inMemory = new Set();
    }
    inMemory = 0;
  };
  return {
    add: (error) => {
      const row = positionOf(error);
      if (row === undefined) return void unlocated++;
      const { column, message } = error;
      const why = withoutParameters(message);
      const reason = column === undefined ? why : `${column}: ${why}`;
      const part = parts.get(row.part) ?? { inMemory: new Set(), runs: [] };
      parts.set(row.part, part);
      part.inMemory.add(`${String(row.position).padStart(digits, '0')}${asciiJson(reason)}`);
      if (++inMemory >= maxInMemory) writeAll();
    },
    countOfUnlocated: () => unlocated,
    rows: () => {
      writeAll();
      const read = ({ runs }: Part): Iterator<RejectedRow, undefined> =>
        groupByRow(mergeRuns(runs.map((run) => file.read(run))));
      return openRows(new Map([...parts].map(([name, part]) => [name, read(part)])));
    },
    close: file.close,
  };
}

function openRows(parts: ReadonlyMap<string, Iterator<RejectedRow, undefined>>): RejectedRows {
  const next = new Map<string, RejectedRow>();
  const advance = (part: string): void => {
    const row = parts.get(part)?.next().value;
    if (row === undefined) next.delete(part);
    else next.set(part, row);
  };
  for (const part of parts.keys()) advance(part);
  return {
    isAtEnd: () => next.size === 0,
    reasonOf: ({ part, position }) => {
      const row = next.get(part);
      if (row?.position !== position) return undefined;
      advance(part);
      return row.reason;
    },
  };
}

function* groupByRow(lines: Iterable<string>): Generator<RejectedRow, undefined> {
  let current: RejectedRow | undefined;
  for (const line of lines) {
    const position = Number(line.slice(0, digits));
    const reason = JSON.parse(line.slice(digits)) as string;
    if (current?.position === position)
      current = { position, reason: `${current.reason} ${reason}` };
    else {
      if (current !== undefined) yield current;
      current = { position, reason };
    }
  }
  if (current !== undefined) yield current;
  return undefined;
}

/** Leaves out sentences about parameters: whoever mends the file may have sent it from a page or the command line. */
function withoutParameters(message: string): string {
  const [reason = '', ...advice] = message.split(/(?<=\.) (?=[A-Z])/);
  const ofFile = advice.filter(
    (sentence) => replaceParameters(sentence, importParameters, () => '') === sentence,
  );
  return [reason, ...ofFile].join(' ');
}

/** Runs have lines of ASCII. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
