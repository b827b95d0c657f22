import { randomBytes } from 'node:crypto';
import { csvChunkColumns } from '../../csv-chunks.ts';
import { nativeMark } from './types.ts';
import type { CsvDialect, Query } from '../../../model/database.ts';
import type { Column, ColumnType } from '../../../model/schema.ts';

/**
 * COPY quotes as the studio does. What else differs is spelled by expressions that cost little; a
 * column for which there is none has its rows written by the studio.
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
  readonly guarded: boolean;
}

type Spell = (name: string, cell: Cell) => string | undefined;

const asItIs: Spell = (name) => name;

const cells: Partial<Record<Column['type']['kind'], Spell>> = {
  integer: asItIs,
  decimal: (name, { type }) => (nativeMark(type) === 'money' ? `${name}::numeric` : name),
  boolean: (name) => `${name}::text`,
  float,
  binary: asItIs,
  time: (name, { type }) => (type.kind === 'time' && type.zone === true ? undefined : name),
  timestamp,
  array: () => undefined,
};

/** A cast takes the blanks from the end of character(n). */
function anyText(name: string, { type, guarded }: Cell): string | undefined {
  const isPadded = type.kind === 'text' && type.fixed === true;
  if (!guarded) return isPadded ? name : `${name}::text`;
  return isPadded ? undefined : guardedText(`${name}::text`);
}

/** The first character alone says of most texts that they are no formula. */
function guardedText(value: string): string {
  const runs = String.raw`${value} ~ '^''*[-=+@\t\r]'`;
  return `CASE WHEN ascii(${value}) IN (9, 13, 39, 43, 45, 61, 64) AND ${runs} THEN '''' || ${value} ELSE ${value} END`;
}

/** ISO 8601 for the years that it knows; the sessions are in UTC. */
function timestamp(name: string, { type, guarded }: Cell): string {
  const isZoned = type.kind === 'timestamp' && type.zone === true;
  const local = `replace(${name}::text, ' ', 'T')`;
  const iso = isZoned ? `replace(${local}, '+00', 'Z')` : local;
  const other = guarded ? guardedText(`${name}::text`) : `${name}::text`;
  return `CASE WHEN ${name} >= '0001-01-01' AND ${name} < '10000-01-01' THEN ${iso} ELSE ${other} END`;
}

/**
 * Written as JavaScript writes it, as long as there is no exponent: beyond, it has another form, and
 * from 2^53 on sometimes more digits than it needs. Such a number is marked, to be written anew.
 */
function float(name: string, { type }: Cell): string {
  const beyond = type.kind === 'float' && type.bits === 32 ? '1e6' : '1e15';
  const isPlain = `abs(${name}) >= 1e-4 AND abs(${name}) < ${beyond} OR ${name} = 0`;
  return `CASE WHEN ${isPlain} THEN ${name}::text ELSE '${mark}' || ${name}::text END`;
}

/** Of this process alone, so that no text can have it. */
const mark = `float-${randomBytes(12).toString('hex')}:`;
const marked = new RegExp(`${mark}([^,\\n]+)`, 'g');

/** Whole lines, with the numbers that are marked in them written anew. */
export function finishLines(lines: Buffer): Buffer {
  if (!lines.includes(mark)) return lines;
  const text = lines.toString().replaceAll(marked, (_, digits: string) => String(Number(digits)));
  return Buffer.from(text);
}
