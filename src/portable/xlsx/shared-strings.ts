import { StudioError } from '../../model/errors.ts';
import { parseXml } from './read-xml.ts';
import type { ArchiveFile } from '../files/archive.ts';
import type { XmlTag } from './read-xml.ts';

/** Cells refer to shared strings in any order, so all of them must fit into memory. */
const maxBytes = 256 * 1024 * 1024;

/** The strings that cells refer to by index; at most `limit` of them. */
export async function readSharedStrings(
  part: ArchiveFile | undefined,
  limit = Infinity,
): Promise<readonly string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  if (part.bytes > maxBytes) {
    throw new StudioError(
      'too_large',
      `The shared strings of the workbook take ${Math.ceil(part.bytes / 1024 / 1024)} MB, which is more than ${maxBytes / 1024 / 1024} MB; save it as CSV.`,
    );
  }
  const text = createTextCollector();
  const steps = parseXml(part.open(), {
    open: text.open,
    text: text.text,
    close: (name) => {
      text.close(name);
      if (name === 'si') strings.push(text.take());
    },
  });
  for await (const _ of steps) if (strings.length >= limit) break;
  return strings;
}

/** Collects the text of an `si` or `is` element: its runs, without phonetic hints. */
export interface TextCollector {
  open(this: void, name: string, tag: XmlTag): void;
  text(this: void, text: string): void;
  close(this: void, name: string): void;
  take(): string;
}

export function createTextCollector(): TextCollector {
  let collectedText = '';
  let run = '';
  let inText = false;
  let inPhonetic = false;
  return {
    open: (name) => {
      if (name === 'rPh') inPhonetic = true;
      if (name !== 't') return;
      inText = !inPhonetic;
      run = '';
    },
    text: (text) => {
      if (inText) run += text;
    },
    close: (name) => {
      if (name === 'rPh') inPhonetic = false;
      if (name !== 't' || !inText) return;
      collectedText += decodeEscapes(run);
      inText = false;
    },
    take: () => {
      const text = collectedText;
      collectedText = '';
      return text;
    },
  };
}

const escapePattern = /_x([\da-fA-F]{4})_/g;

/** `_x000D_` is the escape for a character that XML cannot contain, or would normalize. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(escapePattern, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
