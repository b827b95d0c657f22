/** Where in the file the rows of a table come from, by their row numbers in the database. */
export interface RowPlaces {
  add(rowId: number, place: Place): void;
  find(rowId: number): Place | undefined;
}

export interface Place {
  readonly row: number;
  readonly line?: number;
}

/** Rows whose numbers and places all go up by one. */
interface Run extends Place {
  readonly rowId: number;
  count: number;
}

/** Enough for any file whose keys are not all over the place; what comes after is not known. */
const mostRuns = 2_000_000;

export function createRowPlaces(): RowPlaces {
  const runs: Run[] = [];
  return {
    add: (rowId, place) => {
      const last = runs.at(-1);
      if (last !== undefined && continues(last, rowId, place)) last.count++;
      else if (runs.length < mostRuns) runs.push({ ...place, rowId, count: 1 });
    },
    find: (rowId) => {
      const run = runs.findLast((each) => rowId >= each.rowId && rowId < each.rowId + each.count);
      if (run === undefined) return undefined;
      const ahead = rowId - run.rowId;
      const row = run.row + ahead;
      return run.line === undefined ? { row } : { row, line: run.line + ahead };
    },
  };
}

function continues({ rowId, row, line, count }: Run, nextId: number, next: Place): boolean {
  if (nextId !== rowId + count || next.row !== row + count) return false;
  return line === undefined ? next.line === undefined : next.line === line + count;
}
