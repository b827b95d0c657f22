/** Files of text as UTF-8, whatever their encoding; found out unless it is told. */
import { isUtf8 } from 'node:buffer';
import { StudioError } from '../model/errors.ts';
import type { ByteSource } from './reading.ts';

interface TextSource extends ByteSource {
  /** The bytes are UTF-8 without a byte order mark. */
  open(): AsyncIterable<Buffer>;
  /** Set where the encoding was guessed from bytes that UTF-8 does not have. */
  readonly guessed: string | undefined;
}

const byteOrderMarks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** What text is read as that is no UTF-8: every byte means something there. */
const fallback = 'windows-1252';

export interface TextOptions {
  readonly encoding?: string | undefined;
  /** Whether text that is no UTF-8 may be something else; if not, its reader finds it. */
  readonly guesses?: boolean;
}

export async function openText(
  source: ByteSource,
  { encoding, guesses = true }: TextOptions,
): Promise<TextSource> {
  const found = encoding === undefined ? await findEncoding(source, guesses) : named(encoding);
  const open = (): AsyncIterable<Buffer> =>
    found.encoding === 'utf-8' ? plain(source) : transcode(source, found.encoding);
  return { name: source.name, open, guessed: found.guessed };
}

interface Found {
  readonly encoding: string;
  readonly guessed: string | undefined;
}

function named(encoding: string): Found {
  try {
    return { encoding: new TextDecoder(encoding).encoding, guessed: undefined };
  } catch {
    throw new StudioError(
      'invalid_parameter',
      `"${encoding}" is no encoding that is known here; utf-8, utf-16le, windows-1252, shift_jis and the like are.`,
    );
  }
}

async function findEncoding(source: ByteSource, guesses: boolean): Promise<Found> {
  const first = await firstBytes(source);
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, i) => first[i] === byte));
  const encoding = marked?.[0] ?? unmarkedUtf16(first) ?? 'utf-8';
  if (encoding !== 'utf-8' || !guesses || (await isAllUtf8(source)))
    return { encoding, guessed: undefined };
  return { encoding: fallback, guessed: fallback };
}

const markBytes = 4;

async function firstBytes(source: ByteSource): Promise<Uint8Array> {
  for await (const bytes of gatherStart(source)) return bytes;
  return new Uint8Array();
}

/** The blocks of a file; the first has enough to see a mark in, if the file does. */
async function* gatherStart(source: ByteSource): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const bytes of source.open()) {
    const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (start === undefined) yield block;
    else {
      start = start.length === 0 ? block : Buffer.concat([start, block]);
      if (start.length < markBytes) continue;
      yield start;
      start = undefined;
    }
  }
  if (start !== undefined && start.length > 0) yield start;
}

/** Two or more characters of ASCII, each beside a zero byte: no other text begins like that. */
function unmarkedUtf16(first: Uint8Array): string | undefined {
  const [a, b, c, d] = first;
  if (first.length < markBytes) return undefined;
  if (isAscii(a) && b === 0 && isAscii(c) && d === 0) return 'utf-16le';
  return a === 0 && isAscii(b) && c === 0 && isAscii(d) ? 'utf-16be' : undefined;
}

function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0 && byte < 0x80;
}

async function isAllUtf8(source: ByteSource): Promise<boolean> {
  let rest: Uint8Array = new Uint8Array();
  for await (const bytes of source.open()) {
    const text = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const cut = text.length - cutCharacter(text);
    if (!isUtf8(text.subarray(0, cut))) return false;
    rest = text.subarray(cut);
  }
  return rest.length === 0;
}

/** How many bytes at the end belong to a character that goes on behind them. */
function cutCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

function lengthOf(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);

async function* plain(source: ByteSource): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const block of gatherStart(source)) {
    const isMarked = isFirst && utf8Mark.equals(block.subarray(0, utf8Mark.length));
    isFirst = false;
    yield isMarked ? block.subarray(utf8Mark.length) : block;
  }
}

async function* transcode(source: ByteSource, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const bytes of source.open()) {
      yield Buffer.from(decoder.decode(bytes, { stream: true }));
    }
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StudioError('parse_failed', `${source.name} holds bytes that are no ${encoding}.`);
  }
}
