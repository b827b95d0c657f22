/**
 * Imports the rows of a file into their tables, all or nothing. After an error the studio still checks
 * the rest of the file, so that one response lists all errors.
 */
import { StudioError } from '../../model/errors.ts';
import { readableStructure } from '../core/complete-structure.ts';
import { detectImportKind } from './import-files.ts';
import { readImportOptions } from './import-options.ts';
import { createProblems, maxErrors } from './import-problems.ts';
import { readFileRows } from './import-readers.ts';
import { createImportTargets, writableTable } from './import-targets.ts';
import { loadRows } from '../load/load-rows.ts';
import { onlyFile } from './only-file.ts';
import type { LoadReport, RowChunk, RowError } from '../../model/load.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { JobContext, JobOutput, UploadedFile } from '../core/job.ts';
import type { ImportDataInput, ImportOptions } from './import-options.ts';
import type { ImportProblems } from './import-problems.ts';
import type { ImportFile } from './import-readers.ts';
import type { ImportTargets } from './import-targets.ts';

export interface ImportDataResponse {
  readonly message: string;
  /** Nothing was written. */
  readonly dry_run?: true;
  readonly rows_imported: number;
  readonly tables: Readonly<Record<string, TableCounts>>;
  /** The errors of skipped rows: the first hundred. */
  readonly errors?: readonly RowError[];
  readonly warnings: readonly string[];
}

interface TableCounts {
  readonly rows_imported: number;
  readonly rows_updated: number;
  readonly rows_skipped: number;
}

export async function importData(
  context: JobContext,
  input: ImportDataInput,
  output: JobOutput,
): Promise<ImportDataResponse> {
  const options = readImportOptions(input);
  const uploaded = onlyFile(input.upload, 'A data import');
  const kind = await detectImportKind(uploaded, { hasTable: options.table !== undefined });
  const file = { ...uploaded, name: uploaded.name === '' ? 'the input' : uploaded.name };
  const { schema } = await readableStructure(context.schemas);
  const progress = trackProgress(file, output);
  const importFile: ImportFile = { context, file, kind, options, onRead: progress.onRead };
  const tables = await findTablesBefore(importFile, schema);
  const run = startImport(importFile, schema);
  try {
    const report = await load(run, { tables, ...progress });
    return responseOf(run, report);
  } finally {
    await run.rows.return?.();
  }
}

interface ProgressTracker {
  onRead(this: void, bytes: number): void;
  /** Called with the number of rows that were read and are now waiting to be written. */
  onChunk(this: void, rows: number): void;
  onRows(this: void, table: string, rows: number): void;
}

/** Reports the bytes of written rows: the file is read ahead of them. */
function trackProgress(file: UploadedFile, output: JobOutput): ProgressTracker {
  const ahead: { readonly rows: number; readonly bytes: number }[] = [];
  let [bytesRead, rowsRead, bytes] = [0, 0, 0];
  return {
    onRead: (more) => {
      bytesRead += more;
    },
    onChunk: (more) => {
      rowsRead += more;
      ahead.push({ rows: rowsRead, bytes: Math.min(Math.round(bytesRead), file.bytes) });
    },
    onRows: (table, rows) => {
      for (let next = ahead[0]; next !== undefined && next.rows <= rows; next = ahead[0]) {
        bytes = next.bytes;
        ahead.shift();
      }
      output.progress({ bytes, total_bytes: file.bytes, rows, table });
    },
  };
}

/** One pass through the file. */
interface ImportRun {
  readonly file: UploadedFile;
  readonly options: ImportOptions;
  readonly context: JobContext;
  readonly problems: ImportProblems;
  readonly targets: ImportTargets;
  readonly rows: AsyncIterator<RowChunk, void, undefined>;
  /** What ended the reading before the file did. */
  readFailure: { readonly error: unknown } | undefined;
}

function startImport(importFile: ImportFile, schema: Schema): ImportRun {
  const { context, file, options } = importFile;
  const problems = createProblems();
  const reading = createImportTargets(schema, options, problems);
  const rows = readFileRows(importFile, reading);
  return { file, options, context, problems, targets: reading, rows, readFailure: undefined };
}

/** The tables of the file, if the request names the table or if they must be known before they are emptied. */
async function findTablesBefore(
  importFile: ImportFile,
  schema: Schema,
): Promise<readonly Table[] | undefined> {
  const { kind, options } = importFile;
  const isNamed = options.table !== undefined && (kind === 'csv' || kind === 'xlsx');
  if (isNamed) return [writableTable(schema, options.table)];
  return options.mode === 'replace' ? readTables(importFile, schema) : undefined;
}

/** Reads and checks the whole file to find its tables. */
async function readTables(importFile: ImportFile, schema: Schema): Promise<readonly Table[]> {
  const run = startImport({ ...importFile, onRead: () => undefined }, schema);
  await readToEnd(run);
  if (run.readFailure !== undefined || mustStop(run)) throw fileError(run, undefined);
  return [...run.targets.located];
}

function mustStop({ problems, options }: ImportRun): boolean {
  return problems.isFatal() || (options.onError === 'abort' && problems.errorCount() > 0);
}

/** Reads to the end of the file to find all its errors. */
async function readToEnd(run: ImportRun): Promise<void> {
  try {
    while (run.readFailure === undefined && (await run.rows.next()).done !== true);
  } catch (error) {
    run.readFailure = { error };
  }
}

class FileRejected extends Error {}

/** The rows until there is something wrong with the file; the reading itself stays open. */
async function* rowsUntilError(
  run: ImportRun,
  onChunk: LoadOfFile['onChunk'],
): AsyncGenerator<RowChunk, void, undefined> {
  for (;;) {
    const next = await nextRows(run);
    if (mustStop(run)) throw new FileRejected();
    if (next === undefined) return;
    onChunk(next.rows.length);
    yield next;
  }
}

async function nextRows(run: ImportRun): Promise<RowChunk | undefined> {
  try {
    const { value, done } = await run.rows.next();
    return done === true ? undefined : value;
  } catch (error) {
    run.readFailure = { error };
    throw error;
  }
}

interface LoadOfFile {
  readonly tables: readonly Table[] | undefined;
  readonly onRows: (table: string, rows: number) => void;
  readonly onChunk: (rows: number) => void;
}

async function load(run: ImportRun, { tables, onRows, onChunk }: LoadOfFile): Promise<LoadReport> {
  const { context, options, problems } = run;
  const { onConflict, conflictColumns, onError, mode, dryRun } = options;
  try {
    return await loadRows(
      context,
      { tables, chunks: rowsUntilError(run, onChunk) },
      {
        onConflict,
        ...(conflictColumns === undefined ? {} : { conflictColumns }),
        onError,
        mode,
        dryRun,
        onProgress: onRows,
        onRowError: problems.reportFromDatabase,
      },
    );
  } catch (error) {
    if (!isAboutFile(error)) throw error;
    await readToEnd(run);
    throw fileError(run, error);
  }
}

/** Whether an error is about the rows or the file. A lost connection, for example, is not. */
function isAboutFile(error: unknown): boolean {
  if (error instanceof FileRejected) return true;
  return error instanceof StudioError && /^(?:import|parse)_failed$/.test(error.code);
}

/** Combines all errors of the file in one. */
function fileError(run: ImportRun, thrown: unknown): Error {
  const { problems, readFailure: ended } = run;
  if (ended !== undefined && !isAboutFile(ended.error)) return ended.error as Error;
  const reader = ended?.error instanceof StudioError ? ended.error : undefined;
  const last = reader ?? (problems.errorCount() === 0 ? asStudioError(thrown) : undefined);
  const found = [...problems.errors(), ...(last === undefined ? [] : rowErrorsOf(last))];
  const errors = inFileOrder(found);
  const count = problems.errorCount() + (last === undefined ? 0 : 1);
  const code = count === 1 && reader?.code === 'parse_failed' ? 'parse_failed' : 'import_failed';
  const { line, column } = reader?.details ?? {};
  return new StudioError(code, sentence(run, errors, count), {
    errors: errors.slice(0, maxErrors),
    ...(code === 'parse_failed' ? { line, column } : {}),
  });
}

/** Sorts by line, because errors that only the database detects are reported late. */
function inFileOrder<E extends AnyError>(errors: readonly E[]): readonly E[] {
  return errors.toSorted((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity) || 0);
}

function asStudioError(error: unknown): StudioError | undefined {
  return error instanceof StudioError ? error : undefined;
}

type AnyError = Omit<RowError, 'table'> & { readonly table?: string };

/** The errors in the details of an error, or the error itself. */
function rowErrorsOf({ code, message, details }: StudioError): readonly AnyError[] {
  const listed = details['errors'] as readonly AnyError[] | undefined;
  const line = typeof details['line'] === 'number' ? { line: details['line'] } : {};
  return listed ?? [{ code, message, ...line }];
}

function sentence({ file }: ImportRun, errors: readonly AnyError[], count: number): string {
  const [first] = errors;
  if (first === undefined) return `${file.name} cannot be imported.`;
  const more = count === 1 ? '' : ` (and ${count - 1} more)`;
  return `Nothing of ${file.name} was imported: ${locationOf(first)}${first.message}${more}`;
}

/** Messages of errors without a table already name their line. */
function locationOf({ table, row, line }: Partial<RowError>): string {
  if (table === undefined) return '';
  const parts = [
    `table "${table}"`,
    ...(row === undefined ? [] : [`row ${row}`]),
    ...(line === undefined ? [] : [`line ${line}`]),
  ];
  return `${parts.join(', ')}: `;
}

function responseOf(
  { options, problems, targets: reading }: ImportRun,
  report: LoadReport,
): ImportDataResponse {
  const names = new Set([...[...reading.located].map(({ name }) => name), ...report.tables.keys()]);
  const tables = [...names].map((name): [string, TableCounts] => [
    name,
    countsOf(report.tables.get(name), problems.rejectedRows().get(name) ?? 0),
  ]);
  return {
    message: 'imported',
    ...(options.dryRun ? { dry_run: true } : {}),
    rows_imported: tables.reduce((sum, [, counts]) => sum + counts.rows_imported, 0),
    tables: Object.fromEntries(tables),
    ...(problems.errorCount() === 0 ? {} : { errors: inFileOrder(problems.errors()) }),
    warnings: [...leftOutWarnings(problems), ...problems.warnings(), ...report.warnings],
  };
}

type LoadedTable = LoadReport['tables'] extends ReadonlyMap<string, infer T> ? T : never;

function countsOf(loaded: LoadedTable | undefined, refused: number): TableCounts {
  return {
    rows_imported: loaded?.rowsImported ?? 0,
    rows_updated: loaded?.rowsUpdated ?? 0,
    rows_skipped: (loaded?.rowsSkipped ?? 0) + refused,
  };
}

function leftOutWarnings(problems: ImportProblems): readonly string[] {
  const count = problems.errorCount();
  const note = count > maxErrors ? `; errors lists the first ${maxErrors}` : '';
  if (count === 0) return [];
  return [`Rows were left out for ${count === 1 ? 'an error' : `${count} errors`}${note}.`];
}
