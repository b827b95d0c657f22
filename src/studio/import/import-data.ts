/**
 * Rows of a file into the tables they belong to, all or nothing. The studio's own checks go on to
 * the file's end when an error is found, so that one answer tells of all.
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
  /** Nothing of it was kept. */
  readonly dry_run?: true;
  readonly rows_imported: number;
  readonly tables: Readonly<Record<string, TableCounts>>;
  /** Why rows were left out; the first hundred. */
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
  const work = startImport(importFile, schema);
  try {
    const report = await load(work, { tables, ...progress });
    return responseOf(work, report);
  } finally {
    await work.rows.return?.();
  }
}

interface ProgressTracker {
  onRead(this: void, bytes: number): void;
  /** So many rows more have been read, and are on their way. */
  onChunk(this: void, rows: number): void;
  onRows(this: void, table: string, rows: number): void;
}

/** Bytes are those of rows that are written: the file is read ahead of them. */
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

/** One reading of the file. */
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

/** The tables of a file where they are known, or must be: before they are emptied. */
async function findTablesBefore(
  importFile: ImportFile,
  schema: Schema,
): Promise<readonly Table[] | undefined> {
  const { kind, options } = importFile;
  const isNamed = options.table !== undefined && (kind === 'csv' || kind === 'xlsx');
  if (isNamed) return [writableTable(schema, options.table)];
  return options.mode === 'replace' ? readTables(importFile, schema) : undefined;
}

/** A whole reading, checks and all. */
async function readTables(importFile: ImportFile, schema: Schema): Promise<readonly Table[]> {
  const work = startImport({ ...importFile, onRead: () => undefined }, schema);
  await readToEnd(work);
  if (work.readFailure !== undefined || mustStop(work)) throw fileError(work, undefined);
  return [...work.targets.located];
}

function mustStop({ problems, options }: ImportRun): boolean {
  return problems.isFatal() || (options.onError === 'abort' && problems.errorCount() > 0);
}

/** Reads to the file's end for the errors that are in it. */
async function readToEnd(work: ImportRun): Promise<void> {
  try {
    while (work.readFailure === undefined && (await work.rows.next()).done !== true);
  } catch (error) {
    work.readFailure = { error };
  }
}

class FileRejected extends Error {}

/** The rows until there is something wrong with the file; the reading itself stays open. */
async function* rowsUntilError(
  work: ImportRun,
  onChunk: LoadOfFile['onChunk'],
): AsyncGenerator<RowChunk, void, undefined> {
  for (;;) {
    const next = await nextRows(work);
    if (mustStop(work)) throw new FileRejected();
    if (next === undefined) return;
    onChunk(next.rows.length);
    yield next;
  }
}

async function nextRows(work: ImportRun): Promise<RowChunk | undefined> {
  try {
    const { value, done } = await work.rows.next();
    return done === true ? undefined : value;
  } catch (error) {
    work.readFailure = { error };
    throw error;
  }
}

interface LoadOfFile {
  readonly tables: readonly Table[] | undefined;
  readonly onRows: (table: string, rows: number) => void;
  readonly onChunk: (rows: number) => void;
}

async function load(work: ImportRun, { tables, onRows, onChunk }: LoadOfFile): Promise<LoadReport> {
  const { context, options, problems } = work;
  const { onConflict, conflictColumns, onError, mode, dryRun } = options;
  try {
    return await loadRows(
      context,
      { tables, chunks: rowsUntilError(work, onChunk) },
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
    await readToEnd(work);
    throw fileError(work, error);
  }
}

/** Whether an error says something of the rows; a lost connection or an unknown table does not. */
function isAboutFile(error: unknown): boolean {
  if (error instanceof FileRejected) return true;
  return error instanceof StudioError && /^(?:import|parse)_failed$/.test(error.code);
}

/** One error for all that is wrong with the file. */
function fileError(work: ImportRun, thrown: unknown): Error {
  const { problems, readFailure: ended } = work;
  if (ended !== undefined && !isAboutFile(ended.error)) return ended.error as Error;
  const reader = ended?.error instanceof StudioError ? ended.error : undefined;
  const last = reader ?? (problems.errorCount() === 0 ? asStudioError(thrown) : undefined);
  const found = [...problems.errors(), ...(last === undefined ? [] : rowErrorsOf(last))];
  const errors = inFileOrder(found);
  const count = problems.errorCount() + (last === undefined ? 0 : 1);
  const code = count === 1 && reader?.code === 'parse_failed' ? 'parse_failed' : 'import_failed';
  const { line, column } = reader?.details ?? {};
  return new StudioError(code, sentence(work, errors, count), {
    errors: errors.slice(0, maxErrors),
    ...(code === 'parse_failed' ? { line, column } : {}),
  });
}

/** What only the database has found comes later than what stood behind it. */
function inFileOrder<E extends AnyError>(errors: readonly E[]): readonly E[] {
  return errors.toSorted((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity) || 0);
}

function asStudioError(error: unknown): StudioError | undefined {
  return error instanceof StudioError ? error : undefined;
}

type AnyError = Omit<RowError, 'table'> & { readonly table?: string };

/** A reader's last error may say more exactly what it is. */
function rowErrorsOf({ code, message, details }: StudioError): readonly AnyError[] {
  const listed = details['errors'] as readonly AnyError[] | undefined;
  const line = typeof details['line'] === 'number' ? { line: details['line'] } : {};
  return listed ?? [{ code, message, ...line }];
}

function sentence({ file }: ImportRun, errors: readonly AnyError[], count: number): string {
  const [first] = errors;
  if (first === undefined) return `${file.name} cannot be imported.`;
  const more = count === 1 ? '' : ` (and ${count - 1} more)`;
  return `Nothing of ${file.name} was kept: ${placeOf(first)}${first.message}${more}`;
}

/** An error without a row tells its line itself. */
function placeOf({ table, row, line }: Partial<RowError>): string {
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
  const told = count > maxErrors ? `; errors tells the first ${maxErrors}` : '';
  if (count === 0) return [];
  return [`Rows were left out for ${count === 1 ? 'an error' : `${count} errors`}${told}.`];
}
