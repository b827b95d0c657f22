/** What the configuration says while a database takes no writes. Standbys of PostgreSQL have a test of their own. */
import Sqlite from 'better-sqlite3';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import mysql from 'mysql2/promise';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../src/index.ts';
import { createServerStateWatch } from '../../src/studio/execution/server-state-watch.ts';
import { startMariadb } from '../servers/start-mariadb.ts';
import { usePostgres } from '../servers/postgres.ts';
import type { CreateStudioOptions } from '../../src/index.ts';

async function configOf(options: CreateStudioOptions): Promise<Record<string, unknown>> {
  const studio = await createStudio(options);
  try {
    const response = await studio.fetch(new Request('http://localhost/studio/api/config'));
    return (await response.json()) as Record<string, unknown>;
  } finally {
    await studio.close();
  }
}

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-read-only-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'my.db');
  new Sqlite(file).exec('CREATE TABLE notes (id INTEGER PRIMARY KEY)').close();
  return file;
}

describe('SQLite', () => {
  test('opened read-only by its URL', async () => {
    expect(await configOf({ url: `file:${makeFile()}?mode=ro` })).toMatchObject({
      read_only: true,
      read_only_reason: 'The URL of the database opens it read-only.',
    });
  });

  test('in a file that the studio may not write', async (context) => {
    if (userInfo().uid === 0) context.skip('root may write every file');
    const file = makeFile();
    chmodSync(file, 0o444);
    expect(await configOf({ url: file })).toMatchObject({
      read_only: true,
      read_only_reason: 'The user that the studio runs as may not write the database file.',
    });
  });

  test('of a read-only studio has no further reason', async () => {
    const config = await configOf({ url: makeFile(), readOnly: true });
    expect(config).toMatchObject({ read_only: true });
    expect(config).not.toHaveProperty('read_only_reason');
  });
});

describe('PostgreSQL', () => {
  const server = usePostgres();

  test('whose transactions are read-only by default', async () => {
    const search = '?options=-c%20default_transaction_read_only%3Don';
    expect(await configOf({ url: server().urlWith({ search }) })).toMatchObject({
      read_only: true,
      read_only_reason:
        'Transactions of the database login are read-only (default_transaction_read_only).',
    });
    expect(await configOf({ url: server().url })).toMatchObject({ read_only: false });
  });
});

/** A server of its own, because the setting holds for the whole server. */
test(
  'MariaDB with read_only is read-only for logins that must obey it',
  { timeout: 60_000 },
  async (context) => {
    const server = await startMariadb().catch((error: unknown) =>
      context.skip(`no MariaDB: ${error}`),
    );
    onTestFinished(() => server.remove());
    const { port, user, password } = server;
    const root = await mysql.createConnection({ host: '127.0.0.1', port, user, password });
    for (const statement of [
      'CREATE DATABASE shop',
      "CREATE USER plain@'%' IDENTIFIED BY 'x'",
      "CREATE USER admin@'%' IDENTIFIED BY 'x'",
      "CREATE USER member@'%' IDENTIFIED BY 'x'",
      'CREATE ROLE writers',
      "GRANT ALL ON shop.* TO plain@'%', admin@'%', member@'%'",
      "GRANT READ_ONLY ADMIN ON *.* TO admin@'%'",
      'GRANT READ_ONLY ADMIN ON *.* TO writers',
      "GRANT writers TO member@'%'",
      "SET DEFAULT ROLE writers FOR member@'%'",
      'CREATE TABLE shop.notes (id INT PRIMARY KEY)',
    ])
      await root.query(statement);
    const isReadOnly = async (login: string): Promise<unknown> =>
      (await configOf({ url: `mysql://${login}@127.0.0.1:${port}/shop` }))['read_only_reason'];
    const logins = ['plain:x', 'admin:x', 'member:x', `${user}:${password}`];
    for (const login of logins) expect(await isReadOnly(login), login).toBeUndefined();
    await root.query('SET GLOBAL read_only = 1');
    const reason = 'The database server is read-only (read_only).';
    expect(await isReadOnly('plain:x')).toBe(reason);
    // The database itself says who may write.
    for (const login of logins) {
      const [name = '', secret = ''] = login.split(':');
      const ownConnection = await mysql.createConnection({
        host: '127.0.0.1',
        port,
        user: name,
        password: secret,
      });
      const canWrite = await ownConnection
        .query('INSERT INTO shop.notes VALUES (?)', [logins.indexOf(login)])
        .then(
          () => true,
          () => false,
        );
      expect(await isReadOnly(login), login).toBe(canWrite ? undefined : reason);
      await ownConnection.end();
    }
    await root.end();
  },
);

test('the reason is never older than two seconds, and outlives failures of the database', async () => {
  const step = fc.record({ ms: fc.nat(3000), reason: fc.constantFrom(null, 'standby', 'error') });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      let now = 0;
      let current: string | null = null;
      let queryCount = 0;
      const perform = async () => {
        queryCount += 1;
        if (current === 'error') throw new Error('the database is gone');
        const readOnlyReason = current ?? undefined;
        return { body: JSON.stringify({ readOnlyReason }), meta: {} };
      };
      const watch = createServerStateWatch(perform, () => now);
      // What a model of the cache knows, and when it asked.
      let knownReason: string | undefined;
      let knownAt = -Infinity;
      let expectedQueries = 0;
      for (const { ms, reason } of steps) {
        now += ms;
        current = reason;
        if (now - knownAt >= 2000) {
          if (reason !== 'error') knownReason = reason ?? undefined;
          knownAt = now;
          expectedQueries += 1;
        }
        const state = { readOnlyReason: knownReason };
        expect(await Promise.all([watch(), watch(), watch()])).toEqual([state, state, state]);
        expect(queryCount).toBe(expectedQueries);
      }
    }),
  );
});
