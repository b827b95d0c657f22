/**
 * Skips rows of tables whose foreign keys form a cycle if existing rows are to be updated. A row that turns
 * out to be wrong has then replaced values that only a rollback brings back. So the rows are written,
 * undone, and written again without the wrong ones, until none is wrong.
 */
import { StudioError } from '../../model/errors.ts';
import { filePositionOf, pickRows, sliceChunk } from '../../model/row-chunk.ts';
import {
  collectDependents,
  keyColumns,
  keyedRowOf,
  keyText,
  readDangling,
  readExisting,
} from './cycle-rows.ts';
import { importError, releaseSavepoint, rowErrorOf, runText, undoSavepoint } from './load-batch.ts';
import { holdTally } from './load-tally.ts';
import type { RowError } from '../../model/load.ts';
import type { ForeignKey } from '../../model/schema.ts';
import type { CycleTables, DanglingRow, KeyedRow } from './cycle-rows.ts';
import type { BatchFailure, FailedRows, LoadBatch, LoadSession } from './load-batch.ts';
import type { RowSpool } from './row-spool.ts';

export interface SkippableRows {
  readonly cycle: CycleTables;
  readonly spool: RowSpool;
  /** Writes the rows that `read` yields. */
  write(loadSession: LoadSession, read: RowSpool['read'], failed: FailedRows): Promise<void>;
}

/** A row that is left out, as a batch of its own, with its error. */
interface SkippedRow {
  readonly batch: LoadBatch;
  readonly error: RowError;
}

/** The skipped rows, by `positionText`. */
type SkippedRows = Map<string, SkippedRow>;

/** Must be called before the rows of the cycle are written, and after its keys are disabled. */
export async function loadWithoutWrongRows(
  loadSession: LoadSession,
  rows: SkippableRows,
): Promise<void> {
  const { session, dialect, tally, options } = loadSession;
  const { cycleSavepoint } = dialect.load;
  const knownTexts = new Set((await readDangling(loadSession, rows.cycle)).map(({ text }) => text));
  const skippedRows: SkippedRows = new Map();
  for (;;) {
    await runText(session, cycleSavepoint.set);
    const attempt = await writeOnce(loadSession, rows, { skippedRows, knownTexts });
    if (attempt.wrongRows.length > 0) {
      await undoSavepoint(session, cycleSavepoint);
      if (await skipWrongRows(loadSession, rows, { ...attempt, skippedRows })) continue;
      throw unknownRowError(attempt);
    }
    await releaseSavepoint(session, cycleSavepoint);
    attempt.release();
    break;
  }
  for (const { batch, error } of skippedRows.values()) {
    options.onRejected?.(error);
    tally.rejected(batch.table, { errors: [error], wasInserted: false });
  }
}

interface Attempt {
  /** Rows of the file that could not be written. */
  readonly failedRows: readonly SkippedRow[];
  readonly danglingRows: readonly DanglingRow[];
  /** All of these, and rows that may depend on them. */
  readonly wrongRows: readonly KeyedRow[];
  /** The positions of rows that were rejected before they were written. */
  readonly rejectedPositions: ReadonlySet<string>;
  /** Reports what was written and rejected. */
  release(this: void): void;
}

interface AttemptOptions {
  readonly skippedRows: SkippedRows;
  /** References that dangled before the load. */
  readonly knownTexts: ReadonlySet<string>;
}

/** Limits memory. Further rows turn out to be wrong in the next attempts. */
const maxDependents = 100_000;

async function writeOnce(
  loadSession: LoadSession,
  { cycle, spool, write }: SkippableRows,
  { skippedRows, knownTexts }: AttemptOptions,
): Promise<Attempt> {
  const { options } = loadSession;
  const tally = holdTally(loadSession.tally);
  const rejectedErrors: RowError[] = [];
  const onRejected = (error: RowError): void => void rejectedErrors.push(error);
  const held: LoadSession = { ...loadSession, tally, options: { ...options, onRejected } };
  const failedRows: SkippedRow[] = [];
  const add = (batch: LoadBatch, failure: BatchFailure): void =>
    void failedRows.push({ batch, error: rowErrorOf(loadSession, batch, failure) });
  await write(held, (table) => without(spool.read(table), skippedRows), { add });
  const danglingRows = (await readDangling(loadSession, cycle)).filter(
    ({ text }) => !knownTexts.has(text),
  );
  const from = [...failedRows.map(({ batch }) => keyedRowOf(batch)), ...danglingRows];
  const levels = await collectDependents(loadSession, cycle, { from, maxRows: maxDependents });
  return {
    failedRows,
    danglingRows,
    wrongRows: levels.flat(),
    rejectedPositions: new Set(rejectedErrors.map(positionOfError)),
    release: () => {
      tally.release();
      for (const error of rejectedErrors) options.onRejected?.(error);
    },
  };
}

function* without(
  batches: Iterable<LoadBatch>,
  skippedRows: SkippedRows,
): Generator<LoadBatch, void> {
  for (const batch of batches) {
    const retained = [...batch.rows.keys()].filter((i) => !skippedRows.has(positionText(batch, i)));
    if (retained.length > 0) yield pickRows(batch, retained);
  }
}

function positionText(batch: LoadBatch, index: number): string {
  return positionOfError({ table: batch.table.name, ...filePositionOf(batch, index) });
}

function positionOfError({
  table,
  source,
  row,
}: Pick<RowError, 'table' | 'source' | 'row'>): string {
  return JSON.stringify([table, source ?? null, row ?? null]);
}

/** A row of the file whose key is that of a wrong row. */
interface Candidate {
  readonly batch: LoadBatch;
  readonly position: string;
  readonly keyText: string;
}

/**
 * Adds the wrong rows, and those that reference a row which only wrong rows of the file would have
 * inserted. Returns whether there are any. Called after the rows were undone.
 */
async function skipWrongRows(
  loadSession: LoadSession,
  { cycle, spool }: SkippableRows,
  attempt: Attempt & Pick<AttemptOptions, 'skippedRows'>,
): Promise<boolean> {
  const { skippedRows, failedRows, wrongRows } = attempt;
  const sizeBefore = skippedRows.size;
  const existing = await readExisting(loadSession, wrongRows);
  const candidates = findCandidates(spool, attempt);
  const byKey = Map.groupBy(candidates, (each) => each.keyText);
  const byReference = groupByReference(cycle, candidates);
  const queue: string[] = [];
  const skip = (batch: LoadBatch, error: RowError): void => {
    const position = positionText(batch, 0);
    if (skippedRows.has(position)) return;
    skippedRows.set(position, { batch, error });
    queue.push(keyText(keyedRowOf(batch)));
  };
  for (const { batch, error } of failedRows) skip(batch, error);
  for (const { batch, reference } of candidatesOfDangling(byKey, attempt))
    skip(batch, referenceError(loadSession, batch, reference));
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    const isLeft = byKey.get(text)?.some(({ position }) => !skippedRows.has(position)) ?? false;
    if (isLeft || existing.has(text)) continue;
    for (const { batch, key } of byReference.get(text) ?? [])
      skip(batch, referenceError(loadSession, batch, key));
  }
  return skippedRows.size > sizeBefore;
}

function findCandidates(
  spool: RowSpool,
  { skippedRows, wrongRows, rejectedPositions }: Attempt & Pick<AttemptOptions, 'skippedRows'>,
): readonly Candidate[] {
  const wrongKeys = new Set(wrongRows.map(keyText));
  const found: Candidate[] = [];
  for (const table of new Set(wrongRows.map((each) => each.table)))
    for (const batch of spool.read(table))
      for (const i of batch.rows.keys()) {
        const only = sliceChunk(batch, i, i + 1);
        const text = keyText(keyedRowOf(only));
        const position = positionText(only, 0);
        if (!wrongKeys.has(text) || skippedRows.has(position)) continue;
        if (!rejectedPositions.has(position)) found.push({ batch: only, position, keyText: text });
      }
  return found;
}

interface Reference {
  readonly batch: LoadBatch;
  readonly key: ForeignKey;
}

/** The rows that reference a primary key, by the text of that key. */
function groupByReference(
  { keys }: CycleTables,
  candidates: readonly Candidate[],
): ReadonlyMap<string, readonly Reference[]> {
  const found: [text: string, reference: Reference][] = [];
  for (const { batch } of candidates)
    for (const { table, key } of keys) {
      const parent = keys.find((each) => each.table.name === key.table)?.table;
      if (table.name !== batch.table.name || parent === undefined) continue;
      const names = keyColumns(parent).map(({ name }) => name);
      if (names.length !== key.columns.length) continue;
      const values = names.map((name) =>
        valueOf(batch, key.columns[key.referencedColumns.indexOf(name)]),
      );
      if (!values.includes(null))
        found.push([keyText({ table: parent, key: values }), { batch, key }]);
    }
  const groups = Map.groupBy(found, ([text]) => text);
  return new Map([...groups].map(([text, group]) => [text, group.map(([, each]) => each)]));
}

function valueOf({ columns, rows: [row] }: LoadBatch, name: string | undefined) {
  return row?.[columns.findIndex((column) => column.name === name)] ?? null;
}

/** The last row of the file that has set the reference: later rows replace earlier ones. */
function candidatesOfDangling(
  byKey: ReadonlyMap<string, readonly Candidate[]>,
  { danglingRows }: Attempt,
): readonly (Candidate & Pick<DanglingRow, 'reference'>)[] {
  return danglingRows.flatMap((dangling) => {
    const { reference } = dangling;
    const last = byKey
      .get(keyText(dangling))
      ?.findLast(({ batch }) => reference.columns.every((name) => valueOf(batch, name) !== null));
    return last === undefined ? [] : [{ ...last, reference }];
  });
}

function referenceError(loadSession: LoadSession, batch: LoadBatch, key: ForeignKey): RowError {
  const message = `It references a row of table "${key.table}" that does not exist or was skipped.`;
  const error = new StudioError('foreign_key_violation', message, { columns: key.columns });
  return rowErrorOf(loadSession, batch, { error, first: 0, count: 1, wasInserted: true });
}

/** A row that the load has changed, but that is not found in the file: a trigger or a foreign key action wrote it. */
function unknownRowError({ danglingRows: [dangling] }: Attempt): StudioError {
  const { table, reference } = dangling ?? {};
  return importError([
    {
      code: 'foreign_key_violation',
      message: `A row of table "${table?.name}" would reference a row of table "${reference?.table}" that does not exist.`,
      ...(table && { table: table.name }),
    },
  ]);
}
