/** The last stage of a data import: the response, or one error that lists all errors of the file. */
import { StudioError } from '../../model/errors.ts';
import {
  inFileOrder,
  joinRowErrors,
  listRowErrors,
  maxRowErrors,
  rowErrorMembers,
  rowErrorsIn,
} from '../../model/row-errors.ts';
import type { RowErrorMembers } from '../../model/row-errors.ts';
import type { DocumentValue } from '../../formats/schema-document.ts';
import type { LoadOutcome, LoadReport, RowErrors, ErrorInFile } from '../../model/load.ts';
import type { ImportOptions } from './import-options.ts';
import type { FileFindings } from './map-rows.ts';
import type { RejectedFormat } from './rejected-output.ts';
import type { RecognizedFile } from './recognize-file.ts';

export interface ImportDataResponse extends Partial<RowErrorMembers> {
  readonly message: string;
  /** Nothing was written. */
  readonly dry_run?: true;
  readonly rows_imported: number;
  readonly tables: Readonly<Record<string, TableCounts>>;
  readonly warnings: readonly string[];
  /** The tables that the import created, the statements for it, and their definition as a document. */
  readonly tables_created?: readonly string[];
  readonly statements?: readonly string[];
  readonly schema?: DocumentValue;
  /** The number of rows in the file of rejected rows, if the caller asked for one. */
  readonly rejected_rows?: number;
  readonly rejected_format?: RejectedFormat;
  /** The formats of numbers and dates that the values of the file were found to have. */
  readonly format?: FormatJson;
  /** False for a dry run that did not try the rows on the database. */
  readonly verified?: boolean;
}

interface TableCounts {
  readonly rows_imported: number;
  readonly rows_updated: number;
  readonly rows_skipped: number;
}

export interface FormatJson {
  readonly decimal?: string;
  readonly date_order?: string;
}

export interface FinishedImport {
  readonly file: RecognizedFile;
  readonly options: ImportOptions;
  readonly findings: FileFindings;
  readonly outcome: LoadOutcome;
}

/** Throws the error of the file unless its rows were loaded. */
export function reportImport({
  file,
  options,
  findings,
  outcome,
}: FinishedImport): ImportDataResponse {
  if (outcome.kind !== 'loaded') throw rejectedFileError({ file, options, findings, outcome });
  const { report } = outcome;
  const names = new Set([...[...findings.tables].map(({ name }) => name), ...report.tables.keys()]);
  const tables = [...names].map((name): [string, TableCounts] => [
    name,
    countsOf(report.tables.get(name), findings.rejectedRows.get(name) ?? 0),
  ]);
  const skipped = skippedRows(findings, report);
  return {
    message: 'imported',
    ...(options.dryRun ? { dry_run: true } : {}),
    rows_imported: tables.reduce((sum, [, counts]) => sum + counts.rows_imported, 0),
    tables: Object.fromEntries(tables),
    ...(skipped.count === 0 ? {} : rowErrorMembers(skipped)),
    warnings: [
      ...skippedRowsWarning(skipped),
      ...findings.warnings,
      ...report.warnings,
      ...report.counterWarnings,
    ],
  };
}

type LoadedTable = LoadReport['tables'] extends ReadonlyMap<string, infer T> ? T : never;

function countsOf(loadedTable: LoadedTable | undefined, rejectedRows: number): TableCounts {
  return {
    rows_imported: loadedTable?.rowsImported ?? 0,
    rows_updated: loadedTable?.rowsUpdated ?? 0,
    rows_skipped: (loadedTable?.rowsSkipped ?? 0) + rejectedRows,
  };
}

/** The errors of rows that were skipped, by the studio and by the database. */
function skippedRows({ errors }: FileFindings, { rowErrors }: LoadReport): RowErrors {
  return joinRowErrors([errors, rowErrors]);
}

function skippedRowsWarning({ count, rows }: RowErrors): readonly string[] {
  if (count === 0) return [];
  const subject = rows === 1 ? '1 row was' : `${rows} rows were`;
  const note = count > maxRowErrors ? `, of which the first ${maxRowErrors} are listed` : '';
  return [`${subject} left out because of ${countOfErrors(count)}${note}.`];
}

function countOfErrors(count: number): string {
  return count === 1 ? '1 error' : `${count} errors`;
}

interface RejectedImport extends Omit<FinishedImport, 'outcome'> {
  /** Undefined if the file was rejected before the load. */
  readonly outcome?: Exclude<LoadOutcome, { readonly kind: 'loaded' }>;
}

/** Combines all errors of a file, and that of its load, in one. */
export function rejectedFileError(rejected: RejectedImport): Error {
  const { file, options, findings, outcome } = rejected;
  const readError = findings.readFailure?.error;
  if (findings.readFailure !== undefined && !isAboutFile(readError)) return readError as Error;
  const failures = [readError, outcome?.kind === 'rejected' ? outcome.error : undefined].filter(
    (error) => error instanceof StudioError,
  );
  const rows = outcome === undefined ? findings.errors : skippedRows(findings, outcome.report);
  const causes = joinRowErrors(failures.map(rowErrorsOf));
  const all = joinRowErrors([causes, rows]);
  // If rows are skipped, their errors did not make the import fail, so its causes come first.
  const isSkipping = options.onError === 'skip';
  const first = [...inFileOrder(causes.first), ...rows.first].slice(0, maxRowErrors);
  const errors = isSkipping ? { ...all, first } : all;
  const isOnlySyntax = errors.count === 1 && failures[0]?.code === 'parse_failed';
  const { line, column } = failures[0]?.details ?? {};
  const statement = failures.at(-1)?.details['statement'];
  return new StudioError(
    isOnlySyntax ? 'parse_failed' : 'import_failed',
    [
      sentence(file, errors),
      ...uncountedErrors(options, errors),
      ...(outcome?.report.counterWarnings ?? []),
    ].join(' '),
    {
      ...rowErrorMembers(errors),
      ...(isOnlySyntax ? { line, column } : {}),
      ...(statement === undefined ? {} : { statement }),
    },
  );
}

/** Whether a read error is about the file, and not for example about its disk. */
function isAboutFile(error: unknown): error is StudioError {
  return error instanceof StudioError && /^(?:import|parse)_failed$/.test(error.code);
}

/** The errors in the details of an error, or the error itself. */
function rowErrorsOf({ code, message, details }: StudioError): RowErrors {
  const line = typeof details['line'] === 'number' ? { line: details['line'] } : {};
  return rowErrorsIn(details) ?? listRowErrors([{ code, message, ...line }]);
}

function sentence({ name }: RecognizedFile, { first: errors, count, rows }: RowErrors): string {
  const [first] = errors;
  if (first === undefined) return `${name} cannot be imported.`;
  const inRows = areOfRows(errors) ? ` in ${rows} ${rows === 1 ? 'row' : 'rows'}` : '';
  const all = count === 1 ? '' : ` (${countOfErrors(count)}${inRows})`;
  return `Nothing of ${name} was imported: ${locationOf(first)}${first.message}${all}`;
}

function areOfRows(errors: RowErrors['first']): boolean {
  return errors.every(({ row }) => row !== undefined);
}

/** The database gets no row after the first one that it or the studio rejects, so its errors are not all known. */
function uncountedErrors(
  { onError, ddl }: ImportOptions,
  { first: errors }: RowErrors,
): readonly string[] {
  if (onError === 'skip' || errors.length === 0 || !areOfRows(errors)) return [];
  // A dump has no such option.
  const advice =
    ddl === 'applied' ? '' : '; a dry run that skips rows with errors counts and lists them';
  return [`Errors that only the database finds are not all counted${advice}.`];
}

/** Messages of errors without a table already name their line. */
function locationOf({ table, source, row, line }: ErrorInFile): string {
  if (table === undefined) return '';
  const parts = [
    ...(source === undefined ? [] : [JSON.stringify(source)]),
    `table "${table}"`,
    ...(row === undefined ? [] : [`row ${row}`]),
    ...(line === undefined ? [] : [`line ${line}`]),
  ];
  return `${parts.join(', ')}: `;
}
