/** Collects the data of COPY in batches. https://www.postgresql.org/docs/current/sql-copy.html */
import {
  firstCsvChunkBytes,
  newCsvChunk,
  csvChunkBytes,
  reserve,
  takeCsvChunk,
} from '../../csv-chunks.ts';
import type { Row, Value } from '../../../model/values.ts';

/** The driver reuses the buffer passed to `add`, so it must be copied. */
export interface CopyCollector {
  add(data: Buffer): void;
  /** Whether there is enough for a batch. The first one is small, so that the client receives data early. */
  hasBatch(): boolean;
  /** Whether receiving should pause. */
  isFull(): boolean;
  isEmpty(): boolean;
  take(): readonly Row[];
}

const firstBatchRows = 100;
const maxBatchRows = 1000;
const batchBytes = 1_000_000;
const lineFeed = 0x0a;

/** Collects rows of the text format: one line for each row, with tabs between fields. */
export function createCopyLines(decode: (rows: readonly Value[][]) => void): CopyCollector {
  let lines: string[] = [];
  let bytes = 0;
  let rest: Buffer | undefined;
  let targetSize = firstBatchRows;
  return {
    // Servers send one line in each message, but the protocol does not guarantee it.
    add: (data) => {
      const line = rest === undefined ? data : Buffer.concat([rest, data]);
      const isWhole = line.at(-1) === lineFeed;
      rest = isWhole ? undefined : Buffer.from(line);
      if (!isWhole) return;
      lines.push(line.toString('utf8', 0, line.length - 1));
      bytes += line.length;
    },
    hasBatch: () => lines.length >= targetSize || bytes >= batchBytes,
    isFull: () => lines.length >= maxBatchRows || bytes >= batchBytes,
    isEmpty: () => lines.length === 0,
    take: () => {
      const rows = lines.map(readLine);
      decode(rows);
      lines = [];
      bytes = 0;
      targetSize = maxBatchRows;
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

/** Collects messages of any format, one row for each: texts without their line break, or bytes of the binary format. */
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
    hasBatch: () => rows.length > 0,
    isFull: () => rows.length >= maxBatchRows || bytes >= batchBytes,
    isEmpty: () => rows.length === 0,
    take: () => {
      const takenRows = rows;
      rows = [];
      bytes = 0;
      return takenRows;
    },
  };
}

/** Collects lines of another format in chunks, and passes each chunk through `finish`. */
export function createCopyChunks(finish: (lines: Buffer) => Buffer): CopyCollector {
  const chunk = newCsvChunk();
  let targetSize = firstCsvChunkBytes;
  return {
    add: (data) => {
      reserve(chunk, data.length);
      chunk.usedBytes += data.copy(chunk.bytes, chunk.usedBytes);
      if (data.at(-1) === lineFeed) chunk.lines++;
    },
    hasBatch: () => chunk.usedBytes >= targetSize,
    isFull: () => chunk.usedBytes >= 4 * csvChunkBytes,
    isEmpty: () => chunk.usedBytes === 0,
    take: () => {
      targetSize = csvChunkBytes;
      const { bytes, lines } = takeCsvChunk(chunk);
      return [[finish(bytes), lines]];
    },
  };
}
