import { readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { canMapFile } from '../../../src/databases/sqlite/driver/file-mapping.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { makeFile } from './fixture.ts';
import type { Studio, StudioOptions } from '../../../src/studio/studio.ts';

/** About 12 MB. */
const rows = `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
  INSERT INTO t SELECT i, hex(randomblob(2000)) FROM n`;

const onLinux = test.skipIf(process.platform !== 'linux');

async function open(path: string, options: Partial<StudioOptions> = {}): Promise<Studio> {
  const studio = await createStudio({ url: path, ...options });
  onTestFinished(() => studio.close());
  return studio;
}

async function query(studio: Studio, text: string): Promise<unknown> {
  const input = { body: JSON.stringify({ query: text }) };
  const { body } = await studio.perform('run-sql', input);
  return (JSON.parse(String(body)) as { readonly rows: unknown }).rows;
}

/** How many children of this process have mapped the file, and how many have it open. */
function children(path: string): { readonly mapped: number; readonly opened: number } {
  const ids = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const { ino } = statSync(path);
  const isMapped = (id: string): boolean => readFileSync(`/proc/${id}/maps`, 'utf8').includes(path);
  const isOpen = (id: string): boolean =>
    readdirSync(`/proc/${id}/fd`).some((fd) => {
      try {
        return statSync(`/proc/${id}/fd/${fd}`).ino === ino;
      } catch {
        return false;
      }
    });
  return { mapped: ids.filter(isMapped).length, opened: ids.filter(isOpen).length };
}

describe('a file that is read', () => {
  const scan = `SELECT count(*) FROM t WHERE v LIKE 'x%'`;
  const write = `UPDATE t SET v = 'y' WHERE id = 1`;

  onLinux('is mapped into processes that read, not into the one that writes', async () => {
    const path = makeFile(rows);
    const studio = await open(path);
    await query(studio, scan);
    const reading = children(path);
    expect(reading.mapped).toBe(reading.opened);
    expect(reading.mapped).toBeGreaterThan(0);
    await query(studio, write);
    expect(children(path)).toEqual({ mapped: reading.mapped, opened: reading.opened + 1 });
  });

  onLinux('is not mapped if the options say so', async () => {
    const path = makeFile(rows);
    const studio = await open(path, { mapFiles: false });
    await query(studio, scan);
    const { mapped, opened } = children(path);
    expect(mapped).toBe(0);
    expect(opened).toBeGreaterThan(0);
  });

  test('shows rows that are written while it is mapped, and more of them than fit before', async () => {
    const path = makeFile(rows);
    const studio = await open(path);
    const countRows = (): Promise<unknown> =>
      query(studio, 'SELECT count(*) AS n, sum(id) AS ids FROM t');
    expect(await countRows()).toEqual([{ n: 3000, ids: 4_501_500 }]);
    await query(
      studio,
      `WITH RECURSIVE n(i) AS (SELECT 3001 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
       INSERT INTO t SELECT i, hex(randomblob(2000)) FROM n`,
    );
    expect(await countRows()).toEqual([{ n: 6000, ids: 18_003_000 }]);
    await query(studio, 'DELETE FROM t WHERE id > 10');
    expect(await countRows()).toEqual([{ n: 10, ids: 55 }]);
  });
});

describe('a file that another program truncates while it is read', () => {
  /** Reads all pages again and again until the time limit of statements. */
  const endless = 'SELECT count(*) FROM t AS a, t AS b WHERE a.v < b.v';

  /** The error of a read during which the file loses all but its first pages. */
  async function readTruncated(
    studio: Studio,
    path: string,
    delayMs: number,
  ): Promise<StudioError> {
    const wholeFile = readFileSync(path);
    const read = query(studio, endless).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    truncateSync(path, 8192);
    const error = await read;
    writeFileSync(path, wholeFile);
    expect(error).toBeInstanceOf(StudioError);
    return error as StudioError;
  }

  onLinux('ends the reads of its lost part with a reason, and nothing else', async () => {
    const path = makeFile(rows);
    const studio = await open(path);
    const messages = [];
    // A statement that begins after the truncation finds that pages are missing, so the delay grows.
    for (let delayMs = 100; !messages.at(-1)?.includes('truncated the file'); delayMs *= 2) {
      const { code, message } = await readTruncated(studio, path, delayMs);
      const isLost = message.includes('truncated the file');
      expect(
        isLost ? ['database_unavailable'] : ['database_unavailable', 'table_unreadable'],
      ).toContain(code);
      messages.push(message);
      expect(await query(studio, 'SELECT count(*) AS n FROM t')).toEqual([{ n: 3000 }]);
    }
  });
});

onLinux('files are not mapped where their file system is not known, or on Windows', () => {
  expect(canMapFile('/does/not/exist')).toBe(false);
  expect(canMapFile(makeFile())).toBe(true);
  expect(canMapFile(makeFile(), 'win32')).toBe(false);
});
