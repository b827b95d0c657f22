/** A zip archive in a file that the browser holds: only its directory and what is asked for are read. */
import { StudioError } from '../../../src/model/errors.ts';
import type { ArchiveFile } from '../../../src/portable/files/archive.ts';

/** APPNOTE.TXT 4.3.16: the end's record, behind which a comment may stand. */
const endSign = 0x06054b50;
const endBytes = 22;
const longestComment = 0xffff;

export async function openZip(file: File): Promise<readonly ArchiveFile[]> {
  const tail = await viewOf(file.slice(Math.max(0, file.size - endBytes - longestComment)));
  const end = lastSign(tail);
  if (end === undefined) throw broken(file, 'it is no zip archive, or it is cut off');
  const from = tail.getUint32(end + 16, true);
  const directory = await viewOf(file.slice(from, from + tail.getUint32(end + 12, true)));
  const entries = [...readEntries(directory)];
  if (entries.length !== tail.getUint16(end + 10, true))
    throw broken(file, 'its directory is damaged, or larger than a browser looks into');
  return entries
    .filter(({ name }) => !name.endsWith('/'))
    .map((entry) => ({ ...entry, open: () => unpack(file, entry) }));
}

async function viewOf(bytes: Blob): Promise<DataView<ArrayBuffer>> {
  return new DataView(await bytes.arrayBuffer());
}

function lastSign(tail: DataView): number | undefined {
  for (let at = tail.byteLength - endBytes; at >= 0; at--)
    if (tail.getUint32(at, true) === endSign) return at;
  return undefined;
}

interface Entry extends Omit<ArchiveFile, 'open'> {
  readonly isEncrypted: boolean;
  readonly method: number;
  /** Where its own header is. */
  readonly place: number;
}

const entrySign = 0x02014b50;
const entryBytes = 46;

function* readEntries(view: DataView<ArrayBuffer>): Generator<Entry> {
  let at = 0;
  while (at + entryBytes <= view.byteLength && view.getUint32(at, true) === entrySign) {
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const text = (from: number, length = 0): string =>
      new TextDecoder().decode(new Uint8Array(view.buffer).subarray(from, from + length));
    const behindName = at + entryBytes + (name ?? 0);
    yield {
      name: text(at + entryBytes, name),
      comment: text(behindName + (extra ?? 0), comment),
      isEncrypted: view.getUint16(at + 8, true) % 2 === 1,
      method: view.getUint16(at + 10, true),
      compressedBytes: view.getUint32(at + 20, true),
      bytes: view.getUint32(at + 24, true),
      place: view.getUint32(at + 42, true),
    };
    at = behindName + (extra ?? 0) + (comment ?? 0);
  }
}

const localBytes = 30;

async function* unpack(file: File, entry: Entry): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { name, isEncrypted, method, compressedBytes, place } = entry;
  if (isEncrypted) throw broken(file, `${name} in it is encrypted`);
  const local = await viewOf(file.slice(place, place + localBytes));
  if (local.byteLength < localBytes) throw broken(file, `${name} is not where it should be`);
  const from = place + localBytes + local.getUint16(26, true) + local.getUint16(28, true);
  const packed = file.slice(from, from + compressedBytes).stream();
  try {
    if (method === 0) yield* piecesOf(packed);
    else if (method === 8)
      yield* piecesOf(packed.pipeThrough(new DecompressionStream('deflate-raw')));
    else throw broken(file, `${name} in it is packed in a way that is not known here`);
  } catch (error) {
    throw error instanceof TypeError ? broken(file, `${name} in it is damaged`) : error;
  }
}

/** A stream may be left before its end. */
async function* piecesOf(
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

function broken({ name }: File, why: string): StudioError {
  return new StudioError('parse_failed', `${name} cannot be unpacked: ${why}.`);
}
