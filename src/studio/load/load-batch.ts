import { StudioError } from '../../model/errors.ts';
import { RowsFailure } from '../../model/load-dialect.ts';
import { placeOf, sliceChunk } from '../../model/row-chunk.ts';
import type { ErrorCode } from '../../model/errors.ts';
import type { Dialect, Transaction } from '../../model/database.ts';
import type { InsertBatch, InsertCounts } from '../../model/load-dialect.ts';
import type { LoadOptions, RowError } from '../../model/load.ts';
import type { Row } from '../../model/values.ts';
import type { Tally } from './load-tally.ts';

/** A load that is under way, in its transaction. */
export interface LoadSession {
  readonly session: Transaction;
  readonly dialect: Dialect;
  readonly options: LoadOptions;
  readonly tally: Tally;
  /** All foreign keys are left to the commit. */
  readonly defers: boolean;
}

/** Rows to be written; `withheld` columns as NULL for now. */
export interface LoadBatch extends InsertBatch {
  readonly deferredColumns?: readonly number[];
}

export interface BatchEvents {
  /** Takes rows whose parents are not there; without it such rows are refused. */
  readonly onMissingParents?: (batch: LoadBatch) => Promise<void> | void;
  readonly onWritten?: (batch: LoadBatch, counts: InsertCounts) => void;
}

/** Writes rows in their order; where some cannot be, finds out which, and leaves them out or fails. */
export async function loadBatch(
  loading: LoadSession,
  batch: LoadBatch,
  { onMissingParents: onOrphans, onWritten }: BatchEvents = {},
): Promise<void> {
  const parts = [batch];
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const result = await attempt(loading, part);
    if (!('error' in result)) {
      onWritten?.(part, result);
    } else if (onOrphans !== undefined && codeOf(result.error) === 'foreign_key_violation') {
      for (const waiting of [part, ...parts.splice(0)]) await onOrphans(waiting);
    } else if (part.rows.length > 1) {
      parts.unshift(...splitBatch(part, result));
    } else {
      rejectRow(loading, part, result);
    }
  }
}

/** Inserts rows of which none may be there; false, and undone, where one cannot be inserted. */
export async function tryInsertAll(loading: LoadSession, batch: LoadBatch): Promise<boolean> {
  const { session, dialect, options } = loading;
  const { savepoint } = dialect.loading;
  options.signal?.throwIfAborted();
  await runText(session, savepoint.set);
  const counts = await session
    .insert({ ...withNullDeferred(batch), conflict: { kind: 'error' } })
    .catch((error: unknown) => ({ error }));
  if (!('error' in counts) && counts.inserted === batch.rows.length) {
    if (savepoint.release !== undefined) await runText(session, savepoint.release);
    count(loading, batch, counts);
    return true;
  }
  await runText(session, savepoint.undo).catch((error: unknown) => {
    throw 'error' in counts ? counts.error : error;
  });
  return false;
}

interface BatchFailure {
  readonly error: unknown;
  readonly first: number;
  readonly count: number;
  readonly column?: string | undefined;
  /** The row is there, and has to be taken back. */
  readonly wasInserted?: boolean;
}

/** All of the rows or none; errors that say nothing of rows are thrown. */
async function attempt(
  loading: LoadSession,
  batch: LoadBatch,
): Promise<InsertCounts | BatchFailure> {
  const { session, dialect, options } = loading;
  const { savepoint } = dialect.loading;
  options.signal?.throwIfAborted();
  await runText(session, savepoint.set);
  try {
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    const counts = await session.insert(withNullDeferred(batch), signal);
    if (savepoint.release !== undefined) await runText(session, savepoint.release);
    return count(loading, batch, counts);
  } catch (thrown) {
    const failure = readFailure(dialect, batch, thrown);
    if (!isRowError(failure.error)) throw failure.error;
    await runText(session, savepoint.undo).catch(() => {
      throw endedTransactionError(loading, batch, failure);
    });
    return failure;
  }
}

/** Where the database itself has ended the transaction, which row it was cannot be found out any more. */
function endedTransactionError(
  loading: LoadSession,
  batch: LoadBatch,
  failure: BatchFailure,
): StudioError {
  const { first, count: some } = failure;
  if (some > 1)
    return importError([{ ...describe(loading, failure, batch), table: batch.table.name }]);
  return importError([reportRowError(loading, sliceChunk(batch, first, first + 1), failure)]);
}

export async function runText(session: Transaction, text: string): Promise<void> {
  await session.run({ text, params: [] });
}

function withNullDeferred({ deferredColumns: withheld = [], ...batch }: LoadBatch): InsertBatch {
  if (withheld.length === 0) return batch;
  const blank = (row: Row): Row => row.map((value, i) => (withheld.includes(i) ? null : value));
  return { ...batch, rows: batch.rows.map(blank) };
}

function count(
  { tally, options }: LoadSession,
  batch: LoadBatch,
  reported: InsertCounts,
): InsertCounts {
  const rows = batch.rows.length;
  const counts = { inserted: Math.min(rows, reported.inserted), updated: reported.updated };
  tally.wrote(batch.table, rows, counts);
  if (batch.conflict.kind === 'error' && counts.inserted < rows)
    tally.suppressed(batch.table, rows - counts.inserted);
  options.onProgress?.(batch.table.name, tally.total());
  return counts;
}

function readFailure(dialect: Dialect, { rows }: LoadBatch, thrown: unknown): BatchFailure {
  if (!(thrown instanceof RowsFailure)) return { error: thrown, first: 0, count: rows.length };
  const { cause, first, count: some, column } = thrown;
  return { error: dialect.readError(cause) ?? cause, first, count: some, column };
}

/** Codes of errors that another row would not have met. */
const rowCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unique_violation',
  'foreign_key_violation',
  'not_null_violation',
  'check_violation',
  'invalid_value',
  'too_large',
]);

/** What nobody knows may be of a row: in a smaller part it may not happen. */
function isRowError(error: unknown): boolean {
  return !(error instanceof StudioError) || rowCodes.has(error.code);
}

function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof StudioError ? error.code : undefined;
}

/** What went well before goes well again; what is in question is halved. */
function splitBatch(part: LoadBatch, { first, count: some }: BatchFailure): readonly LoadBatch[] {
  const whole = some >= part.rows.length;
  const cuts = whole
    ? [0, part.rows.length >> 1, part.rows.length]
    : [0, first, first + some, part.rows.length];
  return cuts.flatMap((from, i) => {
    const to = cuts[i + 1] ?? from;
    return to > from ? [sliceChunk(part, from, to)] : [];
  });
}

/** Leaves the row out, or ends the load. */
export function rejectRow(loading: LoadSession, part: LoadBatch, failure: BatchFailure): void {
  const error = reportRowError(loading, part, failure);
  if (loading.options.onError === 'abort') throw importError([error]);
  loading.tally.rejected(part.table, { wasInserted: failure.wasInserted ?? false });
}

/** Ends the load, also where bad rows are left out. */
export function failWith(loading: LoadSession, part: LoadBatch, failure: BatchFailure): never {
  throw importError([reportRowError(loading, part, failure)]);
}

/** Of the first row of a part. */
function reportRowError(loading: LoadSession, part: LoadBatch, failure: BatchFailure): RowError {
  const { options } = loading;
  const error = {
    ...describe(loading, failure, part),
    table: part.table.name,
    ...placeOf(part, 0),
  };
  options.onRowError(error);
  return error;
}

function describe(
  { dialect }: LoadSession,
  { error, column }: BatchFailure,
  { table }: LoadBatch,
): Pick<RowError, 'code' | 'message' | 'column'> {
  if (!(error instanceof StudioError)) return describeUnknown(dialect, error);
  const { code, message, details } = error;
  const ofKey = details['of'] === 'primary_key' ? (table.primaryKey?.columns ?? []) : [];
  const columns = Array.isArray(details['columns']) ? details['columns'] : ofKey;
  const only = columns.length === 1 ? String(columns[0]) : undefined;
  const named = column ?? (typeof details['column'] === 'string' ? details['column'] : only);
  return { code, message, ...(named === undefined ? {} : { column: named }) };
}

/** An error that has no code here, such as that of an expression in an index, in the database's own words. */
function describeUnknown(dialect: Dialect, error: unknown): Pick<RowError, 'code' | 'message'> {
  const message = dialect.messageOf(error);
  if (message === undefined || dialect.isStructureError(error)) throw error;
  return { code: 'database_error', message: `The database refuses the row: ${message}.` };
}

/** What a load ends with that was refused by the database. */
export function importError(errors: readonly UnlocatedError[]): StudioError {
  const [first] = errors;
  return new StudioError('import_failed', sentence(first), { errors });
}

/** Where all rows are looked at together, the database may not say of which table the row is. */
type UnlocatedError = Omit<RowError, 'table'> & { readonly table?: string };

function sentence(error: UnlocatedError | undefined): string {
  if (error === undefined) return 'The rows cannot be taken.';
  const { table, row, line, message } = error;
  if (table === undefined) return `The rows cannot be taken: ${message}`;
  const where = line === undefined ? '' : ` (line ${line})`;
  const which = row === undefined ? `Table "${table}"` : `Row ${row}${where} of table "${table}"`;
  return `${which} cannot be taken: ${message}`;
}

/** What keys that were looked at for all rows at once have found; undefined for anything else. */
export function keyCheckError(error: unknown): StudioError | undefined {
  if (!(error instanceof StudioError) || !isRowError(error)) return undefined;
  const { details, code, message } = error;
  if (Array.isArray(details['errors']))
    return importError(details['errors'] as readonly RowError[]);
  const { table } = details;
  return importError([{ code, message, ...(typeof table === 'string' ? { table } : {}) }]);
}
