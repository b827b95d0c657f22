/** Archives whose directory has been changed so that files share bytes, as in zip bombs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/formats/unzip.ts';
import { writeZipOf } from './write-zip.ts';

async function namesIn(bytes: Buffer): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-zip-overlap-'));
  const path = join(folder, 'files.zip');
  try {
    writeFileSync(path, bytes);
    const archive = await openArchive({ name: 'files.zip', path, limitBytes: 2 ** 30 });
    archive.close();
    return archive.files.map(({ name }) => name);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const directoryEntry = Buffer.from('PK\u0001\u0002', 'latin1');

/** The offsets of the directory entries. */
function directoryOf(bytes: Buffer, count: number): readonly number[] {
  const starts: number[] = [];
  for (let at = bytes.length; starts.length < count;) {
    at = bytes.lastIndexOf(directoryEntry, at - 1);
    starts.unshift(at);
  }
  return starts;
}

const offsetField = 42;
const packedSizeField = 20;

const archives = fc.record({
  contents: fc.array(fc.string({ minLength: 1, maxLength: 300 }), { minLength: 2, maxLength: 8 }),
  pair: fc.tuple(fc.nat(7), fc.nat(6)),
  change: fc.constantFrom('same place', 'one byte more', 'beyond the end'),
});

test('archives whose files share bytes are rejected, and others are not', async () => {
  await fc.assert(
    fc.asyncProperty(archives, async ({ contents, pair, change }) => {
      const files = contents.map((content, i) => ({ name: `f${i}.csv`, content }));
      const bytes = await writeZipOf(files);
      expect(await namesIn(bytes)).toEqual(files.map(({ name }) => name));
      const starts = directoryOf(bytes, files.length);
      const first = pair[0] % files.length;
      const other = starts[(first + 1 + (pair[1] % (files.length - 1))) % files.length]!;
      const changed = starts[first]!;
      if (change === 'same place')
        bytes.writeUInt32LE(bytes.readUInt32LE(other + offsetField), changed + offsetField);
      else {
        // Only the last file has no other after it.
        const size = change === 'beyond the end' ? bytes.length : spaceOf(bytes, starts, first) + 1;
        bytes.writeUInt32LE(size, changed + packedSizeField);
      }
      await expect(namesIn(bytes)).rejects.toMatchObject({
        code: 'parse_failed',
        message: expect.stringMatching(/overlap|beyond the end/) as string,
      });
    }),
    { numRuns: 50 },
  );
});

const localHeaderBytes = 30;

/** The bytes from a file's header to the next file or the end of the archive. */
function spaceOf(bytes: Buffer, starts: readonly number[], index: number): number {
  const begin = bytes.readUInt32LE(starts[index]! + offsetField);
  const next = starts[index + 1];
  const end = next === undefined ? bytes.length : bytes.readUInt32LE(next + offsetField);
  return end - begin - localHeaderBytes;
}
