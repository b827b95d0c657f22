/**
 * Servers that take connections and statements and answer nothing, for random moments of random
 * requests, whose clients leave at random moments: no place of the pool outlives its request.
 */
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { array, constantFrom, nat, record, sample } from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { asking, jsonBody } from '../security/asking.ts';
import * as mariadb from '../servers/mariadb.ts';
import * as postgres from '../servers/postgres.ts';
import { startRelay } from '../servers/relay.ts';
import type { Arbitrary } from 'fast-check';
import type { AddressInfo } from 'node:net';
import type { Studio } from '../../src/studio/studio.ts';

interface TestDatabase {
  readonly url: string;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

interface Place {
  readonly create: () => Promise<TestDatabase>;
  /** How many transactions are open in the database. */
  readonly openTransactions: (name: string) => string;
}

const places: Readonly<Record<string, Place>> = {
  postgres: {
    create: postgres.createTestDatabase,
    openTransactions: (name) =>
      `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = '${name}' AND state LIKE 'idle in%'`,
  },
  mariadb: {
    create: mariadb.createTestDatabase,
    openTransactions: (name) => `SELECT count(*) AS n FROM information_schema.innodb_trx t
      JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id WHERE p.db = '${name}'`,
  },
};

const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/tables/items/rows?count=exact'],
  ['/tables/items/rows/1'],
  ['/schema/refresh', { method: 'POST' }],
  ['/health'],
  ['/sql', jsonBody({ query: 'SELECT * FROM items' })],
  ['/sql', jsonBody({ query: 'UPDATE items SET n = n + 1' })],
  ['/tables/items/rows/1', jsonBody({ n: 5 }, 'PUT')],
  ['/tables/items/changes', jsonBody({ update: [{ id: '2', values: { n: 7 } }] })],
];

/** Longer than anything waits for a server that does not answer. */
const settles = { timeout: 60_000, interval: 50 };

async function expectNoPlaceTaken(studio: Studio): Promise<void> {
  await vi.waitFor(async () => expect((await studio.stats()).inUse).toBe(0), settles);
}

const leaving = array(
  record({
    request: constantFrom(...requests),
    startsMs: nat(60),
    leavesAfterMs: nat(50),
  }),
  { minLength: 30, maxLength: 40 },
);

describe.each(Object.entries(places))('%s', (_name, { create, openTransactions }) => {
  test('requests whose clients leave take no places, be the server silent or not', async (context) => {
    const database = await create().catch((error: unknown) => {
      if (process.env['CI']) throw error;
      context.skip(String(error));
    });
    if (database === undefined) return;
    const { port, pathname } = new URL(database.url);
    const relay = await startRelay(Number(port));
    const url = new URL(database.url);
    url.port = String(relay.port);
    await database.query('CREATE TABLE items (id INT PRIMARY KEY, n INT)');
    await database.query('INSERT INTO items VALUES (1, 1), (2, 2)');
    const studio = await createStudio({ url: url.href, statementTimeoutMs: 1000 });
    onTestFinished(async () => {
      await relay.close();
      await database.drop();
    });
    const ask = asking(studio);
    const leave = async (visits: typeof leaving extends Arbitrary<infer T> ? T : never) =>
      Promise.all(
        visits.map(async ({ request: [path, init], startsMs, leavesAfterMs }) => {
          await sleep(startsMs);
          const gone = new AbortController();
          setTimeout(() => gone.abort(), leavesAfterMs);
          await ask(path, { ...init, signal: gone.signal });
        }),
      );
    const [awake, falling] = sample(leaving, 2) as [never, never];
    await leave(awake);
    await expectNoPlaceTaken(studio);
    setTimeout(() => relay.silence(), 40);
    await leave(falling);
    await expectNoPlaceTaken(studio);
    relay.resume();
    const read = async (): Promise<void> =>
      expect(await ask('/tables/items/rows')).toMatchObject({ status: 200 });
    await vi.waitFor(read, settles);
    const open = openTransactions(pathname.slice(1));
    await vi.waitFor(
      async () => expect(Number((await database.query(open))[0]?.['n'])).toBe(0),
      settles,
    );
    relay.silence();
    await studio.close();
  });
});

test.each(['postgres', 'mysql', 'sqlserver'])(
  'a %s server that never speaks is unavailable when the time is up',
  async (scheme) => {
    const server = createServer((socket) => void socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const limit = scheme === 'sqlserver' ? 'connection timeout=1' : 'connect_timeout=1';
    const parameter = scheme === 'mysql' ? 'connectTimeout=1' : limit.replace(' ', '%20');
    const url = `${scheme}://ada:x@127.0.0.1:${port}/shop?${parameter}`;
    await expect(createStudio({ url })).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringContaining('it does not answer'),
    });
  },
);
