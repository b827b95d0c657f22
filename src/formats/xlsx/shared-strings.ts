import { StudioError } from '../../model/errors.ts';
import { parseXml } from './read-xml.ts';
import type { ArchiveFile } from '../archive.ts';
import type { XmlTag } from './read-xml.ts';

/** They are all needed at any time, so they must fit into memory. */
const mostBytes = 256 * 1024 * 1024;

/** The texts that cells point at by their number; no more than are wanted. */
export async function readSharedStrings(
  part: ArchiveFile | undefined,
  wanted = Infinity,
): Promise<readonly string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  if (part.bytes > mostBytes) {
    throw new StudioError(
      'too_large',
      `The workbook's texts take ${Math.ceil(part.bytes / 1024 / 1024)} MB, more than the ${mostBytes / 1024 / 1024} MB that are read at once; save it as CSV.`,
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
  for await (const _ of steps) if (strings.length >= wanted) break;
  return strings;
}

/** Gathers the text of an `si` or `is` element: its runs, without what is only said of their pronunciation. */
export interface TextCollector {
  open(this: void, name: string, tag: XmlTag): void;
  text(this: void, text: string): void;
  close(this: void, name: string): void;
  take(): string;
}

export function createTextCollector(): TextCollector {
  let whole = '';
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
      whole += decodeEscapes(run);
      inText = false;
    },
    take: () => {
      const text = whole;
      whole = '';
      return text;
    },
  };
}

const escapePattern = /_x([\da-fA-F]{4})_/g;

/** `_x000D_` stands for a character that XML cannot hold, or that would be lost in it. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(escapePattern, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
