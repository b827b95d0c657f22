/** What COPY sends, gathered into batches. https://www.postgresql.org/docs/current/sql-copy.html */
import {
  firstCsvChunkBytes,
  newCsvChunk,
  csvChunkBytes,
  reserve,
  takeCsvChunk,
} from '../../csv-chunks.ts';
import type { Row, Value } from '../../../model/values.ts';

/** The data handed in is the driver's, who writes over it afterwards. */
export interface CopyCollector {
  add(data: Buffer): void;
  /** For a batch: the first is small, so that nobody waits for it. */
  isEnough(): boolean;
  /** So that no more should come for now. */
  isFull(): boolean;
  isEmpty(): boolean;
  take(): readonly Row[];
}

const firstBatchRows = 100;
const mostBatchRows = 1000;
const batchBytes = 1_000_000;
const lineFeed = 0x0a;

/** Rows of the text format: a line each, fields parted by tabs. */
export function createCopyLines(decode: (rows: readonly Value[][]) => void): CopyCollector {
  let lines: string[] = [];
  let bytes = 0;
  let rest: Buffer | undefined;
  let wanted = firstBatchRows;
  return {
    // A message is a line, as servers send them, but need not be.
    add: (data) => {
      const line = rest === undefined ? data : Buffer.concat([rest, data]);
      const isWhole = line.at(-1) === lineFeed;
      rest = isWhole ? undefined : Buffer.from(line);
      if (!isWhole) return;
      lines.push(line.toString('utf8', 0, line.length - 1));
      bytes += line.length;
    },
    isEnough: () => lines.length >= wanted || bytes >= batchBytes,
    isFull: () => lines.length >= mostBatchRows || bytes >= batchBytes,
    isEmpty: () => lines.length === 0,
    take: () => {
      const rows = lines.map(readLine);
      decode(rows);
      lines = [];
      bytes = 0;
      wanted = mostBatchRows;
      return rows;
    },
  };
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function readLine(line: string): Value[] {
  const fields: Value[] = line.split('\t');
  if (!line.includes('\\')) return fields;
  return fields.map((field) => {
    if (field === '\\N') return null;
    const text = String(field);
    if (!text.includes('\\')) return text;
    return text.replaceAll(/\\(.)/g, (_, character: string) => escapes[character] ?? character);
  });
}

const binarySignature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');

/** Any format, a row a message: texts without their line's end; of the binary format, bytes. */
export function createCopyMessages(): CopyCollector {
  let rows: Row[] = [];
  let bytes = 0;
  let isBinary: boolean | undefined;
  const valueOf = (data: Buffer): Value => {
    if (isBinary === true) return Uint8Array.from(data);
    return data.toString('utf8', 0, data.at(-1) === lineFeed ? data.length - 1 : data.length);
  };
  return {
    add: (data) => {
      isBinary ??= data.subarray(0, binarySignature.length).equals(binarySignature);
      rows.push([valueOf(data)]);
      bytes += data.length;
    },
    isEnough: () => rows.length > 0,
    isFull: () => rows.length >= mostBatchRows || bytes >= batchBytes,
    isEmpty: () => rows.length === 0,
    take: () => {
      const taken = rows;
      rows = [];
      bytes = 0;
      return taken;
    },
  };
}

/** Another format's lines, finished: rows of their bytes and their number. */
export function createCopyPieces(finish: (lines: Buffer) => Buffer): CopyCollector {
  const piece = newCsvChunk();
  let wanted = firstCsvChunkBytes;
  return {
    add: (data) => {
      reserve(piece, data.length);
      piece.used += data.copy(piece.bytes, piece.used);
      if (data.at(-1) === lineFeed) piece.lines++;
    },
    isEnough: () => piece.used >= wanted,
    isFull: () => piece.used >= 4 * csvChunkBytes,
    isEmpty: () => piece.used === 0,
    take: () => {
      wanted = csvChunkBytes;
      const { bytes, lines } = takeCsvChunk(piece);
      return [[finish(bytes), lines]];
    },
  };
}
