import { copyError, StudioError } from '../../model/errors.ts';
import { RowsFailure } from '../../model/load-dialect.ts';
import { filePositionOf, sliceChunk } from '../../model/row-chunk.ts';
import { listRowErrors, rowErrorMembers, rowErrorsIn } from '../../model/row-errors.ts';
import { furtherErrors } from '../../model/values/further-errors.ts';
import { rejectedValue } from '../../model/values/rejected-value.ts';
import { zonedYearNote } from './zoned-years.ts';
import { addErrorColumns } from '../core/error-columns.ts';
import type { ErrorCode } from '../../model/errors.ts';
import type { Dialect, Transaction } from '../../model/database.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { InsertBatch, InsertCounts, Savepoint } from '../../model/load-dialect.ts';
import type { LoadOptions, RowError, RowErrors, ErrorInFile } from '../../model/load.ts';
import type { Row } from '../../model/values.ts';
import type { ProgressReport } from './load-progress.ts';
import type { Tally } from './load-tally.ts';

/** A running load with its transaction. */
export interface LoadSession {
  readonly session: Transaction<'load'>;
  readonly dialect: Dialect<LoadCapability>;
  readonly options: LoadOptions;
  readonly tally: Tally;
  readonly progress: ProgressReport;
  /** Whether all foreign keys are checked at the commit. */
  readonly defers: boolean;
  /** Statements of `ForeignKeyDeferral.prepare` that were run. */
  readonly preparedKeys: Set<string>;
  /** Statements to run once all rows are checked. */
  readonly beforeCommit: Set<string>;
}

/** Rows to write. The columns with the indexes in `deferredColumns` are NULL at first and updated later. */
export interface LoadBatch extends InsertBatch {
  readonly deferredColumns?: readonly number[];
  /** A sentence for errors of constraints that may reject the NULLs. */
  readonly nullsNote?: string;
}

/** Receives rows, each as a batch of its own, that were inserted with NULL in deferred columns which cannot be set. */
export interface FailedRows {
  add(batch: LoadBatch, failure: BatchFailure): void;
}

export interface BatchEvents {
  /** Receives rows whose parents do not exist yet. Without it, such rows are rejected. */
  readonly onMissingParents?: (batch: LoadBatch) => Promise<void> | void;
  readonly onWritten?: (batch: LoadBatch, counts: InsertCounts) => void;
  /** As in `InsertOptions`. */
  readonly onSent?: () => void;
}

/** Writes rows in their order. If some cannot be written, finds out which, and skips them or fails. */
export async function loadBatch(
  loadSession: LoadSession,
  batch: LoadBatch,
  { onMissingParents, onWritten, onSent }: BatchEvents = {},
): Promise<void> {
  const parts = [batch];
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const result = await attempt(loadSession, part, onSent);
    if (!('error' in result)) {
      onWritten?.(part, result);
    } else if (onMissingParents !== undefined && codeOf(result.error) === 'foreign_key_violation') {
      for (const deferred of [part, ...parts.splice(0)]) await onMissingParents(deferred);
    } else if (part.rows.length > 1) {
      parts.unshift(...splitBatch(part, result));
    } else {
      rejectRow(loadSession, part, result);
    }
  }
}

/** Inserts all rows, or none if one of them cannot be inserted or already exists. Returns whether they were inserted. */
export async function tryInsertAll(loadSession: LoadSession, batch: LoadBatch): Promise<boolean> {
  const { session, dialect, options } = loadSession;
  const { savepoint } = dialect.load;
  options.signal?.throwIfAborted();
  await runText(session, savepoint.set);
  const counts = await session
    .insert({ ...withNullDeferred(batch), conflict: { kind: 'error' } })
    .catch((error: unknown) => ({ error }));
  if (!('error' in counts) && counts.inserted === batch.rows.length) {
    await releaseSavepoint(session, savepoint);
    recordCounts(loadSession, batch, counts);
    return true;
  }
  await undoSavepoint(session, savepoint).catch((error: unknown) => {
    throw 'error' in counts ? counts.error : error;
  });
  return false;
}

export interface BatchFailure {
  readonly error: unknown;
  readonly first: number;
  readonly count: number;
  readonly column?: string | undefined;
  /** Whether the row was inserted before and counts as imported. */
  readonly wasInserted?: boolean;
}

/** Writes all rows or none. Throws errors that are not about rows, and returns the others. */
async function attempt(
  loadSession: LoadSession,
  batch: LoadBatch,
  onSent?: () => void,
): Promise<InsertCounts | BatchFailure> {
  const { session, dialect, options } = loadSession;
  const { savepoint } = dialect.load;
  options.signal?.throwIfAborted();
  await runText(session, savepoint.set);
  try {
    const counts = await session.insert(withNullDeferred(batch), {
      ...(options.signal && { signal: options.signal }),
      ...(onSent && { onSent }),
    });
    await releaseSavepoint(session, savepoint);
    return recordCounts(loadSession, batch, counts);
  } catch (thrown) {
    const failure = readFailure(dialect, batch, thrown);
    if (!isRowError(failure.error)) throw failure.error;
    await undoSavepoint(session, savepoint).catch(() => {
      throw endedTransactionError(loadSession, batch, failure);
    });
    return failure;
  }
}

/** The error if the database itself has ended the transaction. It is then too late to find out which row failed. */
function endedTransactionError(
  loadSession: LoadSession,
  batch: LoadBatch,
  failure: BatchFailure,
): StudioError {
  const { first, count } = failure;
  if (count > 1)
    return importError([{ ...describe(loadSession, failure, batch), table: batch.table.name }]);
  return importError([rowErrorOf(loadSession, sliceChunk(batch, first, first + 1), failure)]);
}

export async function runText(session: Transaction<'load'>, text: string): Promise<void> {
  await session.run({ text, params: [] });
}

export async function releaseSavepoint(
  session: Transaction<'load'>,
  { release }: Savepoint,
): Promise<void> {
  if (release !== undefined) await runText(session, release);
}

/** Without the release, savepoints of one name pile up, and PostgreSQL keeps a lock for each. */
export async function undoSavepoint(
  session: Transaction<'load'>,
  savepoint: Savepoint,
): Promise<void> {
  await runText(session, savepoint.undo);
  await releaseSavepoint(session, savepoint);
}

function withNullDeferred({ deferredColumns = [], ...batch }: LoadBatch): InsertBatch {
  if (deferredColumns.length === 0) return batch;
  const blank = (row: Row): Row =>
    row.map((value, i) => (deferredColumns.includes(i) ? null : value));
  return { ...batch, rows: batch.rows.map(blank) };
}

function recordCounts(
  { tally, progress }: LoadSession,
  batch: LoadBatch,
  reported: InsertCounts,
): InsertCounts {
  const rows = batch.rows.length;
  const counts = { inserted: Math.min(rows, reported.inserted), updated: reported.updated };
  tally.wrote(batch.table, rows, counts);
  if (batch.conflict.kind === 'error' && counts.inserted < rows)
    tally.suppressed(batch.table, rows - counts.inserted);
  progress.written(batch.table, tally.total());
  return counts;
}

function readFailure(
  dialect: Dialect<LoadCapability>,
  { rows }: LoadBatch,
  thrown: unknown,
): BatchFailure {
  if (!(thrown instanceof RowsFailure)) return { error: thrown, first: 0, count: rows.length };
  const { cause, first, count, column } = thrown;
  return { error: dialect.translateError(cause) ?? cause, first, count, column };
}

/** Codes of errors that are about single rows. */
const rowCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unique_violation',
  'foreign_key_violation',
  'not_null_violation',
  'check_violation',
  'invalid_value',
  'too_large',
]);

/** An unknown error may be about a row: it may not occur in a smaller batch. */
function isRowError(error: unknown): boolean {
  return !(error instanceof StudioError) || rowCodes.has(error.code);
}

function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof StudioError ? error.code : undefined;
}

/** After a failed row the next ones are likely to fail too, and each attempt sends all rows of its part. */
const firstPartRows = 16;

function growingCuts(from: number, end: number): readonly number[] {
  const cuts: number[] = [];
  for (let [cut, size] = [from, firstPartRows]; cut < end; cut += size, size *= 2) cuts.push(cut);
  return [...cuts, end];
}

/** Splits a batch around the failed rows, and the rows after them into growing parts. If all rows may have failed, halves it. */
function splitBatch(part: LoadBatch, { first, count }: BatchFailure): readonly LoadBatch[] {
  const isWholeBatch = count >= part.rows.length;
  const cuts = isWholeBatch
    ? [0, part.rows.length >> 1, part.rows.length]
    : [0, first, ...growingCuts(first + count, part.rows.length)];
  return cuts.flatMap((from, i) => {
    const to = cuts[i + 1] ?? from;
    return to > from ? [sliceChunk(part, from, to)] : [];
  });
}

/** Skips the row, or fails if the options say so. */
export function rejectRow(loadSession: LoadSession, part: LoadBatch, failure: BatchFailure): void {
  const errors = rowErrorsOf(loadSession, part, failure);
  if (loadSession.options.onError === 'abort') throw importError(errors);
  for (const error of errors) loadSession.options.onRejected?.(error);
  const { tally, progress } = loadSession;
  tally.rejected(part.table, { errors, wasInserted: failure.wasInserted ?? false });
  progress.written(part.table, tally.total());
}

/** The error of the first row of a batch, and those that the database would find in its other values. */
function rowErrorsOf(
  loadSession: LoadSession,
  part: LoadBatch,
  failure: BatchFailure,
): readonly RowError[] {
  const error = rowErrorOf(loadSession, part, failure);
  const { table, columns, rows, deferredColumns = [] } = part;
  const [row] = rows;
  if (row === undefined || failure.wasInserted === true) return [error];
  const isReported = (i: number): boolean =>
    deferredColumns.includes(i) || columns[i]?.name === error.column;
  const further = furtherErrors({ table, columns, row, isReported });
  const position = { table: table.name, ...filePositionOf(part, 0) };
  return [error, ...further.map((each) => ({ ...each, ...position }))];
}

/** Fails even if bad rows are to be skipped. */
export function failWith(loadSession: LoadSession, part: LoadBatch, failure: BatchFailure): never {
  throw importError([rowErrorOf(loadSession, part, failure)]);
}

/** Codes of constraints that a NULL may violate. */
const nullCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'unique_violation',
  'foreign_key_violation',
  'not_null_violation',
  'check_violation',
  'database_error',
]);

/** The error of the first row of a batch. */
export function rowErrorOf(
  loadSession: LoadSession,
  part: LoadBatch,
  failure: BatchFailure,
): RowError {
  const described = describe(loadSession, failure, part);
  const note = nullCodes.has(described.code)
    ? part.nullsNote
    : yearNote(loadSession, part, described.column);
  return {
    ...described,
    message: note === undefined ? described.message : `${described.message} ${note}`,
    table: part.table.name,
    ...filePositionOf(part, 0),
    ...valueMember(part, described.column, failure),
  };
}

function yearNote(
  { dialect }: LoadSession,
  { columns, rows: [row] }: LoadBatch,
  name: string | undefined,
): string | undefined {
  const i = columns.findIndex((column) => column.name === name);
  const column = columns[i];
  return column && zonedYearNote(dialect, column, row?.[i] ?? null);
}

/** The value of the column in the first row. It is absent if the row was written with NULL instead, to set it later. */
function valueMember(
  { columns, rows: [row], deferredColumns = [] }: LoadBatch,
  name: string | undefined,
  { wasInserted = false }: BatchFailure,
): Pick<RowError, 'value'> {
  const i = columns.findIndex((column) => column.name === name);
  const column = columns[i];
  if (column === undefined || row === undefined) return {};
  if (deferredColumns.includes(i) && !wasInserted) return {};
  return { value: rejectedValue(row[i] ?? null, column) };
}

function describe(
  { dialect }: LoadSession,
  { error: thrown, column }: BatchFailure,
  batch: LoadBatch,
): Pick<RowError, 'code' | 'message' | 'column'> {
  if (!(thrown instanceof StudioError)) return describeUnknown(dialect, thrown);
  const { table } = batch;
  // A trigger may have written to another table.
  const { table: errorTable } = thrown.details;
  if (typeof errorTable === 'string' && !isNamed(table, errorTable)) {
    const { code, message } = thrown;
    return {
      code,
      message: message.includes(errorTable) ? message : `${message} (Table "${errorTable}".)`,
    };
  }
  const { code, message, details } = column === undefined ? withColumns(thrown, batch) : thrown;
  const ofKey = details['of'] === 'primary_key' ? (table.primaryKey?.columns ?? []) : [];
  const columns = Array.isArray(details['columns']) ? details['columns'] : ofKey;
  const only = columns.length === 1 ? String(columns[0]) : undefined;
  const found = column ?? (typeof details['column'] === 'string' ? details['column'] : only);
  return { code, message, ...(found === undefined ? {} : { column: found }) };
}

/** Adds the columns that the error of a single row is about, if it names only a constraint. */
function withColumns(error: StudioError, { table, columns, rows }: LoadBatch): StudioError {
  const [row, another] = rows;
  if (row === undefined || another !== undefined) return error;
  // Parameters of a bulk statement do not correspond to columns.
  const { table: _isKnown, parameter_number: _number, ...details } = error.details;
  const values = new Map(columns.map((each, i) => [each, row[i] ?? null]));
  return addErrorColumns(table, values, copyError(error, { details }));
}

/** Errors name a table with or without its schema. Those of a partition name the partition. */
function isNamed({ name, localName, options }: InsertBatch['table'], nameInError: string): boolean {
  const isPartitioned = options?.['partition_by'] !== undefined;
  return (
    isPartitioned ||
    nameInError === name ||
    nameInError === localName ||
    nameInError.endsWith(`.${localName}`)
  );
}

/** An error without a code of its own, such as that of an expression in an index, with the database's message. */
function describeUnknown(
  dialect: Dialect<LoadCapability>,
  error: unknown,
): Pick<RowError, 'code' | 'message'> {
  const message = dialect.messageOf(error);
  if (message === undefined || dialect.isStructureError(error)) throw error;
  return { code: 'database_error', message: `The database rejects the row: ${message}.` };
}

/** The error of a load whose rows the database rejected. */
export function importError(errors: readonly ErrorInFile[]): StudioError {
  return importErrorOf(listRowErrors(errors));
}

function importErrorOf(errors: RowErrors): StudioError {
  const [first] = errors.first;
  return new StudioError('import_failed', sentence(first), { ...rowErrorMembers(errors) });
}

function sentence(error: ErrorInFile | undefined): string {
  if (error === undefined) return 'The rows cannot be imported.';
  const { table, row, line, message } = error;
  if (table === undefined) return `The rows cannot be imported: ${message}`;
  const where = line === undefined ? '' : ` (line ${line})`;
  const subject = row === undefined ? `Table "${table}"` : `Row ${row}${where} of table "${table}"`;
  return `${subject} cannot be imported: ${message}`;
}

/** The error of a check of foreign keys for all rows at once. Undefined for errors that are not about rows. */
export function keyCheckError(error: unknown): StudioError | undefined {
  if (!(error instanceof StudioError) || !isRowError(error)) return undefined;
  const { details, code, message } = error;
  const errors = rowErrorsIn(details);
  if (errors !== undefined) return importErrorOf(errors);
  const { table } = details;
  return importError([{ code, message, ...(typeof table === 'string' ? { table } : {}) }]);
}
