/** Archives that expand to many times their size, by what their directory states. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/formats/unzip.ts';
import { writeZipOf } from './write-zip.ts';

const megabyte = 1024 * 1024;
const filesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `${i}.csv`,
    content: Buffer.alloc(100 * megabyte),
  }));

async function open(bytes: Buffer): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-zip-ratio-'));
  const path = join(folder, 'files.zip');
  try {
    writeFileSync(path, bytes);
    const archive = await openArchive({
      name: 'files.zip',
      path,
      limitBytes: 10 * 1024 * megabyte,
    });
    archive.close();
    return archive.files.length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('an archive that expands to more than 200 times its size is rejected, unless it stays small', async () => {
  expect(await open(await writeZipOf(filesOf(2)))).toBe(2);
  await expect(open(await writeZipOf(filesOf(3)))).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/^files\.zip expands to 300 MB, \d+ times its size\. /),
  });
});
