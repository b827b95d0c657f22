/** Reads a zip archive from a browser file: only its directory and the requested entries. */
import { StudioError } from '../../../src/model/errors.ts';
import type { ArchiveFile } from '../../../src/portable/files/archive.ts';
import { zipTexts as texts } from '../texts/file-preview.ts';

/** The end of central directory record (APPNOTE.TXT 4.3.16). A comment can follow it. */
const endSignature = 0x06054b50;
const endBytes = 22;
const maxCommentLength = 0xffff;

export async function openZip(file: File): Promise<readonly ArchiveFile[]> {
  const tail = await viewOf(file.slice(Math.max(0, file.size - endBytes - maxCommentLength)));
  const end = findEndRecord(tail);
  if (end === undefined) throw unpackError(texts.notZip({ file: file.name }));
  const from = tail.getUint32(end + 16, true);
  const directory = await viewOf(file.slice(from, from + tail.getUint32(end + 12, true)));
  const entries = [...readEntries(directory)];
  if (entries.length !== tail.getUint16(end + 10, true))
    throw unpackError(texts.badDirectory({ file: file.name }));
  return entries
    .filter(({ name }) => !name.endsWith('/'))
    .map((entry) => ({ ...entry, open: () => unpack(file, entry) }));
}

async function viewOf(bytes: Blob): Promise<DataView<ArrayBuffer>> {
  return new DataView(await bytes.arrayBuffer());
}

function findEndRecord(tail: DataView): number | undefined {
  for (let offset = tail.byteLength - endBytes; offset >= 0; offset--)
    if (tail.getUint32(offset, true) === endSignature) return offset;
  return undefined;
}

interface Entry extends Omit<ArchiveFile, 'open'> {
  readonly isEncrypted: boolean;
  readonly method: number;
  /** The offset of the entry's local header. */
  readonly headerOffset: number;
}

const entrySignature = 0x02014b50;
const entryBytes = 46;

function* readEntries(view: DataView<ArrayBuffer>): Generator<Entry> {
  let offset = 0;
  while (
    offset + entryBytes <= view.byteLength &&
    view.getUint32(offset, true) === entrySignature
  ) {
    const [name, extra, comment] = [28, 30, 32].map((headerOffset) =>
      view.getUint16(offset + headerOffset, true),
    );
    const text = (from: number, length = 0): string =>
      new TextDecoder().decode(new Uint8Array(view.buffer).subarray(from, from + length));
    const nameEnd = offset + entryBytes + (name ?? 0);
    yield {
      name: text(offset + entryBytes, name),
      comment: text(nameEnd + (extra ?? 0), comment),
      isEncrypted: view.getUint16(offset + 8, true) % 2 === 1,
      method: view.getUint16(offset + 10, true),
      compressedBytes: view.getUint32(offset + 20, true),
      bytes: view.getUint32(offset + 24, true),
      headerOffset: view.getUint32(offset + 42, true),
    };
    offset = nameEnd + (extra ?? 0) + (comment ?? 0);
  }
}

const localBytes = 30;

async function* unpack(file: File, entry: Entry): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { name, isEncrypted, method, compressedBytes, headerOffset } = entry;
  const names = { file: file.name, entry: name };
  if (isEncrypted) throw unpackError(texts.encrypted(names));
  const local = await viewOf(file.slice(headerOffset, headerOffset + localBytes));
  if (local.byteLength < localBytes) throw unpackError(texts.badOffset(names));
  const from = headerOffset + localBytes + local.getUint16(26, true) + local.getUint16(28, true);
  const packed = file.slice(from, from + compressedBytes).stream();
  try {
    if (method === 0) yield* chunksOf(packed);
    else if (method === 8)
      yield* chunksOf(packed.pipeThrough(new DecompressionStream('deflate-raw')));
    else throw unpackError(texts.badMethod(names));
  } catch (error) {
    throw error instanceof TypeError ? unpackError(texts.damaged(names)) : error;
  }
}

/** Yields the chunks of a stream, and cancels it if the caller stops early. */
async function* chunksOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function unpackError(message: string): StudioError {
  return new StudioError('parse_failed', message);
}
