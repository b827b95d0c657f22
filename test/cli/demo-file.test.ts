import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureDemo } from '../../src/cli/demo-file.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'studio-demo-'));
});
afterEach(() => rm(dir, { recursive: true }));

const pages = 3;

/** A SQLite header and as many pages as it states. `mark` distinguishes builds. */
function database(mark: string): Buffer {
  const content = Buffer.alloc(4096 * pages);
  content.write('SQLite format 3\0', 'latin1');
  content.writeUInt16BE(4096, 16);
  content.writeUInt32BE(pages, 28);
  content.write(mark, 4096);
  return content;
}

function source(mark: string, version = 1) {
  return { version, build: (path: string) => writeFile(path, database(mark), { flag: 'wx' }) };
}

async function markOf(path: string): Promise<string> {
  return (await readFile(path)).toString('latin1', 4096, 4097);
}

describe('the demo file', () => {
  test('is built once, and later starts do not change it', async () => {
    const path = await ensureDemo(dir, source('a'));
    expect(await ensureDemo(dir, source('b'))).toBe(path);
    expect(await markOf(path)).toBe('a');
    expect(await readdir(dir)).toEqual(['demo-v1.db']);
  });

  test('of another version has another file name, and the old file stays', async () => {
    const old = await ensureDemo(dir, source('a', 1));
    const current = await ensureDemo(dir, source('b', 2));
    expect([await markOf(old), await markOf(current)]).toEqual(['a', 'b']);
  });

  test.each<[string, (path: string) => Promise<void>]>([
    ['empty', (path) => truncate(path, 0)],
    ['cut short', (path) => truncate(path, 4096)],
    ['something else', (path) => writeFile(path, 'hello'.repeat(10_000))],
  ])('that is %s is built again', async (_, damage) => {
    const path = await ensureDemo(dir, source('a'));
    await damage(path);
    await ensureDemo(dir, source('b'));
    expect(await markOf(path)).toBe('b');
    expect(await readdir(dir)).toEqual(['demo-v1.db']);
  });

  test('with a journal beside it is not replaced, because SQLite recovers it', async () => {
    const path = await ensureDemo(dir, source('a'));
    await truncate(path, 8192);
    await writeFile(`${path}-journal`, '');
    await ensureDemo(dir, source('b'));
    expect(await markOf(path)).toBe('a');
  });

  test('is not built beside the journal of a deleted file', async () => {
    await writeFile(join(dir, 'demo-v1.db-journal'), 'stale');
    await ensureDemo(dir, source('a'));
    expect(await readdir(dir)).toEqual(['demo-v1.db']);
  });

  test('that cannot be built leaves nothing behind and says why', async () => {
    const build = async (path: string) => {
      await writeFile(path, 'half');
      throw new Error('disk full');
    };
    await expect(ensureDemo(dir, { version: 1, build })).rejects.toThrow('disk full');
    expect(await readdir(dir)).toEqual([]);
  });

  test('unfinished files of ended builders are deleted, and those of running builders stay', async () => {
    const [old, fresh] = ['.demo-draft-old.db', '.demo-draft-fresh.db'];
    await writeFile(join(dir, old), '');
    await writeFile(join(dir, fresh), '');
    const before = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(dir, old), before, before);
    await ensureDemo(dir, source('a'));
    expect(await readdir(dir)).toEqual([fresh, 'demo-v1.db']);
  });

  test('builders that finish at the same time all use one file', async () => {
    const arrived: (() => void)[] = [];
    const builders = ['a', 'b', 'c', 'd'];
    const build = (mark: string) => async (path: string) => {
      await source(mark).build(path);
      await new Promise<void>((resolve) => {
        arrived.push(resolve);
        if (arrived.length === builders.length) arrived.forEach((go) => go());
      });
    };
    const opened = await Promise.all(
      builders.map(async (mark) => {
        const path = await ensureDemo(dir, { version: 1, build: build(mark) });
        return (await stat(path)).ino;
      }),
    );
    expect(new Set(opened).size).toBe(1);
    expect(await readdir(dir)).toEqual(['demo-v1.db']);
  });

  test('processes that start at the same time all use one file', async () => {
    const children = Array.from({ length: 3 }, () =>
      fork(new URL('ensure-demo-child.ts', import.meta.url), [dir]),
    );
    const statuses = await Promise.all(
      children.map(async (child) => (await once(child, 'exit'))[0]),
    );
    expect(statuses).toEqual([0, 0, 0]);
    expect(await readdir(dir)).toEqual(['demo-v1.db']);
  });
});
