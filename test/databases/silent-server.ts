/**
 * Servers that accept connections and statements but stop responding, while clients disconnect at
 * random times: every connection returns to the pool when its request is over.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { array, constantFrom, nat, record, sample } from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { requestSender, jsonBody } from '../security/send-request.ts';
import * as mariadb from '../servers/mariadb.ts';
import * as postgres from '../servers/postgres.ts';
import { startRelay } from '../servers/relay.ts';
import type { Arbitrary } from 'fast-check';
import type { TestContext } from 'vitest';
import type { Studio } from '../../src/studio/studio.ts';

interface TestDatabase {
  readonly url: string;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

interface TestServer {
  readonly create: () => Promise<TestDatabase>;
  /** The number of open transactions in the database. */
  readonly openTransactions: (name: string) => string;
}

const servers: Readonly<Record<string, TestServer>> = {
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

export const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/tables/items/rows?count=exact'],
  ['/tables/items/rows/1'],
  ['/schema/refresh', { method: 'POST' }],
  ['/health'],
  ['/sql', jsonBody({ query: 'SELECT * FROM items' })],
  ['/sql', jsonBody({ query: 'UPDATE items SET n = n + 1' })],
  ['/tables/items/rows/1', jsonBody({ n: 5 }, 'PUT')],
  ['/tables/items/changes', jsonBody({ update: [{ id: '2', values: { n: 7 } }] })],
];

/** Longer than all timeouts for a server that does not respond. */
export const waitOptions = { timeout: 60_000, interval: 50 };

async function expectNoneInUse(studio: Studio): Promise<void> {
  await vi.waitFor(async () => expect((await studio.stats()).inUse).toBe(0), waitOptions);
}

const disconnectingClients = array(
  record({
    request: constantFrom(...requests),
    startsMs: nat(60),
    disconnectsAfterMs: nat(50),
  }),
  { minLength: 30, maxLength: 40 },
);

/** Waiting for a silent server takes longer than all other tests together. */
export function testDisconnectingClients({ isSilenced }: { readonly isSilenced: boolean }): void {
  describe.each(Object.entries(servers))('%s', (_name, server) => {
    const condition = isSilenced
      ? 'also where the server falls silent'
      : 'while the server answers';
    test(`requests whose clients disconnect keep no connections ${condition}`, (context) =>
      expectConnectionsReturned(context, server, isSilenced));
  });
}

async function expectConnectionsReturned(
  context: TestContext,
  { create, openTransactions }: TestServer,
  isSilenced: boolean,
): Promise<void> {
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
  const ask = requestSender(studio);
  const sendAndDisconnect = async (
    clients: typeof disconnectingClients extends Arbitrary<infer T> ? T : never,
  ) =>
    Promise.all(
      clients.map(async ({ request: [path, init], startsMs, disconnectsAfterMs }) => {
        await sleep(startsMs);
        const disconnect = new AbortController();
        setTimeout(() => disconnect.abort(), disconnectsAfterMs);
        await ask(path, { ...init, signal: disconnect.signal });
      }),
    );
  const [whileResponding, whileSilenced] = sample(disconnectingClients, 2) as [never, never];
  await sendAndDisconnect(whileResponding);
  await expectNoneInUse(studio);
  if (isSilenced) {
    setTimeout(() => relay.silence(), 40);
    await sendAndDisconnect(whileSilenced);
    await expectNoneInUse(studio);
    relay.resume();
  }
  const read = async (): Promise<void> =>
    expect(await ask('/tables/items/rows')).toMatchObject({ status: 200 });
  await vi.waitFor(read, waitOptions);
  const open = openTransactions(pathname.slice(1));
  await vi.waitFor(
    async () => expect(Number((await database.query(open))[0]?.['n'])).toBe(0),
    waitOptions,
  );
  if (isSilenced) relay.silence();
  await studio.close();
}
