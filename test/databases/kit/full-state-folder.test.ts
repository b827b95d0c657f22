/** Imports while the disk of the state folder is full, or becomes full: they fail and leave nothing. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { importText } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';
import type * as Files from 'node:fs/promises';

/** The free space of the disk in bytes. A write stores what has space, like that of the system. */
const disk = vi.hoisted(() => ({ free: Infinity }));

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof Files>();
  const limited = (handle: Files.FileHandle): Files.FileHandle => {
    const write: (part: Buffer) => Promise<unknown> = handle.write.bind(handle);
    const writeWhatFits = async (
      text: string,
      at = 0,
    ): Promise<{ readonly bytesWritten: number }> => {
      const part = Buffer.from(text).subarray(at, at + disk.free);
      if (part.length === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      disk.free -= part.length;
      await write(part);
      return { bytesWritten: part.length };
    };
    return Object.assign(handle, {
      write: writeWhatFits,
      appendFile: async (text: string) => {
        const { bytesWritten } = await writeWhatFits(text);
        if (bytesWritten < Buffer.byteLength(text)) await writeWhatFits(text, bytesWritten);
      },
    });
  };
  return {
    ...original,
    open: async (...parameters: Parameters<typeof original.open>) => {
      const handle = await original.open(...parameters);
      return String(parameters[0]).endsWith('.journal') ? limited(handle) : handle;
    },
  };
});

const file = [
  'CREATE TABLE full_a (id INTEGER PRIMARY KEY);',
  'CREATE TABLE full_b (id INTEGER PRIMARY KEY);',
  'CREATE VIEW full_v AS SELECT id FROM full_a;',
  'CREATE TRIGGER full_t BEFORE INSERT ON full_a FOR EACH ROW SET NEW.id = NEW.id;',
  'CREATE TABLE full_c (id INTEGER PRIMARY KEY);',
].join('\n');

describeOnEachDatabase('imports on a full state folder', (harness) => {
  test('are undone wherever the space ends', { timeout: 240_000 }, async () => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const stateDir = mkdtempSync(join(tmpdir(), 'studio-full-'));
    const journals = (): readonly string[] =>
      readdirSync(stateDir, { recursive: true }).map(String).filter((name) => name.includes('.journal')); // prettier-ignore
    const run = (): Promise<unknown> =>
      importText('full.sql', file, {
        url: database.url,
        stateDir,
        parameters: { dialect: underTest.name },
      });
    const drop = (): Promise<void> =>
      database.run('DROP VIEW full_v; DROP TABLE full_a, full_b, full_c');
    disk.free = 1_000_000;
    await run();
    await drop();
    // The last entry may be missing.
    const needed = 1_000_000 - disk.free - '{"ended":true}\n'.length;
    const seed = Number(process.env['STUDIO_TEST_SEED']);
    const partial = fc.integer({ min: 1, max: needed - 1 });
    const sizes = [0, needed - 1, ...fc.sample(partial, { numRuns: 15, seed })];
    for (const free of sizes) {
      disk.free = free;
      const failure = await run().catch((error: unknown) => error);
      expect(failure, String(free)).toMatchObject({
        code: 'state_unavailable',
        message: `The state folder ${stateDir} of the studio cannot be written (the disk is full: ENOSPC).`,
      });
      expect(await database.query("SHOW TABLES LIKE 'full%'"), String(free)).toEqual([]);
      expect(await database.query("SHOW TRIGGERS LIKE 'full%'")).toEqual([]);
      expect(journals(), String(free)).toEqual([]);
    }
    disk.free = needed;
    await run();
    expect(disk.free).toBe(0);
    expect(await database.query("SHOW TABLES LIKE 'full%'")).toHaveLength(4);
    expect(journals()).toEqual([]);
    await drop();
    rmSync(stateDir, { recursive: true });
  });
});
