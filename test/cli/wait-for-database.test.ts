/** The option `--wait-for-database`, for a database that starts after the studio. */
import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { waitForDatabase } from '../../src/cli/wait-for-database.ts';
import { StudioError } from '../../src/model/errors.ts';
import * as postgres from '../servers/postgres.ts';
import { waitForUrl, run, start } from './command.ts';
import { freePort } from '../servers/free-port.ts';

const unreachable = new StudioError('database_unavailable', 'The database cannot be reached.');
const missingFile = new StudioError('database_unavailable', 'No file.', { missing_file: 'x.db' });
const permissionDenied = new StudioError('permission_denied', 'No.');

test('waitForDatabase tries again until the database can be reached, and says once that it waits', async () => {
  const results = [unreachable, new StudioError('database_busy', 'Full.'), unreachable];
  const note = vi.fn();
  const open = vi.fn(() => {
    const error = results.shift();
    return error === undefined ? Promise.resolve('open') : Promise.reject(error);
  });
  expect(await waitForDatabase(open, { limitMs: 60_000, note })).toBe('open');
  expect(open).toHaveBeenCalledTimes(4);
  expect(note.mock.calls).toEqual([
    ['The database cannot be reached. Waiting for it, 60 s at most.'],
  ]);
});

test.each([
  ['without the option', unreachable, undefined],
  ['for a missing file', missingFile, 60_000],
  ['for other errors', permissionDenied, 60_000],
])('waitForDatabase does not wait %s', async (_, error, limitMs) => {
  const open = vi.fn(() => Promise.reject(error));
  await expect(waitForDatabase(open, { limitMs, note: vi.fn() })).rejects.toBe(error);
  expect(open).toHaveBeenCalledTimes(1);
});

describe('the command', () => {
  test('ends with the error of the last attempt', async () => {
    const { status, stderr } = await run([
      'postgres://u@127.0.0.1:1/db',
      '--wait-for-database',
      // Longer than a first attempt takes on a busy machine.
      '4s',
    ]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/Waiting for it, [1-4] s at most.*The database cannot be reached/s);
  });

  test('serves a database that starts later', async (context) => {
    const database = await postgres.createTestDatabase().catch((error: unknown) => {
      if (process.env['CI']) throw error;
      return context.skip(String(error));
    });
    onTestFinished(() => database.drop());
    const target = new URL(database.url);
    const port = await freePort();
    const url = new URL(database.url);
    url.port = String(port);
    const child = start([url.href, '--port', '0', '--wait-for-database', '1m']);
    const isWaiting = new Promise<void>((resolve) => {
      child.child.stderr?.on('data', (text) => {
        if (String(text).includes('Waiting for it')) resolve();
      });
    });
    await isWaiting;
    const relay = createServer((client) => {
      const server = connect(Number(target.port), target.hostname);
      client.pipe(server).pipe(client);
      for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => void relay.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => void relay.close());
    const address = await waitForUrl(child);
    expect((await fetch(`${address}/api/health`)).status).toBe(200);
  });
});
