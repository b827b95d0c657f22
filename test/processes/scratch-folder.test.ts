import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder, removeFolder, sweepFolders } from '../../src/processes/scratch-folder.ts';

const systemFolder = process.env['TMPDIR'];
let temporary: string;

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'studio-scratch-'));
  process.env['TMPDIR'] = temporary;
});

afterEach(() => {
  if (systemFolder === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = systemFolder;
  rmSync(temporary, { recursive: true, force: true });
});

/** The id of a process that has just ended. */
function endedProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

test('a folder is removed with its contents', async () => {
  const folder = await makeFolder();
  writeFileSync(join(folder, 'x'), 'x');
  await removeFolder(folder);
  expect(readdirSync(temporary)).toEqual([]);
});

test('folders of processes that no longer exist are removed, and nothing else', async () => {
  const ownFolder = basename(await makeFolder());
  const abandoned = ownFolder.replace(String(process.pid), String(endedProcess()));
  const elsewhere = abandoned.replace(/-\w+-(\w{6})$/, '-another-$1');
  const others = ['database-studio-test-postgres-1', 'database-studio-1', 'something', elsewhere];
  for (const name of [abandoned, ...others]) mkdirSync(join(temporary, name));
  writeFileSync(join(temporary, abandoned, 'upload'), 'x');
  await sweepFolders();
  expect(readdirSync(temporary).toSorted()).toEqual([ownFolder, ...others].toSorted());
});
