/**
 * Builds CSV lines from the bytes of text protocol rows. Most values are copied as they are, and
 * values become JavaScript strings only where necessary.
 * https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset_row.html
 */
import { textCellEncoder } from '../../../model/values/text-cells.ts';
import {
  firstCsvChunkBytes,
  newCsvChunk,
  csvChunkBytes,
  reserve,
  takeCsvChunk,
} from '../../csv-chunks.ts';
import type { CsvCells } from '../../../model/database.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { CsvChunk } from '../../csv-chunks.ts';
import type { RowCollector } from './row-stream.ts';

/** A row packet. The driver owns the buffer and overwrites it afterwards. */
export interface RowPacket {
  readonly buffer: Buffer;
  readonly offset: number;
  readonly end: number;
}

/** The position of a value within the bytes of a row. */
interface Cell {
  bytes: Buffer;
  start: number;
  end: number;
  /** Start of the next value. Writers may change `start` and `end`, but not this. */
  next: number;
}

/** Writes a value that is not NULL into a chunk with enough space. */
type WriteCell = (chunk: CsvChunk, cell: Cell) => void;

/** Byte codes of characters. */
const byteOf = {
  ',': 0x2c,
  '\n': 0x0a,
  '"': 0x22,
  '\\': 0x5c,
  "'": 0x27,
  '0': 0x30,
  '-': 0x2d,
  '.': 0x2e,
  e: 0x65,
  T: 0x54,
  Z: 0x5a,
} as const;

/** Space that a cell may need in addition to twice the size of its value. */
const spareBytes = 32;

export function createCsvLines({ columns, guarded }: CsvCells): RowCollector<RowPacket> {
  const writers = columns.map((column) =>
    writerOf(column, { guarded, isOnlyCell: columns.length === 1 }),
  );
  const cell: Cell = { bytes: Buffer.alloc(0), start: 0, end: 0, next: 0 };
  const ready: Row[][] = [];
  const chunk = newCsvChunk();
  let targetBytes = firstCsvChunkBytes;

  const finish = (): void => {
    if (chunk.usedBytes === 0) return;
    const { bytes, lines } = takeCsvChunk(chunk);
    ready.push([[bytes, lines]]);
    targetBytes = csvChunkBytes;
  };
  return {
    add: ({ buffer, offset, end }) => {
      reserve(chunk, 2 * (end - offset) + spareBytes * writers.length);
      cell.bytes = buffer;
      cell.next = offset;
      for (let i = 0; i < writers.length; i++) {
        if (i > 0) chunk.bytes[chunk.usedBytes++] = byteOf[','];
        if (findNext(cell)) writers[i]!(chunk, cell);
      }
      chunk.bytes[chunk.usedBytes++] = byteOf['\n'];
      chunk.lines++;
      if (chunk.usedBytes >= targetBytes) finish();
    },
    finish,
    count: () => ready.length,
    take: () => ready.shift(),
    clear: () => void (ready.length = 0),
  };
}

/** Moves to the next value and reads its length prefix; false for NULL. */
function findNext(cell: Cell): boolean {
  const { bytes, next: at } = cell;
  const first = bytes[at]!;
  const isShort = first < nullMarker;
  cell.start = isShort ? at + 1 : at + 1 + (lengthWidths[first - nullMarker] ?? 0);
  cell.end = cell.start + (isShort ? first : readLength(bytes, at));
  cell.next = cell.end;
  return first !== nullMarker;
}

const nullMarker = 0xfb;
/** Number of length bytes after the first bytes 0xfb (NULL), 0xfc, 0xfd and 0xfe. */
const lengthWidths = [0, 2, 3, 8];

function readLength(bytes: Buffer, at: number): number {
  const width = lengthWidths[bytes[at]! - nullMarker] ?? 0;
  if (width === 0) return 0;
  return width === 8 ? Number(bytes.readBigUInt64LE(at + 1)) : bytes.readUIntLE(at + 1, width);
}

interface CellOptions {
  readonly guarded: boolean;
  /** The cell is the only one of its line. */
  readonly isOnlyCell: boolean;
}

function writerOf(column: Column, { guarded, isOnlyCell }: CellOptions): WriteCell {
  const text = guarded ? writeGuarded : writeText;
  const writer = writers[column.type.kind]?.(column, text) ?? text;
  if (!isOnlyCell) return writer;
  // A line with only `\.` would end the data of PostgreSQL's COPY.
  return (chunk, cell) =>
    isEndOfDataMarker(cell) ? writeQuoted(chunk, cell) : writer(chunk, cell);
}

function isEndOfDataMarker({ bytes, start, end }: Cell): boolean {
  return end - start === 2 && bytes[start] === byteOf['\\'] && bytes[start + 1] === byteOf['.'];
}

const writers: Partial<Record<ColumnKind, (column: Column, text: WriteCell) => WriteCell>> = {
  integer: () => writeInteger,
  decimal: () => copy,
  boolean: () => writeFlag,
  float: floatWriter,
  binary: () => writeHex,
  timestamp: ({ type }) => timestampWriter(type.kind === 'timestamp' && type.zone === true),
  time: (_, text) => (chunk, cell) => text(chunk, withoutTrailingZeros(cell)),
};

/** Longer values are copied faster by Buffer.copy. */
const shortBytes = 32;

function copy(chunk: CsvChunk, { bytes, start, end }: Cell): void {
  let at = chunk.usedBytes;
  if (end - start > shortBytes) at += bytes.copy(chunk.bytes, at, start, end);
  else for (let i = start; i < end; i++) chunk.bytes[at++] = bytes[i]!;
  chunk.usedBytes = at;
}

function writeAscii(chunk: CsvChunk, text: string): void {
  chunk.usedBytes += chunk.bytes.write(text, chunk.usedBytes, 'latin1');
}

/** Removes the leading zeros of ZEROFILL columns and years. */
function writeInteger(chunk: CsvChunk, cell: Cell): void {
  while (cell.end - cell.start > 1 && cell.bytes[cell.start] === byteOf['0']) cell.start++;
  copy(chunk, cell);
}

function writeFlag(chunk: CsvChunk, cell: Cell): void {
  const { bytes, start, end } = cell;
  const digit = end - start === 1 ? bytes[start]! - byteOf['0'] : -1;
  if (digit === 0 || digit === 1) writeAscii(chunk, digit === 1 ? 'true' : 'false');
  else copy(chunk, cell);
}

/** The server formats numbers as JavaScript does, except with exponents, numbers below 0.1 and negative zero. */
function floatWriter(column: Column): WriteCell {
  const encode = textCellEncoder(column);
  return (chunk, cell) => {
    if (isPlainFloat(cell)) copy(chunk, cell);
    else writeAscii(chunk, encode(Number(cell.bytes.toString('latin1', cell.start, cell.end))));
  };
}

const maxExponentLength = 'e-308'.length;

function isPlainFloat(cell: Cell): boolean {
  const { bytes, start, end } = cell;
  const first = bytes[start] === byteOf['-'] ? start + 1 : start;
  const isSignedZero = first > start && end - first === 1;
  if (bytes[first] === byteOf['0'] && (isSignedZero || bytes[first + 2] === byteOf['0']))
    return false;
  return !endHas(cell, byteOf.e, maxExponentLength);
}

/** Whether a byte is among the last bytes of the value. */
function endHas({ bytes, start, end }: Cell, byte: number, last: number): boolean {
  for (let i = Math.max(start, end - last); i < end; i++) if (bytes[i] === byte) return true;
  return false;
}

function writeHex(chunk: CsvChunk, { bytes, start, end }: Cell): void {
  writeAscii(chunk, '\\x');
  writeAscii(chunk, bytes.toString('hex', start, end));
}

/** Writes `2026-01-31 13:05:00.250000` as `2026-01-31T13:05:00.25`. A date with a zero month or day stays as it is: ISO 8601 has none. */
function timestampWriter(isZoned: boolean): WriteCell {
  return (chunk, cell) => {
    const hasZeroDate = isZeroAt(cell, 5) || isZeroAt(cell, 8);
    const { end } = cell;
    const at = chunk.usedBytes;
    withoutTrailingZeros(cell);
    // As in JSON, such a date keeps all digits of a nonzero fraction.
    if (hasZeroDate && endHas(cell, byteOf['.'], maxFractionLength)) cell.end = end;
    copy(chunk, cell);
    if (hasZeroDate) return;
    chunk.bytes[at + 10] = byteOf.T;
    if (isZoned) chunk.bytes[chunk.usedBytes++] = byteOf.Z;
  };
}

function isZeroAt({ bytes, start }: Cell, offset: number): boolean {
  return bytes[start + offset] === byteOf['0'] && bytes[start + offset + 1] === byteOf['0'];
}

const maxFractionLength = '.123456'.length;

function withoutTrailingZeros(cell: Cell): Cell {
  const { bytes } = cell;
  if (!endHas(cell, byteOf['.'], maxFractionLength)) return cell;
  while (bytes[cell.end - 1] === byteOf['0']) cell.end--;
  if (bytes[cell.end - 1] === byteOf['.']) cell.end--;
  return cell;
}

/** A table with 1 for the bytes of these characters. */
function byteSet(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) table[byte] = 1;
  return table;
}

const needsQuotes = byteSet('",\n\r');
const startsFormula = byteSet("'=+-@\t\r");

/** Prefixes text that a spreadsheet would run as a formula with an apostrophe. It overwrites the length byte, which has been read. */
function writeGuarded(chunk: CsvChunk, cell: Cell): void {
  if (isFormula(cell)) cell.bytes[--cell.start] = byteOf["'"];
  writeText(chunk, cell);
}

function isFormula({ bytes, start, end }: Cell): boolean {
  if (startsFormula[bytes[start]!] === 0) return false;
  let first = start;
  while (first < end && bytes[first] === byteOf["'"]) first++;
  return first < end && startsFormula[bytes[first]!] === 1;
}

function writeText(chunk: CsvChunk, cell: Cell): void {
  const { bytes, start, end } = cell;
  const into = chunk.bytes;
  let at = chunk.usedBytes;
  // A bit instead of a boolean, so that the loop has no branch.
  let isQuoted = start === end ? 1 : 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    isQuoted |= needsQuotes[byte]!;
    into[at++] = byte;
  }
  if (isQuoted === 0) chunk.usedBytes = at;
  else writeQuoted(chunk, cell);
}

function writeQuoted(chunk: CsvChunk, { bytes, start, end }: Cell): void {
  const into = chunk.bytes;
  let at = chunk.usedBytes;
  into[at++] = byteOf['"'];
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === byteOf['"']) into[at++] = byteOf['"'];
    into[at++] = byte;
  }
  into[at++] = byteOf['"'];
  chunk.usedBytes = at;
}
