import { createRowErrorList } from '../../model/row-errors.ts';
import type { InsertCounts } from '../../model/load-dialect.ts';
import type { LoadReport, RowError } from '../../model/load.ts';
import type { Table } from '../../model/schema.ts';

/** Counts what has happened to the rows so far. */
export interface Tally {
  /** Rows of a statement that succeeded. */
  wrote(table: Table, rows: number, counts: InsertCounts): void;
  /** Rows that a trigger or rule kept from being inserted, without an error. */
  suppressed(table: Table, rows: number): void;
  hasSuppressed(table: Table): boolean;
  /** Rows that were deleted before the load, to be replaced. */
  deleted(table: Table, rows: number): void;
  /** A row that is skipped because of an error. */
  rejected(table: Table, row: RejectedRow): void;
  warn(sentence: string): void;
  /** A sentence about a counter that the rollback does not set back. */
  addCounterWarning(sentence: string): void;
  /** Rows of all tables. */
  total(): number;
  report(): LoadReport;
}

interface RejectedRow {
  readonly errors: readonly RowError[];
  /** The row was inserted before and counts as imported so far. */
  readonly wasInserted: boolean;
}

interface Counts {
  rowsImported: number;
  rowsUpdated: number;
  rowsSkipped: number;
}

export function createTally(tables: readonly Table[]): Tally {
  const counts = new Map<string, Counts>(tables.map(({ name }) => [name, noRows()]));
  const suppressed = new Map<string, number>();
  const deletedRows = new Map<string, number>();
  const warnings = new Set<string>();
  const counterWarnings: string[] = [];
  const rowErrors = createRowErrorList();
  let total = 0;
  const of = ({ name }: Table): Counts => {
    const tableCounts = counts.get(name) ?? noRows();
    counts.set(name, tableCounts);
    return tableCounts;
  };
  return {
    wrote: (table, rows, { inserted, updated }) => {
      const sums = of(table);
      sums.rowsImported += inserted;
      sums.rowsUpdated += updated;
      sums.rowsSkipped += rows - inserted - updated;
      total += rows;
    },
    hasSuppressed: ({ name }) => suppressed.has(name),
    suppressed: ({ name }, rows) => void suppressed.set(name, (suppressed.get(name) ?? 0) + rows),
    deleted: ({ name }, rows) => void deletedRows.set(name, rows),
    rejected: (table, { errors, wasInserted }) => {
      rowErrors.addRow(errors);
      of(table).rowsSkipped += 1;
      if (wasInserted) of(table).rowsImported -= 1;
      else total += 1;
    },
    warn: (sentence) => void warnings.add(sentence),
    addCounterWarning: (sentence) => void counterWarnings.push(sentence),
    total: () => total,
    report: () => ({
      tables: counts,
      warnings: [
        ...warnings,
        ...[...suppressed].map(suppressedWarning),
        ...[...deletedRows]
          .filter(([name, rows]) => rows > 0 && (counts.get(name)?.rowsImported ?? 0) === 0)
          .map(deletedWarning),
      ],
      rowErrors: rowErrors.all(),
      counterWarnings,
    }),
  };
}

export interface HeldTally extends Tally {
  /** Passes on what was counted. */
  release(this: void): void;
}

/** Counts what may still be undone. */
export function holdTally(tally: Tally): HeldTally {
  const calls: (() => void)[] = [];
  const suppressedNames = new Set<string>();
  let total = 0;
  return {
    ...tally,
    wrote: (table, rows, counts) => {
      total += rows;
      calls.push(() => tally.wrote(table, rows, counts));
    },
    hasSuppressed: (table) => suppressedNames.has(table.name) || tally.hasSuppressed(table),
    suppressed: (table, rows) => {
      suppressedNames.add(table.name);
      calls.push(() => tally.suppressed(table, rows));
    },
    rejected: (table, row) => {
      if (!row.wasInserted) total += 1;
      calls.push(() => tally.rejected(table, row));
    },
    total: () => tally.total() + total,
    release: () => {
      for (const call of calls) call();
    },
  };
}

function noRows(): Counts {
  return { rowsImported: 0, rowsUpdated: 0, rowsSkipped: 0 };
}

function suppressedWarning([table, rows]: readonly [table: string, rows: number]): string {
  const rowsText = rows === 1 ? 'a row' : `${rows} rows`;
  return `A trigger or rule of table "${table}" kept ${rowsText} from being written.`;
}

/** Of a table that is empty after the load. */
function deletedWarning([table, rows]: readonly [table: string, rows: number]): string {
  return `mode=replace deletes ${rows === 1 ? 'the only row' : `all ${rows} rows`} of table "${table}", and no row of the file replaces ${rows === 1 ? 'it' : 'them'}.`;
}
