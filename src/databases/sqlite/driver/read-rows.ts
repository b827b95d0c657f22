import { isUtf8 } from 'node:buffer';
import { InvalidText } from '../../../model/values.ts';
import { codeOf } from '../../../sql/code.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { Query, Result } from '../../../model/database.ts';
import type { ColumnInfo, ColumnKind } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { Bindings, Statement } from './driver.ts';

/**
 * Exact values almost for free: rows are read as doubles, and read again only where that may have
 * lost something. An integral number of 2^53 or more may be an INTEGER: then every INTEGER comes as
 * bigint, and a number is a REAL. A text with U+FFFD may not be UTF-8: then its bytes come along.
 */
export interface Reading {
  readonly exact: boolean;
  /** Columns whose texts are read as bytes too. */
  readonly bytes: ReadonlySet<number>;
}

/** A query's rows being read, under readings that grow stricter as the rows demand it. */
export interface RowReader {
  readonly query: Query;
  readonly bindings: Bindings;
  readonly prepare: (text: string) => Statement;
  /** By column: of REAL affinity, where every number is a REAL anyway. */
  readonly isReal: readonly boolean[];
  /** Whether a text's bytes, as they are stored, can be told from bad UTF-8. */
  readonly storesUtf8: () => boolean;
}

/** Types that convert nothing on the way in: only the stored class tells 1 from 1.0. */
const classKinds: ReadonlySet<ColumnKind> = new Set(['untyped', 'binary']);

/** Doubles will do at first where every column's type tells INTEGER from REAL. */
export function firstReading(columns: readonly ColumnInfo[] | undefined): Reading {
  const exact = columns === undefined || columns.some(({ type }) => classKinds.has(type.kind));
  return { exact, bytes: new Set() };
}

export function isRealColumns(columns: readonly ColumnInfo[] | undefined): readonly boolean[] {
  return (columns ?? []).map(({ type }) => type.kind === 'float');
}

export function readAll(reader: RowReader, first: Reading): readonly Row[] {
  let reading = first;
  for (;;) {
    const rows = openReading(reader, reading).all(reader.bindings, reading.exact);
    const stricter = stricterReading(reader, reading, rows);
    if (stricter === undefined) return settle(rows, reading);
    reading = stricter;
  }
}

const batchRows = 500;
const batchWeight = 4 * 1024 * 1024;

/** Batches of 500 rows, or fewer where cells are long. A stricter reading starts anew behind the rows that are out. */
export function* readBatches(reader: RowReader, first: Reading): Generator<readonly Row[], void> {
  let reading: Reading | undefined = first;
  let done = 0;
  while (reading !== undefined) {
    const current: Reading = reading;
    reading = undefined;
    const rows = openReading(reader, current).iterate(reader.bindings, current.exact);
    try {
      for (let i = 0; i < done; i++) rows.next();
      for (let batch = take(rows); batch.length > 0; batch = take(rows)) {
        reading = stricterReading(reader, current, batch);
        if (reading !== undefined) break;
        yield settle(batch, current);
        done += batch.length;
      }
    } finally {
      rows.return?.();
    }
  }
}

/** Batches of a statement that must not run twice. */
export function* readOnce(
  statement: Statement,
  bindings: Bindings,
): Generator<readonly Row[], void> {
  const rows = statement.iterate(bindings, true);
  try {
    for (let batch = take(rows); batch.length > 0; batch = take(rows)) yield batch;
  } finally {
    rows.return?.();
  }
}

/** The next rows; none at the end. */
function take(rows: Iterator<Row>): Row[] {
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

function openReading(reader: RowReader, { bytes }: Reading): Statement {
  return reader.prepare(bytes.size === 0 ? reader.query.text : withBytes(reader, bytes));
}

/** The reading that these rows demand beyond the one that they were read by. */
function stricterReading(
  reader: RowReader,
  { exact, bytes }: Reading,
  rows: readonly Row[],
): Reading | undefined {
  const width = (rows[0]?.length ?? 0) - bytes.size;
  const found = new Set<number>();
  let inexact = false;
  for (const row of rows) {
    for (let i = 0; i < width; i++) {
      const value = row[i];
      if (typeof value === 'number')
        inexact ||= !exact && reader.isReal[i] !== true && Math.abs(value) >= 2 ** 53;
      else if (typeof value === 'string' && value.includes('\ufffd') && !bytes.has(i)) found.add(i);
    }
  }
  const readsMore = found.size > 0 && canReadBytes(reader, new Set([...bytes, ...found]));
  if (!inexact && !readsMore) return undefined;
  return { exact: exact || inexact, bytes: readsMore ? new Set([...bytes, ...found]) : bytes };
}

/** PRAGMA, EXPLAIN and RETURNING cannot be read twice. */
function canReadBytes(reader: RowReader, bytes: ReadonlySet<number>): boolean {
  if (!reader.storesUtf8()) return false;
  try {
    reader.prepare(withBytes(reader, bytes));
    return true;
  } catch {
    return false;
  }
}

/** The query with the bytes of some columns' texts behind its own columns. */
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

/** Texts that are not UTF-8 become their bytes, and the columns behind are dropped. */
function settle(rows: readonly Row[], { bytes }: Reading): readonly Row[] {
  if (bytes.size === 0) return rows;
  const columns = [...bytes];
  return rows.map((row) => {
    const width = row.length - columns.length;
    const settled = row.slice(0, width);
    columns.forEach((column, i) => {
      const stored = row[width + i];
      if (stored instanceof Uint8Array && !isUtf8(stored))
        settled[column] = new InvalidText(
          stored.buffer as ArrayBuffer,
          stored.byteOffset,
          stored.byteLength,
        );
    });
    return settled;
  });
}

/** Of a statement that wrote and returned no rows. */
export function writtenResult({ changes, rowId }: ReturnType<Statement['write']>): Result {
  const isExact = Number.isSafeInteger(rowId);
  return {
    columns: [],
    rows: [],
    rowsAffected: changes,
    ...(isExact ? { insertId: BigInt(rowId) } : {}),
  };
}
