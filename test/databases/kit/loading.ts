/** Loads rows without a file format, on a connection of its own, like the process of an import. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext } from '../../../src/studio/core/create-context.ts';
import { loadRows } from '../../../src/studio/load/load-rows.ts';
import type { LoadOptions, LoadReport, RowChunk, ErrorInFile } from '../../../src/model/load.ts';
import type { Table } from '../../../src/model/schema.ts';
import type { Value } from '../../../src/model/values.ts';
import type { Harness, JsonRow } from './harness.ts';
import { openDatabase } from '../registered-databases.ts';

export type ValueRow = Readonly<Record<string, Value>>;
/** A batch of a file: rows of one table, all with the columns of the first. */
export type FileRows = readonly [table: string, rows: readonly ValueRow[]];

export interface LoadResult {
  readonly report: LoadReport;
  /** The errors of rows that were skipped. */
  readonly errors: readonly ErrorInFile[];
}

export interface LoadTestOptions extends Partial<LoadOptions> {
  /** Whether the tables of the file are known before it is read; true by default. */
  readonly tablesAreKnown?: boolean;
  /** Called before each batch is read. */
  readonly onChunk?: (index: number) => void;
}

const defaults = {
  onConflict: 'error',
  onError: 'abort',
  mode: 'append',
  dryRun: false,
} as const;

/** Throws the error of a load that failed. The first row of the file is in line 2, as in a CSV file with a header. */
export async function load(
  url: string,
  file: readonly FileRows[],
  { tablesAreKnown = true, onChunk, ...options }: LoadTestOptions = {},
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-load-'));
  const database = await openDatabase({ url, readOnly: false, create: false });
  try {
    const context = createContext(database, {
      readOnly: false,
      disableSql: false,
      allowDdl: false,
    });
    const { schema } = await context.schemas.current();
    const tableOf = (name: string): Table => schema.tables.find((table) => table.name === name)!;
    const tables = [...new Set(file.map(([name]) => name))].map(tableOf);
    const outcome = await loadRows(
      { ...context, folder },
      { tables: tablesAreKnown ? tables : undefined, batches: chunksOf(file, tableOf, onChunk) },
      { ...defaults, ...options },
    );
    if (outcome.kind !== 'loaded') throw outcome.error;
    return { report: outcome.report, errors: outcome.report.rowErrors.first };
  } finally {
    await database.close();
    lastSpooled = readdirSync(folder).length;
    rmSync(folder, { recursive: true });
  }
}

let lastSpooled = 0;

/** The number of tables whose rows were deferred to disk in the last load. */
export function countSpooledTables(): number {
  return lastSpooled;
}

const linesAhead = 1;

async function* chunksOf(
  file: readonly FileRows[],
  tableOf: (name: string) => Table,
  onChunk: ((index: number) => void) | undefined,
): AsyncGenerator<RowChunk> {
  const rowsBefore = new Map<string, number>();
  for (const [index, [name, rows]] of file.entries()) {
    onChunk?.(index);
    const table = tableOf(name);
    const names = Object.keys(rows[0] ?? {});
    const columns = names.map((column) => table.columns.find((each) => each.name === column)!);
    const before = rowsBefore.get(name) ?? 0;
    rowsBefore.set(name, before + rows.length);
    yield {
      table,
      columns,
      rows: rows.map((row) => names.map((column) => row[column] ?? null)),
      firstRow: before + 1,
      lines: rows.map((_, i) => before + i + 1 + linesAhead),
    };
  }
}

/** The stored rows, by default in the order of `id`. */
export async function storedRows(
  harness: Harness,
  table: string,
  sort = 'id',
): Promise<readonly JsonRow[]> {
  const query = { pageSize: 500, sort: [{ column: sort, descending: false }] };
  return (await harness.list(table, query)).data;
}

export function withoutId({ id: _id, ...row }: JsonRow): JsonRow {
  return row;
}

/** The counts of a table: inserted, updated, skipped. */
export function countsOf({ report }: LoadResult, table: string): readonly [number, number, number] {
  const counts = report.tables.get(table);
  if (counts === undefined) throw new Error(`The report has no table ${table}.`);
  return [counts.rowsImported, counts.rowsUpdated, counts.rowsSkipped];
}

export function rowsOf(count: number, rowAt: (i: number) => ValueRow): readonly ValueRow[] {
  return Array.from({ length: count }, (_, i) => rowAt(i + 1));
}
