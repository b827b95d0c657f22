/**
 * Imports and exports whose server falls silent end within seconds, and say so. Silence alone does not
 * end them: a statement may wait for hours while the server answers others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { fileBody, requestSender } from '../security/send-request.ts';
import { importDumpFile } from './importing.ts';
import * as mariadb from '../servers/mariadb.ts';
import * as postgres from '../servers/postgres.ts';
import { startRelay } from '../servers/relay.ts';
import type { TestContext } from 'vitest';
import type { SendRequest } from '../security/send-request.ts';
import type { Relay } from '../servers/relay.ts';
import type { Studio } from '../../src/studio/studio.ts';

interface TestDatabase {
  readonly url: string;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

interface TestServer {
  readonly create: () => Promise<TestDatabase>;
  /** The type of a key that the database counts. */
  readonly counted: string;
  /** Inserts rows with the ids from 1. */
  readonly fill: (rows: number) => string;
  /** Counts the sessions that wait for the lock of the table. */
  readonly waiting: string;
  /** Locks the table. Returns a function that releases it. */
  readonly lock: (url: string) => Promise<() => Promise<void>>;
}

const servers: Readonly<Record<string, TestServer>> = {
  postgres: {
    create: postgres.createTestDatabase,
    counted: 'SERIAL PRIMARY KEY',
    fill: (rows) =>
      `INSERT INTO items SELECT i, repeat('x', 100) FROM generate_series(1, ${rows}) i`,
    waiting:
      "SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND relation = 'items'::regclass",
    lock: async (url) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query('BEGIN');
      await client.query('LOCK TABLE items');
      let ended: Promise<void> | undefined;
      return () => (ended ??= client.end());
    },
  },
  mariadb: {
    create: mariadb.createTestDatabase,
    counted: 'INT AUTO_INCREMENT PRIMARY KEY',
    fill: (rows) => `INSERT INTO items SELECT seq, repeat('x', 100) FROM seq_1_to_${rows}`,
    waiting: `SELECT count(*) AS n FROM information_schema.processlist
      WHERE db = database() AND state LIKE 'Waiting for table%'`,
    lock: async (url) => {
      const client = await mysql.createConnection(url);
      await client.query('LOCK TABLES items WRITE');
      let ended: Promise<void> | undefined;
      return () => (ended ??= client.end());
    },
  },
};

interface Scenario {
  readonly database: TestDatabase;
  /** Between the studio and the server. */
  readonly relay: Relay;
  /** Of the database, by the relay. */
  readonly url: string;
  readonly studio: Studio;
  readonly ask: SendRequest;
}

async function setUp(context: TestContext, { create }: TestServer): Promise<Scenario> {
  const database = await create().catch((error: unknown) => {
    if (process.env['CI']) throw error;
    return context.skip(String(error));
  });
  const url = new URL(database.url);
  const relay = await startRelay(Number(url.port));
  url.port = String(relay.port);
  await database.query('CREATE TABLE items (id INT PRIMARY KEY, note VARCHAR(200))');
  const studio = await createStudio({ url: url.href });
  onTestFinished(async () => {
    await relay.close();
    await studio.close();
    await database.drop();
  });
  return { database, relay, url: url.href, studio, ask: requestSender(studio) };
}

const file = 'id,note\n1,a\n2,b\n';
/** Longer than the time after which the server is asked for another connection. */
const silenceMs = 4000;

describe.each(Object.entries(servers))('%s', (_name, server) => {
  const numberOf = async ({ database }: Scenario, query: string): Promise<number> =>
    Number((await database.query(query))[0]?.['n']);
  const countOf = (scenario: Scenario): Promise<number> =>
    numberOf(scenario, 'SELECT count(*) AS n FROM items');

  /** Starts an import that waits for a lock, until the returned function releases it. */
  const beginWaitingImport = async (scenario: Scenario) => {
    const release = await server.lock(scenario.database.url);
    onTestFinished(release);
    const importing = scenario.ask('/import/data?table=items', fileBody('items.csv', file));
    await vi.waitFor(
      async () => expect(await numberOf(scenario, server.waiting)).toBeGreaterThan(0),
      { timeout: 30_000, interval: 100 },
    );
    return { importing, release };
  };

  test('an import that waits for a lock is completed', async (context) => {
    const scenario = await setUp(context, server);
    const { importing, release } = await beginWaitingImport(scenario);
    await sleep(silenceMs);
    await release();
    expect(await importing).toMatchObject({ status: 200 });
    expect(await countOf(scenario)).toBe(2);
  });

  test('an import whose server falls silent fails and has written nothing', async (context) => {
    const scenario = await setUp(context, server);
    const { importing, release } = await beginWaitingImport(scenario);
    scenario.relay.silence();
    const { status, json } = await importing;
    expect(status).toBe(503);
    expect(json).toMatchObject({
      code: 'database_unavailable',
      error: expect.stringContaining('nothing was written') as string,
    });
    await release();
    expect(await countOf(scenario)).toBe(0);
  });

  test('a dump whose server ends fails without sentences about the tables it has created', async (context) => {
    const { relay, url } = await setUp(context, server);
    const rows = Array.from({ length: 20_000 }, (_, i) => `(${i + 1}, 'row ${i}')`).join(',\n');
    const importing = importDumpFile(
      url,
      `CREATE TABLE created (id ${server.counted}, note VARCHAR(20));
      INSERT INTO created (id, note) VALUES ${rows};\nSELECT 1;`,
      { onProgress: (progress) => progress.rows > 0 && void relay.close() },
    );
    await expect(importing).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.not.stringContaining('could not be restored') as string,
    });
  });

  test('an export whose server falls silent fails', async (context) => {
    const scenario = await setUp(context, server);
    await scenario.database.query(server.fill(400_000));
    const request = new Request('http://localhost:4555/studio/api/tables/items/export?format=csv');
    const app = createApp(scenario.studio, {});
    const response = await app.fetch(request, { address: '127.0.0.1' });
    const reader = response.body!.getReader();
    await reader.read();
    scenario.relay.silence();
    const readAll = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    await expect(readAll()).rejects.toThrow('The database cannot be reached');
  });
});
