/** Process lists of the operating system show no secrets of the studio (SECURITY.md 14). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { maskArguments } from '../../src/cli/hide-secrets.ts';
import { makeFolder, serve } from '../cli/command.ts';
import { usePostgres } from '../servers/postgres.ts';

/** Reads a file of a process in /proc. Returns an empty text if the process has ended meanwhile. */
function readProcessFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

function childrenOf(pid: number): readonly number[] {
  const childIds = readProcessFile(pid, `task/${pid}/children`).trim();
  return childIds === '' ? [] : childIds.split(' ').map(Number);
}

const secret = 'hunter2';
const basic = { Authorization: `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}` };

/** Makes the studio start its child processes: by a read of SQLite, and by a download. */
async function startChildren(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  for (const path of ['/schema', '/export/data'])
    expect((await fetch(`${url}/api${path}`, { headers })).status).toBe(200);
}

describe.skipIf(process.platform !== 'linux')('the list of processes', () => {
  test('shows no credentials of the command line, and children inherit none', async () => {
    const file = join(makeFolder(), 'a.db');
    const flags = ['--auth', `ada:${secret}`, `--token=${secret}`, '--create'];
    const { child, url } = await serve([file, ...flags], { env: { STUDIO_TOKEN: secret } });
    await startChildren(url, basic);
    const ownCommandLine = readProcessFile(child.pid!, 'cmdline');
    expect(ownCommandLine).toContain('--auth *** --token=***');
    expect(ownCommandLine).not.toContain(secret);
    const children = childrenOf(child.pid!);
    expect(children.length).toBeGreaterThan(0);
    for (const pid of children)
      // Between fork and exec, a child still shows the command line and environment of its parent.
      for (const name of ['cmdline', 'environ'])
        await expect.poll(() => readProcessFile(pid, name)).not.toContain(secret);
  });

  const postgres = usePostgres();

  test('shows no password of a URL from any source', async () => {
    const url = postgres().url;
    const { password } = new URL(url);
    const env = { DATABASE_URL: url, STUDIO_AUTH: `ada:${secret}` };
    for (const studioProcess of [await serve([url]), await serve([], { env })]) {
      const headers = studioProcess.child.spawnargs.includes(url) ? {} : basic;
      await startChildren(studioProcess.url, headers);
      expect(readProcessFile(studioProcess.child.pid!, 'cmdline')).not.toContain(`:${password}@`);
      const children = childrenOf(studioProcess.child.pid!);
      expect(children.length).toBeGreaterThan(0);
      for (const pid of children)
        // Between fork and exec, a child still shows the command line and environment of its parent.
        for (const name of ['cmdline', 'environ'])
          for (const word of [`:${password}@`, secret])
            await expect.poll(() => readProcessFile(pid, name)).not.toContain(word);
    }
  });
});

test.each([
  [
    ['serve', 'postgres://ada:pw@db/x'],
    ['serve', 'postgres://ada:***@db/x'],
  ],
  [
    ['--token', 't', './my.db'],
    ['--token', '***', './my.db'],
  ],
  [
    ['--auth=a:b', '--port', '1'],
    ['--auth=***', '--port', '1'],
  ],
  [
    ['sql', './my.db', 'SELECT 1'],
    ['sql', './my.db', 'SELECT 1'],
  ],
])('%j is shown as %j', (studioProcess, masked) =>
  expect(maskArguments(studioProcess)).toEqual(masked),
);
