/**
 * Rows without any value, which spreadsheet programs write at the end of a file. They are held back until another
 * row follows, and left out if none does.
 */
import type { Warning } from '../row-import.ts';

export interface BlankRows {
  /** Rows on consecutive lines. */
  readonly runs: { line: number; count: number }[];
}

/** Empty lines between the rows begin a run. A file has few of them, unless it is made to fill the memory. */
const maxRuns = 1000;

function followsLast({ runs }: BlankRows, line: number): boolean {
  const last = runs.at(-1);
  return last !== undefined && last.line + last.count === line;
}

export function canHold(rows: BlankRows, line: number): boolean {
  return rows.runs.length < maxRuns || followsLast(rows, line);
}

export function hold(rows: BlankRows, line: number): void {
  const { runs } = rows;
  if (followsLast(rows, line)) runs.at(-1)!.count++;
  else runs.push({ line, count: 1 });
}

export function isHolding({ runs }: BlankRows): boolean {
  return runs.length > 0;
}

/** Releases the first row. Returns its line. */
export function release({ runs }: BlankRows): number {
  const first = runs[0]!;
  if (--first.count === 0) runs.shift();
  return first.line++;
}

export function leftOutWarning(name: string, { runs }: BlankRows): Warning {
  const count = runs.reduce((sum, run) => sum + run.count, 0);
  const { line } = runs[0]!;
  return () =>
    count === 1
      ? `${name}: the last row, in line ${line}, has no values and was left out.`
      : `${name}: the last ${count} rows, from line ${line} on, have no values and were left out.`;
}
