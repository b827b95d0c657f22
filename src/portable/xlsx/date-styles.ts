import { readXml } from './read-xml.ts';
import type { ArchiveFile } from '../files/archive.ts';

/** How a style shows a number: as a date with or without time, a time of day, or a duration, whose hours may exceed a day. */
export type DateStyle = 'timestamp' | 'time' | 'elapsed' | undefined;

/** Date styles, by the index that cells refer to. */
export async function readDateStyles(part: ArchiveFile | undefined): Promise<readonly DateStyle[]> {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  let inCellFormats = false;
  if (part === undefined) return [];
  await readXml(part.open(), {
    open: (name, tag) => {
      if (name === 'cellXfs') inCellFormats = true;
      if (name === 'numFmt')
        codes.set(Number(tag.attribute('numFmtId')), tag.attribute('formatCode') ?? '');
      if (name === 'xf' && inCellFormats) formats.push(Number(tag.attribute('numFmtId') ?? 0));
    },
    text: () => undefined,
    close: (name) => {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return formats.map((id) => {
    const code = codes.get(id);
    return code === undefined ? builtInStyle(id) : styleOf(code);
  });
}

const elapsedFormat = 46;
/** Built-in formats of hours, minutes and seconds without a date, in all languages of Excel. */
const timeFormats: ReadonlySet<number> = new Set([18, 19, 20, 21, 32, 33, 45, 47]);

/** ECMA-376 18.8.30, including the formats of East Asian languages. */
function builtInStyle(id: number): DateStyle {
  if (id === elapsedFormat) return 'elapsed';
  if (timeFormats.has(id)) return 'time';
  const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36);
  return isDate || (id >= 50 && id <= 58) ? 'timestamp' : undefined;
}

/** Decides by the date letters in the first section of a format. */
export function styleOf(code: string): DateStyle {
  const section = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')[0]!;
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return 'elapsed';
  const letters = section.replaceAll(/general/gi, '');
  if (!/[ymdhs]/i.test(letters)) return undefined;
  // `m` is a month beside years or days, and minutes beside hours or seconds.
  return /[hs]/i.test(letters) && !/[yd]/i.test(letters) ? 'time' : 'timestamp';
}
