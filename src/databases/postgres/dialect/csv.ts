import { randomBytes } from 'node:crypto';
import { csvChunkColumns } from '../../csv-chunks.ts';
import { nativeTag } from './types.ts';
import type { CsvDialect, Query } from '../../../model/database.ts';
import type { Column, ColumnType } from '../../../model/schema.ts';

/**
 * COPY quotes CSV as the studio does. Cheap expressions adapt values that COPY formats differently. If
 * there is none for a column, the studio formats the rows itself.
 */
export const postgresCsv: CsvDialect = {
  cell: (name, { type }, guarded) => (cells[type.kind] ?? anyText)(name, { type, guarded }),
  lines: (select: Query): Query => ({
    text: `COPY (${select.text}) TO STDOUT WITH (FORMAT csv)`,
    params: select.params,
    columns: csvChunkColumns,
  }),
};

interface Cell {
  readonly type: ColumnType;
  /** Whether a text that a spreadsheet would read as a formula gets an apostrophe. */
  readonly guarded: boolean;
}

type CellExpression = (name: string, cell: Cell) => string | undefined;

const unchanged: CellExpression = (name) => name;

const cells: Partial<Record<Column['type']['kind'], CellExpression>> = {
  integer: unchanged,
  decimal: (name, { type }) => (nativeTag(type) === 'money' ? `${name}::numeric` : name),
  boolean: (name) => `${name}::text`,
  float,
  binary: unchanged,
  time: (name, { type }) => (type.kind === 'time' && type.zone === true ? undefined : name),
  timestamp,
  array: () => undefined,
};

/** A cast to text removes the trailing spaces of character(n). */
function anyText(name: string, { type, guarded }: Cell): string | undefined {
  const isPadded = type.kind === 'text' && type.fixed === true;
  if (!guarded) return isPadded ? name : `${name}::text`;
  return isPadded ? undefined : guardedText(`${name}::text`);
}

/** For most texts, a fast test of the first character shows that they are not a formula. */
function guardedText(value: string): string {
  const isFormula = String.raw`${value} ~ '^''*[-=+@\t\r]'`;
  return `CASE WHEN ascii(${value}) IN (9, 13, 39, 43, 45, 61, 64) AND ${isFormula} THEN '''' || ${value} ELSE ${value} END`;
}

/** ISO 8601 for years 1 to 9999, like the studio's own values. Sessions are in UTC. */
function timestamp(name: string, { type, guarded }: Cell): string {
  const isZoned = type.kind === 'timestamp' && type.zone === true;
  const local = `replace(${name}::text, ' ', 'T')`;
  const iso = isZoned ? `replace(${local}, '+00', 'Z')` : local;
  const other = guarded ? guardedText(`${name}::text`) : `${name}::text`;
  return `CASE WHEN ${name} >= '0001-01-01' AND ${name} < '10000-01-01' THEN ${iso} ELSE ${other} END`;
}

/**
 * Numbers without an exponent have the same text as in JavaScript. Others differ, and from 2^53 on may
 * have more digits than necessary. They get a marker, and `reformatFloats` formats them again.
 */
function float(name: string, { type }: Cell): string {
  const limit = type.kind === 'float' && type.bits === 32 ? '1e6' : '1e15';
  const isPlain = `abs(${name}) >= 1e-4 AND abs(${name}) < ${limit} OR ${name} = 0`;
  return `CASE WHEN ${isPlain} THEN ${name}::text ELSE '${floatMarker}' || ${name}::text END`;
}

/** Random for each process, so that no text contains it. */
const floatMarker = `float-${randomBytes(12).toString('hex')}:`;
const markedFloat = new RegExp(`${floatMarker}([^,\\n]+)`, 'g');

/** Formats the marked numbers in whole lines as JavaScript does. */
export function reformatFloats(lines: Buffer): Buffer {
  if (!lines.includes(floatMarker)) return lines;
  const text = lines
    .toString()
    .replaceAll(markedFloat, (_, digits: string) => String(Number(digits)));
  return Buffer.from(text);
}
