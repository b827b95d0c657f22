/**
 * Lines of CSV out of rows of the text protocol, by their bytes: most values are cells as they are,
 * and none becomes a string that need not.
 */
import { textCellEncoder } from '../../../model/text-cells.ts';
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

/** A row as it has come; it is the driver's, who writes over it afterwards. */
export interface RowPacket {
  readonly buffer: Buffer;
  readonly offset: number;
  readonly end: number;
}

/** A value in a row's bytes. */
interface Cell {
  bytes: Buffer;
  start: number;
  end: number;
  /** Where the next one begins, whatever a writer makes of this. */
  next: number;
}

/** Writes a value that is not NULL into a piece that has room for it. */
type WriteCell = (piece: CsvChunk, cell: Cell) => void;

/** Bytes by the characters that they are. */
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

/** What a cell may need beside twice the bytes of its value. */
const spareBytes = 32;

export function createCsvLines({ columns, guarded }: CsvCells): RowCollector<RowPacket> {
  const writers = columns.map((column) =>
    writerOf(column, { guarded, alone: columns.length === 1 }),
  );
  const cell: Cell = { bytes: Buffer.alloc(0), start: 0, end: 0, next: 0 };
  const ready: Row[][] = [];
  const piece = newCsvChunk();
  let wanted = firstCsvChunkBytes;

  const finish = (): void => {
    if (piece.used === 0) return;
    const { bytes, lines } = takeCsvChunk(piece);
    ready.push([[bytes, lines]]);
    wanted = csvChunkBytes;
  };
  return {
    add: ({ buffer, offset, end }) => {
      reserve(piece, 2 * (end - offset) + spareBytes * writers.length);
      cell.bytes = buffer;
      cell.next = offset;
      for (let i = 0; i < writers.length; i++) {
        if (i > 0) piece.bytes[piece.used++] = byteOf[','];
        if (findNext(cell)) writers[i]!(piece, cell);
      }
      piece.bytes[piece.used++] = byteOf['\n'];
      piece.lines++;
      if (piece.used >= wanted) finish();
    },
    finish,
    count: () => ready.length,
    take: () => ready.shift(),
    clear: () => void (ready.length = 0),
  };
}

/** Goes to the value that begins where the last one ended, behind its length; false for NULL. */
function findNext(cell: Cell): boolean {
  const { bytes, next: at } = cell;
  const first = bytes[at]!;
  const isShort = first < nullMark;
  cell.start = isShort ? at + 1 : at + 1 + (lengthWidths[first - nullMark] ?? 0);
  cell.end = cell.start + (isShort ? first : readLength(bytes, at));
  cell.next = cell.end;
  return first !== nullMark;
}

const nullMark = 0xfb;
/** Of lengths that are no single byte, and of NULL. */
const lengthWidths = [0, 2, 3, 8];

function readLength(bytes: Buffer, at: number): number {
  const width = lengthWidths[bytes[at]! - nullMark] ?? 0;
  if (width === 0) return 0;
  return width === 8 ? Number(bytes.readBigUInt64LE(at + 1)) : bytes.readUIntLE(at + 1, width);
}

interface CellOptions {
  readonly guarded: boolean;
  /** On its line. */
  readonly alone: boolean;
}

function writerOf(column: Column, { guarded, alone }: CellOptions): WriteCell {
  const text = guarded ? writeGuarded : writeText;
  const writer = writers[column.type.kind]?.(column, text) ?? text;
  if (!alone) return writer;
  // `\.` alone on a line would end COPY's data.
  return (piece, cell) => (isEndMark(cell) ? writeQuoted(piece, cell) : writer(piece, cell));
}

function isEndMark({ bytes, start, end }: Cell): boolean {
  return end - start === 2 && bytes[start] === byteOf['\\'] && bytes[start + 1] === byteOf['.'];
}

const writers: Partial<Record<ColumnKind, (column: Column, text: WriteCell) => WriteCell>> = {
  integer: () => writeInteger,
  decimal: () => copy,
  boolean: () => writeFlag,
  float: floatWriter,
  binary: () => writeHex,
  timestamp: ({ type }) => momentWriter(type.kind === 'timestamp' && type.zone === true),
  time: (_, text) => (piece, cell) => text(piece, withoutNeedlessZeros(cell)),
};

/** Longer ones are copied faster by the system. */
const shortBytes = 32;

function copy(piece: CsvChunk, { bytes, start, end }: Cell): void {
  let at = piece.used;
  if (end - start > shortBytes) at += bytes.copy(piece.bytes, at, start, end);
  else for (let i = start; i < end; i++) piece.bytes[at++] = bytes[i]!;
  piece.used = at;
}

function put(piece: CsvChunk, text: string): void {
  piece.used += piece.bytes.write(text, piece.used, 'latin1');
}

/** ZEROFILL and years have zeros in front. */
function writeInteger(piece: CsvChunk, cell: Cell): void {
  while (cell.end - cell.start > 1 && cell.bytes[cell.start] === byteOf['0']) cell.start++;
  copy(piece, cell);
}

function writeFlag(piece: CsvChunk, cell: Cell): void {
  const { bytes, start, end } = cell;
  const digit = end - start === 1 ? bytes[start]! - byteOf['0'] : -1;
  if (digit === 0 || digit === 1) put(piece, digit === 1 ? 'true' : 'false');
  else copy(piece, cell);
}

/** The server's form is JavaScript's, but for exponents, small numbers and the byteOf['0'] with a sign. */
function floatWriter(column: Column): WriteCell {
  const encode = textCellEncoder(column);
  return (piece, cell) => {
    if (isPlainFloat(cell)) copy(piece, cell);
    else put(piece, encode(Number(cell.bytes.toString('latin1', cell.start, cell.end))));
  };
}

const longestExponent = 'e-308'.length;

function isPlainFloat(cell: Cell): boolean {
  const { bytes, start, end } = cell;
  const first = bytes[start] === byteOf['-'] ? start + 1 : start;
  const isSignedZero = first > start && end - first === 1;
  if (bytes[first] === byteOf['0'] && (isSignedZero || bytes[first + 2] === byteOf['0']))
    return false;
  return !endHas(cell, byteOf.e, longestExponent);
}

/** Whether a byte is among the last ones. */
function endHas({ bytes, start, end }: Cell, byte: number, last: number): boolean {
  for (let i = Math.max(start, end - last); i < end; i++) if (bytes[i] === byte) return true;
  return false;
}

function writeHex(piece: CsvChunk, { bytes, start, end }: Cell): void {
  put(piece, '\\x');
  put(piece, bytes.toString('hex', start, end));
}

/** `2026-01-31 13:05:00.250000` as `2026-01-31T13:05:00.25`; a byteOf['0'] month or day ISO 8601 cannot say. */
function momentWriter(isZoned: boolean): WriteCell {
  return (piece, cell) => {
    const isNoDay = isZeroAt(cell, 5) || isZeroAt(cell, 8);
    const { end } = cell;
    const at = piece.used;
    withoutNeedlessZeros(cell);
    // Of such a one the values have all of its fraction, or none.
    if (isNoDay && endHas(cell, byteOf['.'], longestFraction)) cell.end = end;
    copy(piece, cell);
    if (isNoDay) return;
    piece.bytes[at + 10] = byteOf.T;
    if (isZoned) piece.bytes[piece.used++] = byteOf.Z;
  };
}

function isZeroAt({ bytes, start }: Cell, offset: number): boolean {
  return bytes[start + offset] === byteOf['0'] && bytes[start + offset + 1] === byteOf['0'];
}

const longestFraction = '.123456'.length;

function withoutNeedlessZeros(cell: Cell): Cell {
  const { bytes } = cell;
  if (!endHas(cell, byteOf['.'], longestFraction)) return cell;
  while (bytes[cell.end - 1] === byteOf['0']) cell.end--;
  if (bytes[cell.end - 1] === byteOf['.']) cell.end--;
  return cell;
}

/** 1 for the bytes of these characters. */
function marking(characters: string): Uint8Array {
  const marks = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) marks[byte] = 1;
  return marks;
}

const isMark = marking('",\n\r');
const mayRun = marking("'=+-@\t\r");

/** What a spreadsheet would run gets an apostrophe, in the place of its length, which has been read. */
function writeGuarded(piece: CsvChunk, cell: Cell): void {
  if (isRun(cell)) cell.bytes[--cell.start] = byteOf["'"];
  writeText(piece, cell);
}

function isRun({ bytes, start, end }: Cell): boolean {
  if (mayRun[bytes[start]!] === 0) return false;
  let first = start;
  while (first < end && bytes[first] === byteOf["'"]) first++;
  return first < end && mayRun[bytes[first]!] === 1;
}

function writeText(piece: CsvChunk, cell: Cell): void {
  const { bytes, start, end } = cell;
  const into = piece.bytes;
  let at = piece.used;
  let marks = start === end ? 1 : 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    marks |= isMark[byte]!;
    into[at++] = byte;
  }
  if (marks === 0) piece.used = at;
  else writeQuoted(piece, cell);
}

function writeQuoted(piece: CsvChunk, { bytes, start, end }: Cell): void {
  const into = piece.bytes;
  let at = piece.used;
  into[at++] = byteOf['"'];
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === byteOf['"']) into[at++] = byteOf['"'];
    into[at++] = byte;
  }
  into[at++] = byteOf['"'];
  piece.used = at;
}
