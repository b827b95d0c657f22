/** Process lists of the operating system show no secrets of the studio (SECURITY.md 14). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { maskArguments } from '../../src/cli/hide-secrets.ts';
import { makeFolder, serve } from '../cli/command.ts';
import { usePostgres } from '../servers/postgres.ts';

/** Of a process that has ended meanwhile there is nothing to read. */
function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

function childrenOf(pid: number): readonly number[] {
  const listed = read(pid, `task/${pid}/children`).trim();
  return listed === '' ? [] : listed.split(' ').map(Number);
}

const secret = 'hunter2';
const basic = { Authorization: `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}` };

/** A read that a lane of SQLite does, and a download, which is a process of its own. */
async function keepBusy(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  for (const path of ['/schema', '/export/data'])
    expect((await fetch(`${url}/api${path}`, { headers })).status).toBe(200);
}

describe.skipIf(process.platform !== 'linux')('the list of processes', () => {
  test('shows no credentials of the command line, and children inherit none', async () => {
    const file = join(makeFolder(), 'a.db');
    const flags = ['--auth', `ada:${secret}`, `--token=${secret}`, '--create'];
    const { child, url } = await serve([file, ...flags], { env: { STUDIO_TOKEN: secret } });
    await keepBusy(url, basic);
    const own = read(child.pid!, 'cmdline');
    expect(own).toContain('--auth *** --token=***');
    expect(own).not.toContain(secret);
    const children = childrenOf(child.pid!);
    expect(children.length).toBeGreaterThan(0);
    for (const pid of children)
      // Between fork and exec a child still shows what its parent has.
      for (const name of ['cmdline', 'environ'])
        await expect.poll(() => read(pid, name)).not.toContain(secret);
  });

  const postgres = usePostgres();

  test('shows no password of a URL from any source', async () => {
    const url = postgres().url;
    const { password } = new URL(url);
    const env = { DATABASE_URL: url, STUDIO_AUTH: `ada:${secret}` };
    for (const given of [await serve([url]), await serve([], { env })]) {
      const headers = given.child.spawnargs.includes(url) ? {} : basic;
      await keepBusy(given.url, headers);
      expect(read(given.child.pid!, 'cmdline')).not.toContain(`:${password}@`);
      const children = childrenOf(given.child.pid!);
      expect(children.length).toBeGreaterThan(0);
      for (const pid of children)
        // Between fork and exec a child still shows what its parent has.
        for (const name of ['cmdline', 'environ'])
          for (const word of [`:${password}@`, secret])
            await expect.poll(() => read(pid, name)).not.toContain(word);
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
])('%j is shown as %j', (given, shown) => expect(maskArguments(given)).toEqual(shown));
