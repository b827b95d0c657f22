import { startOfText } from '../../../src/model/values/cut-text.ts';
import {
  countUtf8,
  createUtf8Count,
  encodingOfInvalidUtf8,
} from '../../../src/portable/files/count-utf8.ts';
import {
  encodingOfMark,
  encodingOfStart,
  minStartBytes,
} from '../../../src/portable/files/detect-encoding.ts';

const chunkBytes = 2 ** 20;
const maxShownLength = 200;

interface LineOptions {
  readonly encoding?: string | undefined;
  /** The quote of CSV: a record with line breaks between quotes is returned with all of its lines. */
  readonly quote?: string | undefined;
}

/** Returns lines of a text by number, from 1, truncated to what is shown. Stops reading after the last requested line. */
export async function readLines(
  file: Blob,
  numbers: readonly number[],
  { encoding: requestedEncoding, quote }: LineOptions = {},
): Promise<ReadonlyMap<number, string>> {
  const requested = new Set(numbers);
  const last = Math.max(0, ...numbers);
  const found = new Map<number, string>();
  let open: OpenRecord | undefined;
  const decoder = new TextDecoder(await encodingOf(file, requestedEncoding));
  let rest = '';
  for (
    let from = 0, line = 1;
    from < file.size && (line <= last || open !== undefined);
    from += chunkBytes
  ) {
    const bytes = await file.slice(from, from + chunkBytes).arrayBuffer();
    const isEnd = from + chunkBytes >= file.size;
    const text = rest + decoder.decode(bytes, { stream: !isEnd });
    // A carriage return at the end can be the first half of a CRLF.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    rest = isEnd ? '' : (lines.pop() ?? '');
    for (const content of lines) {
      if (open !== undefined) open = addLine(open, content);
      else if (requested.has(line)) open = addLine({ line, text: undefined, quote }, content);
      if (open !== undefined) found.set(open.line, startOfText(open.text ?? '', maxShownLength));
      if (open?.isComplete === true) open = undefined;
      line++;
    }
  }
  return found;
}

interface OpenRecord {
  readonly line: number;
  /** Undefined before its first line. */
  readonly text: string | undefined;
  readonly quote: string | undefined;
  /** No quote is open at its end, or more of it would not be shown. */
  readonly isComplete?: boolean;
}

function addLine(record: OpenRecord, content: string): OpenRecord {
  const { text: before, quote } = record;
  const text = before === undefined ? content : `${before} ↵ ${content}`;
  const quoteCount = quote === undefined ? 0 : text.split(quote).length - 1;
  return { ...record, text, isComplete: quoteCount % 2 === 0 || text.length > maxShownLength };
}

async function encodingOf(file: Blob, requested: string | undefined): Promise<string> {
  if (requested === undefined) return detectEncoding(file);
  return encodingOfMark(await startOf(file)) ?? requested;
}

async function startOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, minStartBytes).arrayBuffer());
}

/** Encodings that have been detected, because that reads the whole file. */
const detected = new WeakMap<Blob, Promise<string>>();

/** As the server does: a file with much that is not valid UTF-8 is of the fallback encoding. */
function detectEncoding(file: Blob): Promise<string> {
  const found = detected.get(file) ?? readEncoding(file);
  detected.set(file, found);
  return found;
}

async function readEncoding(file: Blob): Promise<string> {
  const encoding = encodingOfStart(await startOf(file)) ?? 'utf-8';
  if (encoding !== 'utf-8') return encoding;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let from = 0; from < file.size; from += chunkBytes) {
      const bytes = await file.slice(from, from + chunkBytes).arrayBuffer();
      decoder.decode(bytes, { stream: from + chunkBytes < file.size });
    }
    return encoding;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const count = createUtf8Count();
  for (let from = 0; from < file.size; from += chunkBytes)
    countUtf8(count, new Uint8Array(await file.slice(from, from + chunkBytes).arrayBuffer()));
  return encodingOfInvalidUtf8(count);
}
