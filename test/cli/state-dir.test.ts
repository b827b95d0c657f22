import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultStateDir, prepareStateDir } from '../../src/cli/state-dir.ts';

async function makeStateFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'studio-state-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
}

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, '/home/ada/.local/state/database-studio'],
  ['linux', { XDG_STATE_HOME: '/var/state' }, '/var/state/database-studio'],
  ['linux', { XDG_STATE_HOME: 'relative' }, '/home/ada/.local/state/database-studio'],
  [
    'darwin',
    { XDG_STATE_HOME: '/var/state' },
    '/home/ada/Library/Application Support/database-studio',
  ],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/database-studio'],
  ['win32', {}, '/home/ada/AppData/Local/database-studio'],
])('on %s with %j the state folder is %s', (platform, env, dir) => {
  expect(defaultStateDir(platform, env, '/home/ada')).toBe(dir);
});

test('the state folder is created with its parents, for its owner only, and is empty', async () => {
  const dir = await prepareStateDir(undefined, {
    XDG_STATE_HOME: join(await makeStateFolder(), 'a', 'b'),
  });
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
  expect(await readdir(dir)).toEqual([]);
  await expect(prepareStateDir(dir, {})).resolves.toBe(dir);
});

test('an error names a folder that cannot be created, and the option to use another', async () => {
  const file = join(await makeStateFolder(), 'file');
  await writeFile(file, '');
  const attempt = prepareStateDir(join(file, 'state'), {});
  await expect(attempt).rejects.toMatchObject({ status: 1 });
  await expect(attempt).rejects.toThrow(
    `The state folder ${file}/state is not writable (ENOTDIR). Set another one with --state-dir.`,
  );
});
