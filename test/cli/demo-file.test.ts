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

/** The demo file in the state folder: built once, whoever starts first, and never damaged. */
let stateDir: string;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'studio-demo-'));
});
afterEach(() => rm(stateDir, { recursive: true }));

const pageCount = 3;

/** A SQLite header and as many pages as it states. The letter `mark` distinguishes builds. */
function demoBytes(mark: string): Buffer {
  const content = Buffer.alloc(4096 * pageCount);
  content.write('SQLite format 3\0', 'latin1');
  content.writeUInt16BE(4096, 16);
  content.writeUInt32BE(pageCount, 28);
  content.write(mark, 4096);
  return content;
}

function demoSource(mark: string, version = 1) {
  return { version, build: (path: string) => writeFile(path, demoBytes(mark), { flag: 'wx' }) };
}

async function markOf(path: string): Promise<string> {
  return (await readFile(path)).toString('latin1', 4096, 4097);
}

describe('the demo file', () => {
  test('is built once, and later starts do not change it', async () => {
    const path = await ensureDemo(stateDir, demoSource('a'));
    expect(await ensureDemo(stateDir, demoSource('b'))).toBe(path);
    expect(await markOf(path)).toBe('a');
    expect(await readdir(stateDir)).toEqual(['demo-v1.db']);
  });

  test('of another version has another file name, and the old file stays', async () => {
    const old = await ensureDemo(stateDir, demoSource('a', 1));
    const current = await ensureDemo(stateDir, demoSource('b', 2));
    expect([await markOf(old), await markOf(current)]).toEqual(['a', 'b']);
  });

  test.each<[string, (path: string) => Promise<void>]>([
    ['empty', (path) => truncate(path, 0)],
    ['cut short', (path) => truncate(path, 4096)],
    ['something else', (path) => writeFile(path, 'hello'.repeat(10_000))],
  ])('that is %s is built again', async (_, damage) => {
    const path = await ensureDemo(stateDir, demoSource('a'));
    await damage(path);
    await ensureDemo(stateDir, demoSource('b'));
    expect(await markOf(path)).toBe('b');
    expect(await readdir(stateDir)).toEqual(['demo-v1.db']);
  });

  test('with a journal beside it is not replaced, because SQLite recovers it', async () => {
    const path = await ensureDemo(stateDir, demoSource('a'));
    await truncate(path, 8192);
    await writeFile(`${path}-journal`, '');
    await ensureDemo(stateDir, demoSource('b'));
    expect(await markOf(path)).toBe('a');
  });

  test('is not built beside the journal of a deleted file', async () => {
    await writeFile(join(stateDir, 'demo-v1.db-journal'), 'stale');
    await ensureDemo(stateDir, demoSource('a'));
    expect(await readdir(stateDir)).toEqual(['demo-v1.db']);
  });

  test('that cannot be built leaves nothing behind and says why', async () => {
    const build = async (path: string) => {
      await writeFile(path, 'half');
      throw new Error('disk full');
    };
    await expect(ensureDemo(stateDir, { version: 1, build })).rejects.toThrow('disk full');
    expect(await readdir(stateDir)).toEqual([]);
  });

  test('unfinished files of ended builders are deleted, and those of running builders stay', async () => {
    const [old, fresh] = ['.demo-draft-old.db', '.demo-draft-fresh.db'];
    await writeFile(join(stateDir, old), '');
    await writeFile(join(stateDir, fresh), '');
    const before = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(stateDir, old), before, before);
    await ensureDemo(stateDir, demoSource('a'));
    expect(await readdir(stateDir)).toEqual([fresh, 'demo-v1.db']);
  });

  test('builders that finish at the same time all use one file', async () => {
    const continueBuilds: (() => void)[] = [];
    const builders = ['a', 'b', 'c', 'd'];
    const build = (mark: string) => async (path: string) => {
      await demoSource(mark).build(path);
      await new Promise<void>((resolve) => {
        continueBuilds.push(resolve);
        if (continueBuilds.length === builders.length) continueBuilds.forEach((go) => go());
      });
    };
    const inodes = await Promise.all(
      builders.map(async (mark) => {
        const path = await ensureDemo(stateDir, { version: 1, build: build(mark) });
        return (await stat(path)).ino;
      }),
    );
    expect(new Set(inodes).size).toBe(1);
    expect(await readdir(stateDir)).toEqual(['demo-v1.db']);
  });

  test('processes that start at the same time all use one file', async () => {
    const children = Array.from({ length: 3 }, () =>
      fork(new URL('ensure-demo-child.ts', import.meta.url), [stateDir]),
    );
    const statuses = await Promise.all(
      children.map(async (child) => (await once(child, 'exit'))[0]),
    );
    expect(statuses).toEqual([0, 0, 0]);
    expect(await readdir(stateDir)).toEqual(['demo-v1.db']);
  });
});
