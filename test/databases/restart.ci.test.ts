/**
 * A database server that stops during writes and starts again: interrupted work is rolled back and
 * reported, and the studio continues without a restart.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import mysql from 'mysql2/promise';
import { Client } from 'pg';
import { createStudio } from '../../src/studio/studio.ts';
import { requestSender, fileBody, jsonBody } from '../security/send-request.ts';
import { startPostgres } from '../servers/embedded-postgres.ts';
import { startMariadb } from '../servers/start-mariadb.ts';
import type { Studio } from '../../src/studio/studio.ts';
import type { SendRequest, AppResponse } from '../security/send-request.ts';

/** A separate server, because other tests use the one of the run. */
interface TestServer {
  readonly url: string;
  /** A query for the number of transactions that wait for a lock. */
  readonly waiting: string;
  /** A lock on `items` that blocks CREATE VIEW. */
  readonly tableLock: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
  connect(): Promise<ClientSession>;
}

/** A session without the studio. */
interface ClientSession {
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * Suspends the session's process, so that the shutdown does not release its locks before the
   * waiting sessions end. Returns a function that resumes it. Absent if sessions are threads.
   */
  freeze?(): Promise<() => void>;
  end(): Promise<void>;
}

const servers: Readonly<Record<string, () => Promise<TestServer>>> = {
  postgres: async () => {
    const server = await startPostgres();
    const url = `postgres://${server.user}:${server.password}@127.0.0.1:${server.port}/postgres`;
    const waiting = "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    const tableLock = 'LOCK TABLE items IN ACCESS EXCLUSIVE MODE';
    const connect = async (): Promise<ClientSession> => {
      const client = new Client({ connectionString: url });
      // Its connection breaks as well.
      client.on('error', () => undefined);
      await client.connect();
      return {
        query: async (text) => (await client.query<Record<string, unknown>>(text)).rows,
        freeze: async () => {
          const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
          const pid = rows[0]!.pid;
          process.kill(pid, 'SIGSTOP');
          return () => void process.kill(pid, 'SIGCONT');
        },
        end: () => client.end().catch(() => undefined),
      };
    };
    return { ...server, url, waiting, tableLock, connect };
  },
  mysql: async () => {
    const server = await startMariadb();
    const url = `mysql://${server.user}:${server.password}@127.0.0.1:${server.port}/shop`;
    const waiting = `SELECT (SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT')
      + (SELECT count(*) FROM information_schema.processlist WHERE state LIKE 'Waiting for table%') AS n`;
    const tableLock = 'LOCK TABLES items WRITE';
    const open = async (to: string): Promise<ClientSession> => {
      const client = await mysql.createConnection(to);
      client.on('error', () => undefined);
      return {
        query: async (text) => (await client.query(text))[0] as Record<string, unknown>[],
        end: () => client.end().catch(() => undefined),
      };
    };
    const first = await open(url.replace(/shop$/, ''));
    await first.query('CREATE DATABASE shop');
    await first.end();
    return { ...server, url, waiting, tableLock, connect: () => open(url) };
  },
};

/** InnoDB does not update its list of transactions if it is queried more often than every 100 ms. */
const waitFor = { timeout: 60_000, interval: 200 };

describe.each(Object.entries(servers))('%s is restarted', (name, open) => {
  let testServer: TestServer | undefined;
  let unavailableReason = '';
  let studio: Studio;
  let ask: SendRequest;
  let stateDir = '';

  beforeAll(async () => {
    try {
      testServer = await open();
    } catch (error) {
      if (process.env['CI']) throw error;
      unavailableReason = String(error);
      return;
    }
    const client = await testServer.connect();
    await client.query('CREATE TABLE items (id INT PRIMARY KEY, n INT)');
    await client.query('INSERT INTO items VALUES (1, 1), (2, 2)');
    await client.end();
    stateDir = mkdtempSync(join(tmpdir(), 'studio-restart-'));
    studio = await createStudio({ url: testServer.url, stateDir });
    ask = requestSender(studio);
  });
  beforeEach((context) => {
    if (testServer === undefined) context.skip(unavailableReason);
  });
  afterAll(async () => {
    await studio?.close();
    await testServer?.remove();
    if (stateDir !== '') rmSync(stateDir, { recursive: true });
  });

  interface InterruptedRequest {
    readonly title: string;
    readonly path: string;
    readonly request: () => RequestInit;
    /** The lock that the request waits for when it is interrupted. */
    readonly lock?: string;
  }

  const rowLock = 'SELECT * FROM items WHERE id = 1 FOR UPDATE';
  const script =
    'CREATE TABLE created (id INT PRIMARY KEY); CREATE VIEW seen AS SELECT * FROM items;';
  const importSchema = () => fileBody('a.sql', script);

  async function interrupt({
    path,
    request,
    lock = rowLock,
  }: InterruptedRequest): Promise<AppResponse> {
    const { connect, waiting, stop } = testServer!;
    const [holder, observer] = [await connect(), await connect()];
    await holder.query('BEGIN');
    await holder.query(lock);
    const pendingResponse = ask(path, request());
    await vi.waitFor(
      async () => expect(Number((await observer.query(waiting))[0]?.['n'])).toBe(1),
      waitFor,
    );
    const resume = await holder.freeze?.();
    const stopped = stop();
    const response = await pendingResponse.finally(() => resume?.());
    await stopped;
    await Promise.all([holder.end(), observer.end()]);
    return response;
  }

  async function restoreRows(): Promise<void> {
    const client = await testServer!.connect();
    await client.query('UPDATE items SET n = id');
    await client.query('DELETE FROM items WHERE id > 2');
    await client.end();
  }

  /** Requests fail with 503 while the server is down, and succeed after it is back. */
  async function expectComesBack(mayBeWritten = false): Promise<void> {
    const rows = '/tables/items/rows?sort_by=id';
    for (const path of [rows, '/tables/items/rows/1', '/tables/items/export'])
      expect(await ask(path)).toMatchObject({
        status: 503,
        json: { code: 'database_unavailable' },
      });
    const statement = (query: string) => ask('/sql', jsonBody({ query }));
    expect(await statement('UPDATE items SET n = 0')).toMatchObject({
      status: 503,
      json: {
        code: 'database_unavailable',
        error: expect.stringMatching(/; nothing was written\.$/),
      },
    });
    const read = await statement('SELECT n FROM items');
    expect([read.status, read.text]).toEqual([503, expect.not.stringContaining('written')]);
    expect((await ask('/health')).json).toMatchObject({ ready: false });
    await testServer!.start();
    if (mayBeWritten) await restoreRows();
    expect((await ask(rows)).json).toMatchObject({
      data: [
        { id: 1, n: 1 },
        { id: 2, n: 2 },
      ],
      total: 2,
    });
    expect((await ask('/health')).json).toMatchObject({ ready: true });
    // The structure is checked in the background, on a short-lived separate connection.
    await vi.waitFor(async () => expect((await studio.stats()).inUse).toBe(0), waitFor);
  }

  test.each<InterruptedRequest>([
    {
      title: 'a save of several rows',
      path: '/tables/items/changes',
      request: () =>
        jsonBody({ create: [{ id: 3, n: 3 }], update: [{ id: '1', values: { n: 9 } }] }),
    },
    {
      title: 'raw SQL',
      path: '/sql',
      request: () => jsonBody({ query: 'UPDATE items SET n = n + 100' }),
    },
    {
      title: 'an import',
      path: '/import/data?table=items&on_conflict=update',
      request: () => fileBody('a.csv', 'id,n\n3,3\n4,4\n1,9\n'),
    },
  ])('$title that waits for a lock is rolled back and reported', async (interrupted) => {
    const response = await interrupt(interrupted);
    expect(response.json).toMatchObject({ code: 'database_unavailable' });
    // A session that is a thread cannot be suspended. If the server ends the one with the lock first,
    // the request may reach its commit, whose outcome it cannot know.
    const mayBeWritten = String(response.json['error']).includes('; check whether it was written.');
    if (!mayBeWritten) expect(response.json['error']).toMatch(/; nothing was written[.:]/);
    else expect(name).toBe('mysql');
    expect(response.status).toBe(503);
    await expectComesBack(mayBeWritten);
  });

  test('an import of structure is undone before the next one', async () => {
    const lock = testServer!.tableLock;
    const response = await interrupt({
      title: '',
      path: '/import/schema',
      request: importSchema,
      lock,
    });
    expect(response).toMatchObject({ status: 503, json: { code: 'database_unavailable' } });
    await expectComesBack();
    const again = await ask('/import/schema', importSchema());
    expect(again, again.text).toMatchObject({ status: 200, json: { tables_created: ['created'] } });
  });
});
