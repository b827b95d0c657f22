/** How a file of rows begins. */
export interface FileHead {
  readonly columns: readonly string[];
  /** The first rows; null is NULL, or a field without anything in it, not even quotes. */
  readonly rows: readonly CsvRow[];
}

/** How a CSV file begins. */
interface CsvHead extends FileHead {
  readonly delimiter: string;
  /** The file's own first line tells the delimiter. */
  readonly tellsDelimiter: boolean;
}

export type CsvRow = readonly (string | null)[];

const headBytes = 64 * 1024;
const rowsShown = 5;
const candidates = [',', ';', '\t', '|'] as const;

export interface CsvManner {
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
}

/** Reads no more than the file's beginning; what is not given of its manner is found out. */
export async function readCsvHead(
  file: Blob,
  { delimiter, encoding }: CsvManner = {},
): Promise<CsvHead> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const isWhole = file.size <= headBytes;
  const text = encoding === undefined ? decode(bytes) : new TextDecoder(encoding).decode(bytes);
  const told = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/.exec(text);
  const rest = text.slice(told?.[0].length ?? 0);
  const chosen = delimiter ?? told?.[1] ?? findDelimiter(rest, isWhole);
  const [header = [], ...rows] = readRecords(rest, chosen, isWhole);
  return {
    columns: header.map((name) => name ?? ''),
    rows,
    delimiter: chosen,
    tellsDelimiter: delimiter === undefined && told !== null,
  };
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
function readRecords(text: string, delimiter: string, isWhole: boolean): readonly CsvRow[] {
  const sign = delimiter === '\t' ? '\\t' : `\\${delimiter}`;
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${sign}\\r\\n"][^${sign}\\r\\n]*)|)(${sign}|\\r\\n|\\r|\\n|$)`,
    'y',
  );
  const records: CsvRow[] = [];
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
