import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRejectedFiles } from '../../../src/studio/import/rejected-files.ts';
import type { RejectedFiles } from '../../../src/studio/import/rejected-files.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'studio-kept-'));
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

async function add(files: RejectedFiles, text: string, owner = 'ada'): Promise<string> {
  const path = join(folder, 'written');
  writeFileSync(path, text);
  const id = await files.add(path, { owner, name: 'a.csv', mediaType: 'text/csv' });
  expect(existsSync(path)).toBe(false);
  return id ?? '';
}

function isAvailable(files: RejectedFiles, id: string, owner = 'ada'): boolean {
  try {
    const { path, bytes } = files.find(id, owner);
    return readFileSync(path).length === bytes;
  } catch (error) {
    expect(error).toMatchObject({ code: 'not_found' });
    return false;
  }
}

describe('files of rejected rows', () => {
  test('are found by their owner only', async () => {
    const files = createRejectedFiles({ maxBytes: 100 });
    const id = await add(files, 'x');
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(isAvailable(files, id)).toBe(true);
    expect(isAvailable(files, id, 'eve')).toBe(false);
    expect(isAvailable(files, id, '')).toBe(false);
    await files.close();
  });

  test('give way to newer ones', async () => {
    const files = createRejectedFiles({ maxBytes: 100, maxFiles: 3 });
    const ids = [await add(files, 'x'.repeat(60)), await add(files, 'x'.repeat(40))];
    expect(ids.map((id) => isAvailable(files, id))).toEqual([true, true]);
    const { path } = files.find(ids[0] ?? '', 'ada');
    ids.push(await add(files, 'x'));
    expect(existsSync(path)).toBe(false);
    expect(ids.map((id) => isAvailable(files, id))).toEqual([false, true, true]);
    ids.push(await add(files, 'x'), await add(files, 'x'));
    expect(ids.map((id) => isAvailable(files, id))).toEqual([false, false, true, true, true]);
    await files.close();
  });

  test('expire', async () => {
    const files = createRejectedFiles({ maxBytes: 100, maxAgeMs: 1000 });
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const first = await add(files, 'x');
    const { path } = files.find(first, 'ada');
    vi.advanceTimersByTime(600);
    const second = await add(files, 'x');
    vi.advanceTimersByTime(600);
    vi.useRealTimers();
    expect([first, second].map((id) => isAvailable(files, id))).toEqual([false, true]);
    await vi.waitFor(() => expect(existsSync(path)).toBe(false));
    await files.close();
  });

  test('are removed when the studio is closed', async () => {
    const files = createRejectedFiles({ maxBytes: 100 });
    const id = await add(files, 'x');
    const { path } = files.find(id, 'ada');
    await files.close();
    expect(isAvailable(files, id)).toBe(false);
    expect(existsSync(dirname(path))).toBe(false);
  });
});
