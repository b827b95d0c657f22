/** Reads the records of a data file as a stream. */
import { StudioError } from '../../../model/errors.ts';
import { maxRowBytes } from '../../row-import.ts';
import { openText } from '../../text-source.ts';
import type { ByteSource } from '../../../portable/files/byte-source.ts';
import type { CopyField } from '../insert/copy-fields.ts';
import type { DataFile } from './data-file.ts';

export interface NumberedRecord {
  readonly fields: readonly CopyField[];
  /** The line on which the record begins. */
  readonly line: number;
  /** In characters, which are bytes. */
  readonly size: number;
}

interface ReadOptions {
  /** That of the request. */
  readonly encoding: string | undefined;
  readonly warn: (message: string) => void;
}

/** Yields the records that each chunk of the file completes. */
export async function* readRecords(
  file: DataFile,
  { encoding, warn }: ReadOptions,
): AsyncGenerator<readonly NumberedRecord[], void, undefined> {
  const reader = createRecordReader(file);
  let next = '';
  for await (const chunk of await openChunks(file, encoding)) {
    next += chunk;
    // Waits until the unread text has doubled, so that a long record is not read again for each chunk.
    if (next.length < reader.unreadLength()) continue;
    yield reader.read(next, false);
    next = '';
    if (reader.unreadLength() > 2 * maxRowBytes) throw reader.tooLong();
    if (reader.isAtEnd()) return;
  }
  yield reader.read(next, true);
  if (file.format.shouldWarnWithoutRows === true && reader.isWithoutRows())
    warn(
      `${file.source.name} is not empty, but no row of it was found. Maybe its lines end with other characters than the statement says.`,
    );
}

interface RecordReader {
  read(more: string, isLast: boolean): readonly NumberedRecord[];
  unreadLength(): number;
  isAtEnd(): boolean;
  /** The file has text, but no record. */
  isWithoutRows(): boolean;
  tooLong(): StudioError;
}

function createRecordReader({ source, format }: DataFile): RecordReader {
  const { skippedLines, lastRecord = Infinity } = format;
  let [text, at, line] = ['', 0, 1];
  let [skipped, count, isAtEnd, hasText] = [0, 0, false, false];
  const moveTo = (end: number): void => {
    line += countLines(text, at, end);
    at = end;
  };
  const failure = (error: unknown): unknown => {
    if (!(error instanceof StudioError)) return error;
    return new StudioError(error.code, `${source.name}, line ${line}: ${error.message}`, { line });
  };
  const readAll = (isLast: boolean): NumberedRecord[] => {
    const records: NumberedRecord[] = [];
    while (skipped < skippedLines && at < text.length) {
      const end = format.skipLine({ text, at, isLast });
      if (end === undefined) return records;
      moveTo(end);
      skipped++;
    }
    while (!isAtEnd) {
      const record = format.readRecord({ text, at, isLast });
      if (record === 'incomplete') return records;
      if (record === 'end' || count >= lastRecord) {
        isAtEnd = true;
        return records;
      }
      count++;
      records.push({ fields: record.fields, line, size: record.end - at });
      moveTo(record.end);
    }
    return records;
  };
  return {
    read: (more, isLast) => {
      text = text.slice(at) + more;
      hasText ||= text !== '';
      at = 0;
      try {
        return readAll(isLast);
      } catch (error) {
        throw failure(error);
      }
    },
    unreadLength: () => text.length - at,
    isAtEnd: () => isAtEnd,
    isWithoutRows: () => count === 0 && hasText,
    tooLong: () =>
      new StudioError(
        'parse_failed',
        `${source.name}: the row that begins on line ${line} is too long; maybe a quote is not closed, or the delimiters are others.`,
        { line, column: 1 },
      ),
  };
}

function countLines(text: string, from: number, to: number): number {
  const record = text.slice(from, to);
  const count = countOf(record, '\n');
  // Files of old systems have carriage returns alone.
  return count === 0 ? countOf(record, '\r') : count;
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/** The file in UTF-8, each byte as a character. */
async function openChunks(
  { source, encoding: fileEncoding }: DataFile,
  requested: string | undefined,
): Promise<AsyncIterable<string>> {
  // The Encoding Standard reads this name as windows-1252.
  if (fileEncoding === 'latin1') return chunksOf(latin1Text(source));
  const ofStatement = fileEncoding === 'utf8' ? 'utf-8' : fileEncoding;
  const encoding = ofStatement === 'utf-16' ? 'utf-16le' : (ofStatement ?? requested);
  const text = await openText(source, { encoding, guesses: false });
  return chunksOf(text.open());
}

async function* chunksOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const chunk of bytes) yield chunk.toString('latin1');
}

async function* latin1Text({ open }: ByteSource): AsyncGenerator<Buffer> {
  for await (const chunk of open()) yield Buffer.from(Buffer.from(chunk).toString('latin1'));
}
