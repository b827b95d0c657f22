import { beginScan, fieldText, isEmptyLine, scanRecord } from './scan-record.ts';
import type { Stretch } from './scan-record.ts';

const candidates = [',', ';', '\t', '|'] as const;
const rowsLookedAt = 20;

interface Score {
  readonly delimiter: number;
  /** Header names that the table has. */
  readonly known: number;
  /** Whether all rows looked at have as many fields as the header. */
  readonly even: boolean;
  readonly width: number;
}

/**
 * What separates the fields of a file that begins with these bytes: what makes names of the table
 * out of the header, then what divides header and first rows alike, then what divides the most.
 */
export function findDelimiter(
  stretch: Stretch & { readonly bytes: Buffer },
  knows: (name: string) => boolean,
): number {
  const scores = candidates.map((candidate) => score(stretch, candidate.charCodeAt(0), knows));
  return scores.reduce(better).delimiter;
}

function better(a: Score, b: Score): Score {
  if (a.known !== b.known) return b.known > a.known ? b : a;
  if (a.even !== b.even && Math.max(a.width, b.width) > 1) {
    const even = a.even ? a : b;
    return even.width > 1 ? even : even === a ? b : a;
  }
  return b.width > a.width ? b : a;
}

function score(
  stretch: Stretch & { readonly bytes: Buffer },
  delimiter: number,
  knows: (name: string) => boolean,
): Score {
  const scan = beginScan(delimiter);
  const field = { bytes: stretch.bytes, text: stretch.bytes.toString('latin1') };
  let names: readonly string[] | undefined;
  let even = true;
  let at = 0;
  for (let row = 0; row < rowsLookedAt && at < stretch.bytes.length; row++) {
    at = scanRecord(stretch, at, scan);
    if (at === -1) break;
    if (isEmptyLine(scan)) continue;
    names ??= Array.from({ length: scan.count }, (_, i) => fieldText(field, scan, i));
    even &&= scan.count === names.length;
  }
  const known = (names ?? []).filter(knows).length;
  return { delimiter, known, even, width: names?.length ?? 1 };
}

const separatorLine = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/;

/** The line `sep=;` that spreadsheets write and heed. */
export function readSeparatorLine(
  bytes: Buffer,
): { readonly delimiter: number; readonly length: number } | undefined {
  const found = separatorLine.exec(bytes.toString('latin1', 0, 8));
  return found === null
    ? undefined
    : { delimiter: found[1]!.charCodeAt(0), length: found[0].length };
}
