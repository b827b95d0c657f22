/** A full disk: a rejected write leaves nothing, and earlier writes remain. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import type { Reply } from '../../../src/studio/core/reply.ts';

const diskKilobytes = 512;

/** A separate file system that is small enough to fill; undefined if the user cannot mount one. */
function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'studio-full-disk-'));
  const { status } = spawnSync('mount', [
    ...['-t', 'tmpfs', '-o', `size=${diskKilobytes}k`, 'tmpfs', folder],
  ]);
  if (status === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true });
}

const probe = mountSmallDisk();
if (probe !== undefined) unmount(probe);

interface Disk {
  readonly create: (text: string) => Promise<Reply>;
  readonly createMany: (texts: readonly string[]) => Promise<Reply>;
  /** The rows and the result of an integrity check, read by another program. */
  readonly readContents: () => { readonly texts: readonly unknown[]; readonly health: unknown };
}

async function openOnSmallDisk(journal: 'delete' | 'wal'): Promise<Disk> {
  const folder = mountSmallDisk() ?? '';
  onTestFinished(() => unmount(folder));
  const path = join(folder, 'notes.db');
  const database = new BetterSqlite3(path);
  database.pragma(`journal_mode = ${journal}`);
  database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  database.close();
  const studio = await createStudio({ url: path });
  onTestFinished(() => studio.close());
  const perform = (name: 'create-row' | 'change-rows', body: unknown): Promise<Reply> =>
    studio.perform(name, { table: 'notes', body: JSON.stringify(body) });
  return {
    create: (text) => perform('create-row', { text }),
    createMany: (texts) => perform('change-rows', { create: texts.map((text) => ({ text })) }),
    readContents: () => {
      const raw = new BetterSqlite3(path);
      try {
        return {
          texts: raw.prepare('SELECT text FROM notes ORDER BY id').pluck().all(),
          health: raw.pragma('integrity_check', { simple: true }),
        };
      } finally {
        raw.close();
      }
    },
  };
}

const tooLong = 'x'.repeat(2 * diskKilobytes * 1024);
const isFull = {
  code: 'database_unavailable',
  message: 'The disk that "notes.db" is on is full; nothing was written.',
};

describe.skipIf(probe === undefined).for(['delete', 'wal'] as const)(
  'a full disk (skipped where none may be mounted), with journal mode %s',
  (journal) => {
    test('a write that does not fit leaves nothing, and a smaller one succeeds', async () => {
      const disk = await openOnSmallDisk(journal);
      await disk.create('before');
      await expect(disk.create(tooLong)).rejects.toMatchObject(isFull);
      await expect(disk.createMany(['a', 'b', tooLong])).rejects.toMatchObject(isFull);
      expect(disk.readContents()).toStrictEqual({ texts: ['before'], health: 'ok' });
      await disk.createMany(['after', 'after all']);
      expect(disk.readContents()).toStrictEqual({
        texts: ['before', 'after', 'after all'],
        health: 'ok',
      });
    });

    test('successful writes are stored, and rejected ones are not', async () => {
      const disk = await openOnSmallDisk(journal);
      const texts = Array.from({ length: 64 }, (_, i) => `${i} ${'x'.repeat(20_000)}`);
      const responses = await Promise.allSettled(texts.map(disk.create));
      const written = texts.filter((_, i) => responses[i]?.status === 'fulfilled');
      const rejections = responses.flatMap((response) =>
        response.status === 'rejected' ? [response.reason as unknown] : [],
      );
      expect(written.length).toBeGreaterThan(0);
      expect(rejections.length).toBeGreaterThan(0);
      for (const rejection of rejections) expect(rejection).toMatchObject(isFull);
      expect(disk.readContents()).toStrictEqual({
        texts: expect.arrayContaining(written),
        health: 'ok',
      });
      expect(disk.readContents().texts).toHaveLength(written.length);
    });
  },
);
