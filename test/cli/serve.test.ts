import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder, waitForUrl, run, serve, start } from './command.ts';

/** The `serve` command as a process: its output, signals and errors. */
async function getJson(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

function makeDatabase(folder: string, name = 'my.db'): string {
  const path = join(folder, name);
  const database = new Sqlite(path);
  database.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
    INSERT INTO notes VALUES (1, 'one'), (2, 'two')`);
  database.close();
  return path;
}

describe('serve', () => {
  test('prints its URL in one line and nothing else', async () => {
    const server = await serve([makeDatabase(makeFolder())]);
    expect(await getJson(`${server.url}/api/config`)).toEqual({
      read_only: false,
      disable_sql: false,
      prefix: '/studio',
    });
    server.child.kill('SIGTERM');
    expect(await server.outcome()).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Studio ready at http:\/\/127\.0\.0\.1:\d+\/studio\/\n$/),
      stderr: '',
    });
  });

  test('applies its flags', async () => {
    const flags = ['--read-only', '--disable-sql', '--prefix', '/admin/db'];
    const { url } = await serve([makeDatabase(makeFolder()), ...flags]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/admin\/db$/);
    expect(await getJson(`${url}/api/config`)).toEqual({
      read_only: true,
      disable_sql: true,
      prefix: '/admin/db',
    });
  });

  test('applies its environment', async () => {
    const DATABASE_URL = makeDatabase(makeFolder());
    const env = { DATABASE_URL, STUDIO_PORT: '0', STUDIO_PREFIX: '/', STUDIO_READ_ONLY: '1' };
    const url = await waitForUrl(start([], { env }));
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await getJson(`${url}/api/config`)).toMatchObject({ read_only: true });
    expect(await getJson(`${url}/api/tables/notes/rows`)).toMatchObject({ total: 2 });
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  );
  test('writes IPv6 addresses in brackets', async (context) => {
    if (!hasIpv6) context.skip('this machine has no IPv6');
    const { url } = await serve([makeDatabase(makeFolder()), '--host', '::1']);
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/studio$/);
    expect(await getJson(`${url}/api/config`)).toMatchObject({ prefix: '/studio' });
  });

  /** Ends the server and returns all of stderr. Only then is it certain that all output has been read. */
  async function stopAndReadStderr(server: Awaited<ReturnType<typeof serve>>): Promise<string> {
    server.child.kill('SIGTERM');
    return (await server.outcome()).stderr;
  }

  test('warns of --no-auth', async () => {
    const flags = ['--host', '0.0.0.0', '--no-auth'];
    const server = await serve([makeDatabase(makeFolder()), ...flags]);
    expect(server.url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/studio$/);
    expect(await stopAndReadStderr(server)).toMatch(/^database-studio: Warning: --no-auth .*\n$/);
  });

  test('warns of a variable that looks misspelled', async () => {
    const env = { STUDIO_READONLY: '1' };
    expect(await stopAndReadStderr(await serve([makeDatabase(makeFolder())], { env }))).toBe(
      'database-studio: STUDIO_READONLY is not a setting. Did you mean STUDIO_READ_ONLY?\n',
    );
  });
});

describe.runIf(process.platform === 'linux')('--open', () => {
  test('opens the URL in the browser', async () => {
    const folder = makeFolder();
    const opened = join(folder, 'opened-url');
    writeFileSync(
      join(folder, 'xdg-open'),
      `#!/bin/sh\nprintf %s "$1" > ${opened}.part && /bin/mv ${opened}.part ${opened}\n`,
      {
        mode: 0o755,
      },
    );
    const { url, text } = await serve([makeDatabase(folder), '--open'], { env: { PATH: folder } });
    await expect.poll(() => existsSync(opened), { timeout: 20_000 }).toBe(true);
    expect(readFileSync(opened, 'utf8')).toBe(`${url}/`);
    expect(text.stderr).toBe('');
  });

  test('without a browser, prints a note and the server runs', async () => {
    const folder = makeFolder();
    const { url, text } = await serve([makeDatabase(folder), '--open'], { env: { PATH: folder } });
    const note = `database-studio: The browser could not be opened. Open ${url}/ in a browser.\n`;
    await expect.poll(() => text.stderr, { timeout: 20_000 }).toBe(note);
    expect(await getJson(`${url}/api/health`)).toEqual({ live: true, ready: true });
  });
});

/** Beside what the studio writes about requests. */
function demoFilesIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name !== 'outcomes');
}

describe('the demo', () => {
  test('is served if no database is named, from a folder that only the user can read', async () => {
    const folder = makeFolder();
    const { url } = await serve([], { cwd: folder });
    const schema = (await getJson(`${url}/api/schema`)) as { tables: unknown[] };
    expect(schema.tables.length).toBeGreaterThan(5);
    expect(statSync(join(folder, 'database-studio')).mode & 0o777).toBe(0o700);
    expect(demoFilesIn(join(folder, 'database-studio'))).toEqual([
      expect.stringMatching(/^demo-v\d+\.db$/),
    ]);
  });

  test('is built once by two servers that start at the same time', async () => {
    const stateDir = makeFolder();
    const servers = [
      start(['--port=0', '--state-dir', stateDir]),
      start(['--port=0', '--state-dir', stateDir]),
    ];
    for (const url of await Promise.all(servers.map(waitForUrl))) {
      expect(await getJson(`${url}/api/health`)).toEqual({ live: true, ready: true });
    }
    expect(demoFilesIn(stateDir)).toHaveLength(1);
  });

  test('is an error that names the flag if its folder is not writable', async () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    const { status, stdout, stderr } = await run(['--state-dir', join(file, 'state')]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^database-studio: The state folder .* is not writable \(ENOTDIR\).*--state-dir\.\n$/m,
    );
  });
});

describe('serve with what it cannot serve:', () => {
  test('a missing file exits with status 1, and --create creates it', async () => {
    const cwd = makeFolder();
    const { status, stdout, stderr } = await run(['./new.db'], { cwd });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('new.db');
    expect(stderr).toContain('--create');
    expect(readdirSync(cwd)).toEqual([]);
    const { url } = await serve(['./new.db', '--create'], { cwd });
    expect(await getJson(`${url}/api/schema`)).toMatchObject({ tables: [] });
  });

  test('a file that is not a database exits with status 1, without a mention of --create', async () => {
    const path = join(makeFolder(), 'text.db');
    writeFileSync(path, 'hello '.repeat(1000));
    const { status, stderr } = await run([path]);
    expect(status).toBe(1);
    expect(stderr).toContain('text.db');
    expect(stderr).not.toContain('--create');
  });

  test('a port in use exits with status 1, and the error names it and --port 0', async () => {
    const portHolder = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void portHolder.close());
    await once(portHolder, 'listening');
    const { port } = portHolder.address() as { port: number };
    const outcome = await run([makeDatabase(makeFolder()), '--port', String(port)]);
    expect(outcome).toEqual({
      status: 1,
      stdout: '',
      stderr: `database-studio: Port ${port} of 127.0.0.1 is in use. --port 0 picks a free one.\n`,
    });
  });

  test('an address that this machine does not have exits with status 1', async () => {
    const { status, stderr } = await run([
      makeDatabase(makeFolder()),
      '--host',
      '192.0.2.1',
      '--no-auth',
      '--port=0',
    ]);
    expect(status).toBe(1);
    expect(stderr).toContain('192.0.2.1 is not an address of this machine (EADDRNOTAVAIL).');
  });

  test('an address beyond this machine without credentials exits with status 2, before anything is opened', async () => {
    const { status, stdout, stderr } = await run(['./missing.db', '--host', '0.0.0.0']);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^database-studio: Listening on 0\.0\.0\.0 .*--no-auth.*\nSee database-studio --help\.\n$/,
    );
  });

  test('a URL of an unknown kind exits with status 1, without showing its password', async () => {
    const { status, stdout, stderr } = await run(['oracle://ada:hunter2@db/x']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).not.toContain('hunter2');
  });
});

/** Starts a request without the end of its headers, so that it is running until `finish` sends it. */
async function holdRequest(url: string): Promise<{ socket: Socket; finish(): Promise<string> }> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(`GET ${pathname}/api/config HTTP/1.1\r\nHost: ${hostname}\r\n`);
  // A response on a second connection shows that the server has read the earlier data of the first.
  await getJson(`${url}/api/config`);
  const finish = async () => {
    let response = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (response += chunk));
    socket.write('\r\n');
    await once(socket, 'close');
    return response;
  };
  return { socket, finish };
}

async function waitUntilRefused(url: string): Promise<void> {
  for (;;) {
    const isListening = await fetch(`${url}/api/config`).then(
      () => true,
      () => false,
    );
    if (!isListening) return;
  }
}

describe.each([
  { signal: 'SIGINT', second: 130 },
  { signal: 'SIGTERM', second: 143 },
] as const)('$signal', ({ signal, second: exitStatus }) => {
  test('finishes running requests, accepts no new ones and exits with status 0', async () => {
    const server = await serve([makeDatabase(makeFolder())]);
    const heldRequest = await holdRequest(server.url);
    server.child.kill(signal);
    // A duplicate that npm or a wrapper forwards shortly afterwards does not count as a second
    // signal.
    server.child.kill(signal);
    await waitUntilRefused(server.url);
    expect(await heldRequest.finish()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"prefix":"\/studio"/);
    expect(await server.outcome()).toMatchObject({ status: 0, stderr: '' });
  });

  test(`exits at once with ${exitStatus} if it is sent again`, async () => {
    const server = await serve([makeDatabase(makeFolder())]);
    const { socket } = await holdRequest(server.url);
    socket.on('error', () => {});
    const repeatedSignal = setInterval(() => server.child.kill(signal), 100);
    const { status } = await server.outcome();
    clearInterval(repeatedSignal);
    expect(status).toBe(exitStatus);
  });
});

test('after SIGTERM, a studio with a shutdown delay is not ready, still responds, and then ends', async () => {
  const server = await serve([makeDatabase(makeFolder()), '--shutdown-delay', '5s']);
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  server.child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${server.url}/api/health`)).status).toBe(503);
  const rows = await fetch(`${server.url}/api/tables/notes/rows`);
  expect(rows.status).toBe(200);
  expect(rows.headers.get('connection')).toBe('close');
  expect(await getJson(`${server.url}/api/live`)).toEqual({ live: true });
  expect((await server.outcome()).status).toBe(0);
  await expect(fetch(`${server.url}/api/live`)).rejects.toThrow();
});
