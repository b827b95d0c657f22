import { rowsShown } from './file-look.ts';
import type { FileHead, FileLook, FileRow, Manner } from './file-look.ts';

const candidates = [',', ';', '\t', '|'] as const;

/** How a file begins. */
export interface FirstBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
}

export interface CsvLook extends FileLook {
  readonly head: FileHead;
}

export function lookIntoCsv(
  { bytes, isWhole }: FirstBytes,
  { delimiter, encoding }: Manner,
): CsvLook {
  const text = encoding === undefined ? decode(bytes) : new TextDecoder(encoding).decode(bytes);
  const told = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/.exec(text);
  const rest = text.slice(told?.[0].length ?? 0);
  const chosen = delimiter ?? told?.[1] ?? findDelimiter(rest, isWhole);
  const [header = [], ...rows] = readRecords(rest, chosen, isWhole);
  const head = { columns: header.map((name) => name ?? ''), rows };
  return delimiter === undefined && told !== null ? { head } : { head, delimiter: chosen };
}

/** By its byte order mark, else as UTF-8, else as what Windows wrote before that. */
function decode(bytes: Uint8Array<ArrayBuffer>): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** What divides all the first rows alike, then what divides the most. */
function findDelimiter(text: string, isWhole: boolean): string {
  const scored = candidates.map((candidate) => {
    const records = readRecords(text, candidate, isWhole);
    const width = records[0]?.length ?? 1;
    const isEven = width > 1 && records.every((record) => record.length === width);
    return { candidate, score: isEven ? 1000 + width : width };
  });
  return scored.reduce((best, other) => (other.score > best.score ? other : best)).candidate;
}

/** The header and the first rows; a record that the slice cut in two is not one of them. */
function readRecords(text: string, delimiter: string, isWhole: boolean): readonly FileRow[] {
  const sign = delimiter === '\t' ? '\\t' : `\\${delimiter}`;
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${sign}\\r\\n"][^${sign}\\r\\n]*)|)(${sign}|\\r\\n|\\r|\\n|$)`,
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
