/**
 * Small archives in the ZIP64 format, as other software writes them. They are built byte by byte,
 * because the studio writes them differently.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/formats/unzip.ts';

const in64BitField = 0xffffffff;

/** Concatenated numbers of 2, 4 and 8 bytes. */
function bytes(...fields: readonly (readonly [width: 2 | 4 | 8, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([width, value]) => {
      const field = Buffer.alloc(width);
      if (width === 8) field.writeBigUInt64LE(BigInt(value));
      else field.writeUIntLE(value, 0, width);
      return field;
    }),
  );
}

interface Packed {
  readonly name: Buffer;
  readonly content: Buffer;
  readonly packed: Buffer;
  readonly crc: number;
}

/**
 * Where an archiver writes sizes: before the file (Python's `force_zip64`) or after it, as Info-ZIP
 * does in a pipe.
 */
type Layout = 'before' | 'after';

const deflated = 8;
const sizesAfterFile = 0x0008;

function localFile({ name, content, packed, crc }: Packed, layout: Layout): Buffer {
  const isAfter = layout === 'after';
  const sizes = isAfter ? [0, 0] : [content.length, packed.length];
  const extra = bytes([2, 1], [2, 16], [8, sizes[0]!], [8, sizes[1]!]);
  return Buffer.concat([
    bytes([4, 0x04034b50], [2, 45], [2, isAfter ? sizesAfterFile : 0], [2, deflated], [4, 0]),
    bytes([4, isAfter ? 0 : crc], [4, in64BitField], [4, in64BitField]),
    bytes([2, name.length], [2, extra.length]),
    name,
    extra,
    packed,
    isAfter
      ? bytes([4, 0x08074b50], [4, crc], [8, packed.length], [8, content.length])
      : Buffer.alloc(0),
  ]);
}

function directoryEntry(
  { name, content, packed, crc }: Packed,
  { layout, offset }: { readonly layout: Layout; readonly offset: number },
): Buffer {
  const isAfter = layout === 'after';
  const extra = isAfter
    ? bytes([2, 1], [2, 24], [8, content.length], [8, packed.length], [8, offset])
    : Buffer.alloc(0);
  return Buffer.concat([
    bytes([4, 0x02014b50], [2, 45], [2, 45], [2, isAfter ? sizesAfterFile : 0], [2, deflated]),
    bytes([4, 0], [4, crc]),
    bytes(
      [4, isAfter ? in64BitField : packed.length],
      [4, isAfter ? in64BitField : content.length],
    ),
    bytes([2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0]),
    bytes([4, isAfter ? in64BitField : offset]),
    name,
    extra,
  ]);
}

function ending(
  entries: number,
  directory: { readonly at: number; readonly size: number },
): Buffer {
  const { at, size } = directory;
  return Buffer.concat([
    bytes([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0]),
    bytes([8, entries], [8, entries], [8, size], [8, at]),
    bytes([4, 0x07064b50], [4, 0], [8, at + size], [4, 1]),
    bytes([4, 0x06054b50], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff]),
    bytes([4, in64BitField], [4, in64BitField], [2, 0]),
  ]);
}

function archiveOf(files: Readonly<Record<string, string>>, layout: Layout): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const packed = {
      name: Buffer.from(name),
      content,
      packed: deflateRawSync(content),
      crc: crc32(content),
    };
    const local = localFile(packed, layout);
    entries.push(directoryEntry(packed, { layout, offset }));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  return Buffer.concat([
    ...locals,
    directory,
    ending(entries.length, { at: offset, size: directory.length }),
  ]);
}

const files = { 'users.csv': 'id,name\n1,Ann\n2,Bo\n', 'posts.csv': `id\n${'7\n'.repeat(5000)}` };

async function read(archive: Buffer): Promise<Readonly<Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-zip64-foreign-'));
  try {
    const path = join(folder, 'a.zip');
    writeFileSync(path, archive);
    const opened = await openArchive({ name: 'a.zip', path, limitBytes: 2 ** 20 });
    const texts: Record<string, string> = {};
    for (const file of opened.files) {
      const parts: Uint8Array[] = [];
      for await (const part of file.open()) parts.push(part);
      texts[file.name] = Buffer.concat(parts).toString();
      expect(file.bytes).toBe(texts[file.name]?.length);
    }
    opened.close();
    return texts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(['before', 'after'] as const)('sizes of 64 bits %s the file', async (layout) => {
  expect(await read(archiveOf(files, layout))).toEqual(files);
});

test('sizes that do not match the file are rejected', async () => {
  const archive = archiveOf(files, 'after');
  // The size in the directory, which is its last occurrence.
  const size = bytes([8, files['posts.csv'].length]);
  archive[archive.lastIndexOf(size)]! += 1;
  await expect(read(archive)).rejects.toMatchObject({ code: 'parse_failed' });
});
