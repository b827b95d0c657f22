import { readXml } from './read-xml.ts';
import type { ArchiveFile } from '../archive.ts';

/** What a style makes of a number: a date with or without its time, a time of day, or hours beyond a day. */
export type DateStyle = 'moment' | 'time' | 'elapsed' | undefined;

/** By the number of a cell's style. */
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
/** Hours, minutes and seconds alone, in all languages of Excel. */
const timeFormats: ReadonlySet<number> = new Set([18, 19, 20, 21, 32, 33, 45, 47]);

/** ECMA-376 18.8.30, those of East Asian Excels among them. */
function builtInStyle(id: number): DateStyle {
  if (id === elapsedFormat) return 'elapsed';
  if (timeFormats.has(id)) return 'time';
  const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36);
  return isDate || (id >= 50 && id <= 58) ? 'moment' : undefined;
}

/** By the letters in a format's first section that stand for parts of a date. */
export function styleOf(code: string): DateStyle {
  const section = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')[0]!;
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return 'elapsed';
  const letters = section.replaceAll(/general/gi, '');
  if (!/[ymdhs]/i.test(letters)) return undefined;
  // `m` is a month beside years or days, and minutes beside hours or seconds.
  return /[hs]/i.test(letters) && !/[yd]/i.test(letters) ? 'time' : 'moment';
}
