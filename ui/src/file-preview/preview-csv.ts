import { rowsShown } from './file-preview.ts';
import type { FileHead, FilePreview, FileRow, ReadOptions } from './file-preview.ts';

const candidates = [',', ';', '\t', '|'] as const;

/** The first bytes of a file. */
export interface FirstBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
}

export interface CsvPreview extends FilePreview {
  readonly head: FileHead;
}

export function previewCsv(
  { bytes, isWhole }: FirstBytes,
  { delimiter, encoding }: ReadOptions,
): CsvPreview {
  const text = encoding === undefined ? decode(bytes) : new TextDecoder(encoding).decode(bytes);
  const separatorLine = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/.exec(text);
  const rest = text.slice(separatorLine?.[0].length ?? 0);
  const fieldDelimiter = delimiter ?? separatorLine?.[1] ?? findDelimiter(rest, isWhole);
  const [header = [], ...rows] = readRecords(rest, fieldDelimiter, isWhole);
  const head = { columns: header.map((name) => name ?? ''), rows };
  return delimiter === undefined && separatorLine !== null
    ? { head }
    : { head, delimiter: fieldDelimiter };
}

/** Decodes text by its byte order mark, else as UTF-8, else as Windows-1252. */
function decode(bytes: Uint8Array<ArrayBuffer>): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Prefers the delimiter that splits all first rows into the same number of fields, then the one with the most fields. */
function findDelimiter(text: string, isWhole: boolean): string {
  const scored = candidates.map((candidate) => {
    const records = readRecords(text, candidate, isWhole);
    const width = records[0]?.length ?? 1;
    const isEven = width > 1 && records.every((record) => record.length === width);
    return { candidate, score: isEven ? 1000 + width : width };
  });
  return scored.reduce((best, other) => (other.score > best.score ? other : best)).candidate;
}

/** Parses the header and the first rows. A record that the slice cut off is dropped. */
function readRecords(text: string, delimiter: string, isWhole: boolean): readonly FileRow[] {
  const escapedDelimiter = delimiter === '\t' ? '\\t' : `\\${delimiter}`;
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${escapedDelimiter}\\r\\n"][^${escapedDelimiter}\\r\\n]*)|)(${escapedDelimiter}|\\r\\n|\\r|\\n|$)`,
    'y',
  );
  const records: FileRow[] = [];
  let record: (string | null)[] = [];
  while (records.length <= rowsShown && field.lastIndex < text.length) {
    const [found, quoted, plain, end] = field.exec(text) ?? [];
    if (found === undefined) break;
    record.push(quoted?.replaceAll('""', '"') ?? plain ?? null);
    if (end === delimiter) continue;
    const isCut = end === '' && !isWhole;
    const isEmptyLine = record.length === 1 && record[0] === null;
    if (!isCut && !isEmptyLine) records.push(record);
    record = [];
  }
  return records;
}
