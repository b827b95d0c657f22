/** The rows of the imported file that the rows of a table come from, by rowid. */
export interface RowOrigins {
  add(rowId: number, origin: RowOrigin): void;
  find(rowId: number): RowOrigin | undefined;
  /** Ranges of consecutive rowids. */
  runs(): readonly Range[];
  /** Whether there are rowids that are not safe integers; their origins are not stored. */
  hasUnsafe(): boolean;
  /** From the lowest rowid to the highest, including rows whose origins are not stored. */
  bounds(): Range;
}

export interface Range {
  readonly first: number;
  readonly last: number;
}

export interface RowOrigin {
  readonly row: number;
  readonly line?: number;
}

/** Rows whose rowids and origins are both consecutive. */
interface Run extends RowOrigin {
  readonly rowId: number;
  count: number;
}

/** Limits memory when keys are in random order. Origins of later rows are not stored. */
const maxRuns = 2_000_000;

export function createRowOrigins(): RowOrigins {
  const runs: Run[] = [];
  let index = indexRuns([]);
  const findRun = (rowId: number): Run | undefined => {
    // The last run may still grow, so it is never in the index.
    if (runs.length - 1 - index.size > maxUnindexedRuns) index = indexRuns(runs.slice(0, -1));
    for (let i = runs.length - 1; i >= index.size; i--) {
      const run = runs[i];
      if (run !== undefined && contains(run, rowId)) return run;
    }
    return index.find(rowId);
  };
  let [lowest, highest, hasUnsafe] = [Infinity, -Infinity, false];
  return {
    add: (rowId, origin) => {
      if (!Number.isSafeInteger(rowId)) {
        hasUnsafe = true;
        return;
      }
      lowest = Math.min(lowest, rowId);
      highest = Math.max(highest, rowId);
      const last = runs.at(-1);
      if (last !== undefined && continues(last, rowId, origin)) last.count++;
      else if (runs.length < maxRuns) runs.push({ ...origin, rowId, count: 1 });
    },
    find: (rowId) => {
      const run = findRun(rowId);
      if (run === undefined) return undefined;
      const distance = rowId - run.rowId;
      const row = run.row + distance;
      return run.line === undefined ? { row } : { row, line: run.line + distance };
    },
    runs: () => runs.map(({ rowId, count }) => ({ first: rowId, last: rowId + count - 1 })),
    hasUnsafe: () => hasUnsafe,
    bounds: () => ({ first: lowest, last: highest }),
  };
}

function continues({ rowId, row, line, count }: Run, nextId: number, next: RowOrigin): boolean {
  if (nextId !== rowId + count || next.row !== row + count) return false;
  return line === undefined ? next.line === undefined : next.line === line + count;
}

function contains({ rowId: first, count }: Run, rowId: number): boolean {
  return rowId >= first && rowId < first + count;
}

const maxUnindexedRuns = 1000;

interface RunIndex {
  readonly size: number;
  /** The latest run that has the row. */
  find(rowId: number): Run | undefined;
}

/** Runs overlap if a row was written twice. */
function indexRuns(runs: readonly Run[]): RunIndex {
  const order = runs.map((_, i) => i).toSorted((a, b) => firstOf(runs[a]) - firstOf(runs[b]));
  const ends: number[] = [];
  for (const i of order) {
    const { rowId, count } = runs[i] ?? { rowId: 0, count: 0 };
    ends.push(Math.max(ends.at(-1) ?? -Infinity, rowId + count));
  }
  return {
    size: runs.length,
    find: (rowId) => {
      let latest = -1;
      for (let at = lastUpTo(runs, order, rowId); at >= 0 && (ends[at] ?? 0) > rowId; at--) {
        const i = order[at] ?? 0;
        const run = runs[i];
        if (run !== undefined && contains(run, rowId)) latest = Math.max(latest, i);
      }
      return runs[latest];
    },
  };
}

function firstOf(run: Run | undefined): number {
  return run?.rowId ?? 0;
}

/** The position in `order` of the last run that begins at or before the rowid. */
function lastUpTo(runs: readonly Run[], order: readonly number[], rowId: number): number {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (firstOf(runs[order[middle] ?? 0]) <= rowId) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
