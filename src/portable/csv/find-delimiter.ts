import { createScan, fieldText, isEmptyLine, scanRecord } from './scan-record.ts';
import type { RecordText, ScanInput } from './scan-record.ts';

const candidates = [',', ';', '\t', '|'] as const;
const sampledRows = 20;

/** The beginning of a file. */
interface DelimiterSample extends ScanInput, RecordText {
  readonly quote?: number | undefined;
  /** The number of records before the header. */
  readonly skipRows?: number | undefined;
}

interface Score {
  readonly delimiter: number;
  /** The number of header names that are columns of the table. */
  readonly knownColumns: number;
  /** Whether all sampled rows have as many fields as the header. */
  readonly isUniform: boolean;
  readonly fieldCount: number;
}

/**
 * The delimiter of a file that begins with these bytes. The best one splits the header into the most
 * columns of the table, then splits header and first rows into the same number of fields, then
 * yields the most fields.
 */
export function findDelimiter(input: DelimiterSample, isColumn: (name: string) => boolean): number {
  const scores = candidates.map((candidate) => score(input, candidate.charCodeAt(0), isColumn));
  return scores.reduce(betterScore).delimiter;
}

function betterScore(a: Score, b: Score): Score {
  if (a.knownColumns !== b.knownColumns) return b.knownColumns > a.knownColumns ? b : a;
  if (a.isUniform !== b.isUniform && Math.max(a.fieldCount, b.fieldCount) > 1) {
    const uniform = a.isUniform ? a : b;
    const other = a.isUniform ? b : a;
    return uniform.fieldCount > 1 ? uniform : other;
  }
  return b.fieldCount > a.fieldCount ? b : a;
}

function score(
  input: DelimiterSample,
  delimiter: number,
  isColumn: (name: string) => boolean,
): Score {
  const scan = createScan(delimiter, input.quote);
  let names: readonly string[] | undefined;
  let isUniform = true;
  let offset = 0;
  const { skipRows = 0 } = input;
  for (let row = 0; row < skipRows + sampledRows && offset < input.bytes.length; row++) {
    offset = scanRecord(input, offset, scan);
    if (offset === -1) break;
    if (row < skipRows || isEmptyLine(scan)) continue;
    names ??= Array.from({ length: scan.count }, (_, i) => fieldText(input, scan, i));
    isUniform &&= scan.count === names.length;
  }
  const knownColumns = (names ?? []).filter(isColumn).length;
  return { delimiter, knownColumns, isUniform, fieldCount: names?.length ?? 1 };
}

const separatorLine = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/;

/** Reads the first line `sep=;`, with which a file names its delimiter to Excel. */
export function readSeparatorLine({
  characters,
}: Pick<RecordText, 'characters'>):
  | { readonly delimiter: number; readonly length: number }
  | undefined {
  const found = separatorLine.exec(characters.slice(0, 8));
  return found === null
    ? undefined
    : { delimiter: found[1]!.charCodeAt(0), length: found[0].length };
}
