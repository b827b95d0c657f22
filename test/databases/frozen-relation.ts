/** Relations that never answer must not affect requests to others. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { Client } from 'pg';
import SqliteDatabase from 'better-sqlite3';
import { array, constantFrom, record, sample } from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { requestSender, jsonBody } from '../security/send-request.ts';
import * as mariadb from '../servers/mariadb.ts';
import * as postgres from '../servers/postgres.ts';

interface Frozen {
  readonly url: string;
  release(): Promise<void>;
}

const tables = `
  CREATE TABLE items (id INTEGER PRIMARY KEY, n INTEGER);
  CREATE TABLE parents (id INTEGER PRIMARY KEY);
  CREATE TABLE locked (id INTEGER PRIMARY KEY, n INTEGER, parent_id INTEGER REFERENCES parents (id));
  INSERT INTO items VALUES (1, 1), (2, 2);
  INSERT INTO parents VALUES (1);
  INSERT INTO locked VALUES (1, 1, 1)`;

/** Another client holds an exclusive lock on `locked`, and `endless` never returns a row. */
const databases: Readonly<Record<string, () => Promise<Frozen>>> = {
  postgres: async () => {
    const database = await postgres.createTestDatabase();
    await database.query(
      `${tables}; CREATE VIEW endless AS SELECT 1 AS id, pg_sleep(600)::text AS n`,
    );
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE');
    return {
      url: database.url,
      release: async () => {
        await client.end();
        await database.drop();
      },
    };
  },
  mariadb: async () => {
    const database = await mariadb.createTestDatabase();
    await database.query(`${tables}; CREATE VIEW endless AS SELECT 1 AS id, SLEEP(600) AS n`);
    const client = await mysql.createConnection(database.url);
    await client.query('LOCK TABLES locked WRITE');
    return {
      url: database.url,
      release: async () => {
        await client.end();
        await database.drop();
      },
    };
  },
  // SQLite locks the whole file, so nothing is locked here. With a WAL, readers do not block writers.
  sqlite: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'frozen-'));
    const url = join(folder, 'frozen.db');
    const database = new SqliteDatabase(url);
    const endless =
      'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT max(i) AS id, 1 AS n FROM c';
    database.exec(`PRAGMA journal_mode = WAL; ${tables}; CREATE VIEW endless AS ${endless}`);
    database.close();
    return { url, release: () => rm(folder, { recursive: true, force: true }) };
  },
};

type Request = readonly [path: string, init?: RequestInit];

const frozenRequests: readonly Request[] = [
  ...['endless', 'locked'].flatMap((table): Request[] => [
    [`/tables/${table}/rows`],
    [`/tables/${table}/rows?count=exact&page_size=1&page=2`],
    [`/tables/${table}/rows?count=none&cells=preview&sort_by=n&sort_order=desc`],
    [`/tables/${table}/rows?count=estimated&search=1`],
  ]),
  ['/tables/locked/rows/1'],
  ['/tables/locked/rows/1/cells/n'],
  ['/tables/parents/rows/1/relations/Lockeds'],
  ['/sql', jsonBody({ query: 'SELECT * FROM endless' })],
];

const healthyRequests: readonly Request[] = [
  ['/tables/items/rows'],
  ['/tables/items/rows?count=estimated&sort_by=n'],
  ['/tables/items/rows/1'],
  ['/tables/items/rows/2', jsonBody({ n: 5 }, 'PUT')],
  ['/health'],
  ['/schema'],
  ['/stats'],
];

const visits = record({
  frozen: array(constantFrom(...frozenRequests), { minLength: 24, maxLength: 36 }),
  healthy: array(constantFrom(...healthyRequests), { minLength: 10, maxLength: 20 }),
});

const waitOptions = { timeout: 60_000, interval: 50 };

/** Sends this many rounds of requests to each database. */
export function testFrozenRelations({ rounds }: { readonly rounds: number }): void {
  describe.each(Object.entries(databases))('%s', (_name, freeze) => {
    test(
      'requests to relations that never respond leave connections for other requests',
      { timeout: 600_000 },
      async (context) => {
        const frozen = await freeze().catch((error: unknown) => {
          if (process.env['CI']) throw error;
          context.skip(String(error));
        });
        if (frozen === undefined) return;
        const studio = await createStudio({ url: frozen.url, statementTimeoutMs: 8000 });
        onTestFinished(async () => {
          await studio.close();
          await frozen.release();
        });
        const ask = requestSender(studio);
        for (const visit of sample(visits, rounds)) {
          const gone = new AbortController();
          const stuck = visit.frozen.map(async ([path, init]) =>
            ask(path, { ...init, signal: gone.signal }),
          );
          const parallel = [0, 1, 2].map((first) =>
            visit.healthy.filter((_, i) => i % 3 === first),
          );
          await Promise.all(
            parallel.map(async (requests) => {
              for (const [path, init] of requests) {
                const { status, json } = await ask(path, init);
                expect(status, `${path}: ${JSON.stringify(json)}`).toBe(200);
              }
            }),
          );
          gone.abort();
          await Promise.all(stuck);
          await vi.waitFor(async () => expect((await studio.stats()).inUse).toBe(0), waitOptions);
        }
      },
    );
  });
}
