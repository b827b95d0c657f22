/** Archives and entries beyond the limits of the original ZIP format. */
import { execFile } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/formats/unzip.ts';
import { writeZip } from '../../src/formats/zip.ts';
import type { ZipEntry } from '../../src/formats/zip.ts';

const block = Buffer.alloc(2 ** 20, 'id,a note that is said again and again\n');
const blocks = 4200;
const bytes = blocks * block.length;

async function* large(): AsyncGenerator<Buffer> {
  for (let i = 0; i < blocks; i++) yield block;
}

async function* entries(): AsyncGenerator<ZipEntry> {
  yield { name: 'large.csv', comment: 'large', chunks: large() };
  yield { name: 'behind.csv', comment: 'behind it', chunks: small() };
}

async function* small(): AsyncGenerator<Buffer> {
  yield Buffer.from('id\n1\n');
}

test('an entry over 4 GiB is read, and so is the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-zip64-'));
  const path = join(folder, 'large.zip');
  try {
    await pipeline(Readable.from(writeZip(entries())), createWriteStream(path));
    await promisify(execFile)('unzip', ['-tqq', path]).catch((error: { code?: unknown }) => {
      // Without unzip, only the studio's own reader is tested.
      if (error.code !== 'ENOENT') throw error;
    });
    const archive = await openArchive({ name: 'large.zip', path, limitBytes: 2 ** 34 });
    const read: [string, number][] = [];
    for (const file of archive.files) {
      let length = 0;
      for await (const part of file.open()) length += part.length;
      read.push([file.comment, length]);
    }
    archive.close();
    expect(read).toEqual([
      ['large', bytes],
      ['behind it', 5],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
