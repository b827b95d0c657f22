import { isUtf8 } from 'node:buffer';
import { InvalidText } from '../../../model/values.ts';
import { codeOf } from '../../../portable/lexer/code.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { Query, Result } from '../../../model/database.ts';
import type { ColumnInfo, ColumnKind } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { Bindings, Statement } from './driver.ts';

/**
 * Reading every INTEGER as a bigint is slow. Rows are therefore read with doubles first, and read again
 * only if precision may be lost. If an integral number is 2^53 or more, it may be an INTEGER: then every
 * INTEGER is read as a bigint, and a number is a REAL. If a text contains U+FFFD, it may not be UTF-8:
 * then its bytes are read too.
 */
export interface ReadMode {
  readonly exact: boolean;
  /** Indexes of the columns whose texts are also read as bytes. */
  readonly byteColumns: ReadonlySet<number>;
}

/** Reads the rows of a query, in stricter modes if the rows require it. */
export interface RowReader {
  readonly query: Query;
  readonly bindings: Bindings;
  readonly prepare: (text: string) => Statement;
  /** For each column whether it has REAL affinity, where every number is a REAL. */
  readonly isReal: readonly boolean[];
  /** Whether the file's encoding is UTF-8, so that the stored bytes show whether a text is valid. */
  readonly storesUtf8: () => boolean;
}

/** Types that do not convert values, so that only the storage class distinguishes 1 from 1.0. */
const classKinds: ReadonlySet<ColumnKind> = new Set(['untyped', 'binary']);

/** The first mode uses doubles if every column's type distinguishes INTEGER from REAL. */
export function initialReadMode(columns: readonly ColumnInfo[] | undefined): ReadMode {
  const exact = columns === undefined || columns.some(({ type }) => classKinds.has(type.kind));
  return { exact, byteColumns: new Set() };
}

export function realColumns(columns: readonly ColumnInfo[] | undefined): readonly boolean[] {
  return (columns ?? []).map(({ type }) => type.kind === 'float');
}

export function readAll(reader: RowReader, first: ReadMode): readonly Row[] {
  let mode = first;
  for (;;) {
    const rows = prepareRead(reader, mode).all(reader.bindings, mode.exact);
    const stricter = stricterReadMode(reader, mode, rows);
    if (stricter === undefined) return markInvalidText(rows, mode);
    mode = stricter;
  }
}

const batchRows = 500;
const batchWeight = 4 * 1024 * 1024;

/** Yields batches of 500 rows, or fewer if values are long. A stricter mode runs the query again, and skips the rows that were yielded. */
export function* readBatches(reader: RowReader, first: ReadMode): Generator<readonly Row[], void> {
  let mode: ReadMode | undefined = first;
  let readCount = 0;
  while (mode !== undefined) {
    const current: ReadMode = mode;
    mode = undefined;
    const rows = prepareRead(reader, current).iterate(reader.bindings, current.exact);
    try {
      for (let i = 0; i < readCount; i++) rows.next();
      for (let batch = nextBatch(rows); batch.length > 0; batch = nextBatch(rows)) {
        mode = stricterReadMode(reader, current, batch);
        if (mode !== undefined) break;
        yield markInvalidText(batch, current);
        readCount += batch.length;
      }
    } finally {
      rows.return?.();
    }
  }
}

/** Yields batches of a statement that must not run twice. */
export function* readOnce(
  statement: Statement,
  bindings: Bindings,
): Generator<readonly Row[], void> {
  const rows = statement.iterate(bindings, true);
  try {
    for (let batch = nextBatch(rows); batch.length > 0; batch = nextBatch(rows)) yield batch;
  } finally {
    rows.return?.();
  }
}

/** The next rows; empty at the end. */
function nextBatch(rows: Iterator<Row>): Row[] {
  const batch: Row[] = [];
  let weight = 0;
  while (batch.length < batchRows && weight < batchWeight) {
    const next = rows.next();
    if (next.done === true) break;
    batch.push(next.value);
    weight += weightOf(next.value);
  }
  return batch;
}

function weightOf(row: Row): number {
  let weight = 0;
  for (const value of row)
    if (typeof value === 'string' || value instanceof Uint8Array) weight += value.length;
  return weight;
}

function prepareRead(reader: RowReader, { byteColumns }: ReadMode): Statement {
  return reader.prepare(
    byteColumns.size === 0 ? reader.query.text : withBytes(reader, byteColumns),
  );
}

/** The mode that these rows require; undefined if it is the one that they were read in. */
function stricterReadMode(
  reader: RowReader,
  { exact, byteColumns }: ReadMode,
  rows: readonly Row[],
): ReadMode | undefined {
  const width = (rows[0]?.length ?? 0) - byteColumns.size;
  const found = new Set<number>();
  let inexact = false;
  for (const row of rows) {
    for (let i = 0; i < width; i++) {
      const value = row[i];
      if (typeof value === 'number')
        inexact ||= !exact && reader.isReal[i] !== true && Math.abs(value) >= 2 ** 53;
      else if (typeof value === 'string' && value.includes('\ufffd') && !byteColumns.has(i))
        found.add(i);
    }
  }
  const readsMore = found.size > 0 && canReadBytes(reader, new Set([...byteColumns, ...found]));
  if (!inexact && !readsMore) return undefined;
  return {
    exact: exact || inexact,
    byteColumns: readsMore ? new Set([...byteColumns, ...found]) : byteColumns,
  };
}

/** PRAGMA, EXPLAIN and RETURNING cannot be used in a WITH clause. */
function canReadBytes(reader: RowReader, bytes: ReadonlySet<number>): boolean {
  if (!reader.storesUtf8()) return false;
  try {
    reader.prepare(withBytes(reader, bytes));
    return true;
  } catch {
    return false;
  }
}

/** The query with additional columns: the bytes of some columns' texts. */
function withBytes({ query, prepare }: RowReader, bytes: ReadonlySet<number>): string {
  const name = '"rows read twice"';
  const columns = prepare(query.text)
    .columns()
    .map((_, i) => `c${i}`);
  const texts = [...bytes].map(
    (i) => `CASE typeof(c${i}) WHEN 'text' THEN CAST(c${i} AS BLOB) END`,
  );
  return `WITH ${name}(${columns.join(', ')}) AS (${withoutEnd(query.text)}\n) SELECT ${[...columns, ...texts].join(', ')} FROM ${name}`;
}

function withoutEnd(text: string): string {
  const end = codeOf(text, sqliteLexicalRules).find(({ kind }) => kind === 'delimiter');
  return end === undefined ? text : text.slice(0, end.start);
}

/** Replaces texts that are not UTF-8 by their bytes, and removes the additional columns. */
function markInvalidText(rows: readonly Row[], { byteColumns }: ReadMode): readonly Row[] {
  if (byteColumns.size === 0) return rows;
  const columns = [...byteColumns];
  return rows.map((row) => {
    const width = row.length - columns.length;
    const marked = row.slice(0, width);
    columns.forEach((column, i) => {
      const stored = row[width + i];
      if (stored instanceof Uint8Array && !isUtf8(stored))
        marked[column] = new InvalidText(
          stored.buffer as ArrayBuffer,
          stored.byteOffset,
          stored.byteLength,
        );
    });
    return marked;
  });
}

/** The result of a write without RETURNING. */
export function writtenResult({ changes, rowId }: ReturnType<Statement['write']>): Result {
  const isExact = Number.isSafeInteger(rowId);
  return {
    columns: [],
    rows: [],
    rowsAffected: changes,
    ...(isExact ? { insertId: BigInt(rowId) } : {}),
  };
}
