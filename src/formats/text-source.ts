/** Converts text files to UTF-8. The encoding is detected unless the request names it. */
import { isUtf8 } from 'node:buffer';
import { StudioError } from '../model/errors.ts';
import {
  encodingOfMark,
  encodingOfStart,
  minStartBytes,
} from '../portable/files/detect-encoding.ts';
import { countBytes, createByteCount, isWesternText } from '../portable/files/western-text.ts';
import { countUtf8, createUtf8Count, encodingOfInvalidUtf8 } from '../portable/files/count-utf8.ts';
import { binaryStartBytes, rejectBinary } from './binary-files.ts';
import type { ByteSource } from '../portable/files/byte-source.ts';

interface TextSource extends ByteSource {
  /** Yields UTF-8 without a byte order mark. */
  open(): AsyncIterable<Buffer>;
  /** Set if the file is not valid UTF-8 and its encoding was guessed. */
  readonly guessedEncoding: string | undefined;
}

export interface TextOptions {
  readonly encoding?: string | undefined;
  /** Whether to guess the encoding of text that is not UTF-8. Readers that take no other encoding turn this off. */
  readonly guesses?: boolean;
}

export async function openText(
  source: ByteSource,
  { encoding, guesses = true }: TextOptions,
): Promise<TextSource> {
  rejectBinary(source.name, await firstBytes(source));
  const found =
    encoding === undefined
      ? await detectEncoding(source, guesses)
      : await requestedEncoding(source, encoding);
  if (found.encoding.startsWith('utf-32')) throw utf32Error(source.name);
  const open = (): AsyncIterable<Buffer> =>
    found.encoding === 'utf-8' ? withoutByteOrderMark(source) : transcode(source, found.encoding);
  return { name: source.name, open, guessedEncoding: found.guessed };
}

/** The Encoding Standard does not have it, so no decoder reads it. */
function utf32Error(name: string): StudioError {
  return new StudioError('parse_failed', `${name} is in UTF-32. Save it as UTF-8.`);
}

interface DetectedEncoding {
  readonly encoding: string;
  readonly guessed: string | undefined;
}

async function requestedEncoding(source: ByteSource, encoding: string): Promise<DetectedEncoding> {
  const requested = decoderOf(encoding).encoding;
  return { encoding: encodingOfMark(await firstBytes(source)) ?? requested, guessed: undefined };
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw new StudioError(
      'invalid_parameter',
      `"${encoding}" is not a known encoding. Use a name from the WHATWG Encoding Standard, such as utf-8, utf-16le, windows-1252 or shift_jis.`,
    );
  }
}

async function detectEncoding(source: ByteSource, guesses: boolean): Promise<DetectedEncoding> {
  const start = encodingOfStart(await firstBytes(source));
  if (start !== undefined || !guesses || (await isAllUtf8(source)))
    return { encoding: start ?? 'utf-8', guessed: undefined };
  return guessEncoding(source);
}

/** The encoding of a file that is not valid UTF-8. Fails if it is neither UTF-8 in most places nor Western. */
async function guessEncoding(source: ByteSource): Promise<DetectedEncoding> {
  const utf8 = createUtf8Count();
  const count = createByteCount();
  for await (const bytes of source.open()) {
    countUtf8(utf8, bytes);
    countBytes(count, bytes);
  }
  const encoding = encodingOfInvalidUtf8(utf8);
  if (encoding === 'utf-8') return { encoding, guessed: undefined };
  if (isWesternText(count)) return { encoding, guessed: encoding };
  throw new StudioError(
    'parse_failed',
    `${source.name} is not UTF-8, and its bytes do not show which encoding it has. Set the parameter "encoding", for example to windows-1251, windows-1250, shift_jis, gb18030, big5 or euc-kr.`,
  );
}

async function firstBytes(source: ByteSource): Promise<Uint8Array> {
  for await (const bytes of joinStart(source)) return bytes;
  return new Uint8Array();
}

const startBytes = Math.max(minStartBytes, binaryStartBytes);

/** The chunks of a file. The first is long enough to show what the file is, unless the file is shorter. */
async function* joinStart(source: ByteSource): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const bytes of source.open()) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (start === undefined) yield chunk;
    else {
      start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
      if (start.length < startBytes) continue;
      yield start;
      start = undefined;
    }
  }
  if (start !== undefined && start.length > 0) yield start;
}

async function isAllUtf8(source: ByteSource): Promise<boolean> {
  let rest: Uint8Array = new Uint8Array();
  for await (const bytes of source.open()) {
    const text = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const end = text.length - incompleteBytes(text);
    if (!isUtf8(text.subarray(0, end))) return false;
    rest = text.subarray(end);
  }
  return rest.length === 0;
}

/** The number of bytes at the end that are an incomplete UTF-8 character. */
function incompleteBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return characterBytes(byte) > back ? back : 0;
  }
  return 0;
}

function characterBytes(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);

async function* withoutByteOrderMark(source: ByteSource): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of joinStart(source)) {
    const isMarked = isFirst && utf8Mark.equals(chunk.subarray(0, utf8Mark.length));
    isFirst = false;
    yield isMarked ? chunk.subarray(utf8Mark.length) : chunk;
  }
}

/** In UTF-16, line breaks, delimiters and quotes have a byte of 0. */
const maxBytesWithoutZero = 1024 * 1024;
const markBytes = 2;

function falseMarkError(name: string): StudioError {
  return new StudioError(
    'parse_failed',
    `${name} is not in UTF-16, as the parameter "encoding" or its first two bytes, a byte order mark, say. Save it as UTF-8.`,
  );
}

async function* transcode(source: ByteSource, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const isUtf16 = encoding.startsWith('utf-16');
  try {
    let bytesWithoutZero = 0;
    for await (const bytes of source.open()) {
      bytesWithoutZero = bytes.includes(0) ? -Infinity : bytesWithoutZero + bytes.length;
      if (isUtf16 && bytesWithoutZero > maxBytesWithoutZero) throw falseMarkError(source.name);
      yield Buffer.from(decoder.decode(bytes, { stream: true }));
    }
    if (isUtf16 && bytesWithoutZero > markBytes) throw falseMarkError(source.name);
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StudioError(
      'parse_failed',
      `${source.name} contains bytes that are not valid ${encoding}. Set the parameter "encoding" to the encoding of the file.`,
    );
  }
}
