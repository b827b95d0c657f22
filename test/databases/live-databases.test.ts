/** `createStudio({ database })` with pools and handles that a program has open already. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import mysqlCallbacks from 'mysql2';
import mysql from 'mysql2/promise';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { urlOfPool as urlOfMysqlPool } from '../../src/databases/mysql/pool-url.ts';
import { readUrl as readMysqlUrl } from '../../src/databases/mysql/driver/connection-options.ts';
import { urlOfPool as urlOfPostgresPool } from '../../src/databases/postgres/pool-url.ts';
import { readUrl as readPostgresUrl } from '../../src/databases/postgres/driver/connection-options.ts';
import { stateFileName } from '../../src/studio/core/state-file-name.ts';
import { createStudio } from '../../src/index.ts';
import { useMariadb } from '../servers/mariadb.ts';
import { usePostgres } from '../servers/postgres.ts';
import type { CreateStudioOptions, LiveDatabase } from '../../src/index.ts';

const mariadb = useMariadb();
const postgres = usePostgres();

const pem = (kind: string): string => `-----BEGIN ${kind}-----\nMIIB+/=&%\n-----END ${kind}-----\n`;

/** Rows that an export, which runs in a child process, and a page show. */
async function readThrough(database: LiveDatabase, table: string): Promise<unknown> {
  const studio = await createStudio({ database });
  onTestFinished(() => studio.close());
  const ask = async (path: string): Promise<unknown> => {
    const response = await studio.fetch(new Request(`http://localhost/studio/api${path}`));
    expect(response.status).toBe(200);
    return response.json();
  };
  const page = (await ask(`/tables/${table}/rows`)) as { readonly data: unknown };
  const file = await ask(`/export/data?format=json&tables=${table}`);
  expect(file).toEqual({ [table]: page.data });
  await studio.close();
  return page.data;
}

const structure = `CREATE TABLE kept (id INTEGER PRIMARY KEY, name VARCHAR(20))`;
const rows = `INSERT INTO kept VALUES (1, 'Ada')`;
const expected = [{ id: 1, name: 'Ada' }];

describe('a studio on the settings of', () => {
  test('a pool of node-postgres, which stays open', async () => {
    const pool = new Pool({ connectionString: postgres().url, max: 3 });
    onTestFinished(() => pool.end());
    await pool.query(`${structure}; ${rows}`);
    expect(await readThrough(pool, 'kept')).toEqual(expected);
    expect((await pool.query('SELECT name FROM kept')).rows).toEqual([{ name: 'Ada' }]);
  });

  test('a pool of mysql2, with promises or callbacks, which stays open', async () => {
    const pool = mysql.createPool(mariadb().url);
    onTestFinished(() => pool.end());
    await pool.query(structure);
    await pool.query(rows);
    expect(await readThrough(pool, 'kept')).toEqual(expected);
    expect((await pool.query('SELECT name FROM kept'))[0]).toEqual([{ name: 'Ada' }]);
    const withCallbacks = mysqlCallbacks.createPool(mariadb().url);
    onTestFinished(() => withCallbacks.promise().end());
    expect(await readThrough(withCallbacks, 'kept')).toEqual(expected);
  });

  test('a file of better-sqlite3, read-only if the handle is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'live #1 50% é?'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'a.db');
    const handle = new BetterSqlite3(relative(process.cwd(), file));
    onTestFinished(() => void handle.close());
    handle.exec(`${structure}; ${rows}`);
    expect(await readThrough(handle, 'kept')).toEqual(expected);
    expect(handle.prepare('SELECT name FROM kept').all()).toEqual([{ name: 'Ada' }]);

    const reader = new BetterSqlite3(file, { readonly: true });
    onTestFinished(() => void reader.close());
    const studio = await createStudio({ database: reader });
    onTestFinished(() => studio.close());
    const config = await studio.fetch(new Request('http://localhost/studio/api/config'));
    expect(await config.json()).toMatchObject({ read_only: true });
  });
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter(isSendable);

/** Without NUL, which no login can have, and lone surrogates, which no URL can. */
function isSendable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

const host = fc.oneof(fc.domain(), fc.ipV4(), fc.constantFrom('localhost', '::1', '2001:db8::7'));
const port = fc.integer({ min: 1, max: 65_535 });

describe('the settings of a pool', () => {
  test('of node-postgres are those of the URL that is made of it', () => {
    const settings = { host, port, user: text, password: text, database: text };
    fc.assert(
      fc.property(
        fc.record(settings),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        (login, verifies, max) => {
          const certificates = {
            ca: pem('CERTIFICATE'),
            cert: pem('CERTIFICATE'),
            key: pem('KEY'),
          };
          const ssl = { ...certificates, passphrase: '&=', rejectUnauthorized: verifies };
          // The driver changes the object: it hides the key.
          const pool = new Pool({ ...login, ssl: { ...ssl }, max, options: '-c work_mem=9MB' });
          const read = readPostgresUrl(urlOfPostgresPool(pool) ?? '');
          const { host: name, port: number, ...rest } = login;
          expect(read).toMatchObject({ ...rest, maxConnections: max });
          expect(read.serverOptions).toBe('-c work_mem=9MB');
          expect(read.hosts).toEqual([{ host: name, port: number, tls: [ssl] }]);
        },
      ),
    );
  });

  test('of mysql2 are those of the URL that is made of it', () => {
    const settings = { host, port, user: text, password: text, database: text };
    fc.assert(
      fc.property(
        fc.record(settings),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        (login, verifyIdentity, connectionLimit) => {
          const certificates = {
            ca: pem('CERTIFICATE'),
            cert: pem('CERTIFICATE'),
            key: pem('KEY'),
          };
          const ssl = { ...certificates, verifyIdentity };
          const pool = mysqlCallbacks.createPool({ ...login, connectionLimit, ssl });
          const read = readMysqlUrl(urlOfMysqlPool(pool) ?? '');
          const { host: name, port: number, ...account } = login;
          expect(read).toMatchObject({ ...account, maxConnections: connectionLimit });
          const tls = [{ ...ssl, rejectUnauthorized: true }];
          expect(read.hosts).toEqual([{ host: name, port: number, tls }]);
        },
      ),
    );
  });

  test('keep the names of state files when certificates are renewed', () => {
    const urlWith = (ca: string): string =>
      urlOfPostgresPool(new Pool({ host: 'db', user: 'a', database: 'd', ssl: { ca } })) ?? '';
    const [first, second] = [pem('CERTIFICATE'), pem('TRUSTED CERTIFICATE')];
    expect(urlWith(first)).not.toBe(urlWith(second));
    expect(stateFileName(urlWith(first))).toBe(stateFileName(urlWith(second)));
  });

  // node-postgres treats sslmode=require as verify-full, and libpq does not.
  test.each([
    ['sslmode=require', [{ rejectUnauthorized: true }]],
    ['sslmode=no-verify', [{ rejectUnauthorized: false }]],
    ['sslmode=disable', [false]],
    ['', [false]],
  ])('of node-postgres are as its driver reads the URL: %s', (search, tls) => {
    const pool = new Pool({ connectionString: `postgres://ada:s@db.example/shop?${search}` });
    expect(readPostgresUrl(urlOfPostgresPool(pool) ?? '').hosts[0]?.tls).toEqual(tls);
  });
});

describe('createStudio rejects', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['a password function', () => new Pool({ password: () => 's3cret' }), /a function as pass/],
    [
      'a check of its own of the host',
      () => new Pool({ password: 's3cret', ssl: { checkServerIdentity: () => undefined } }),
      /the TLS option "checkServerIdentity"/,
    ],
    [
      'a bundle of keys',
      () => new Pool({ password: 's3cret', ssl: { pfx: Buffer.from('s3cret') } }),
      /the TLS option "pfx"/,
    ],
    [
      'a socket of its own',
      () => new Pool({ password: 's3cret', stream: () => undefined }),
      /the setting "stream"/,
    ],
    [
      'a hash as password',
      () =>
        mysqlCallbacks.createPool({ database: 'd', passwordSha1: Buffer.from('s3cret') } as object),
      /the setting "passwordSha1"/,
    ],
    [
      'a pool without a database',
      () => mysqlCallbacks.createPool({ password: 's3cret' }),
      /names no database/,
    ],
    [
      'a passphrase of mysql2',
      () => mysqlCallbacks.createPool({ database: 'd', ssl: { passphrase: 's3cret' } }),
      /the TLS option "passphrase"/,
    ],
    ['a database in memory', () => new BetterSqlite3(':memory:'), /is in memory/],
    ['another object', () => ({ config: { server: 's3cret' } }), /must be a pool of pg or mysql2/],
    ['a URL', () => 'postgres://ada:s3cret@localhost/shop', /must be a pool of pg or mysql2/],
  ])('%s', async (_, open, message) => {
    const opened = createStudio({ database: open() } as CreateStudioOptions);
    await expect(opened).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringMatching(message) as string,
    });
    await expect(opened).rejects.not.toThrow('s3cret');
  });

  test('both a URL and a database', async () => {
    const database = new BetterSqlite3(':memory:');
    const urlAndDatabase = { url: ':memory:', database } as unknown as CreateStudioOptions;
    await expect(createStudio(urlAndDatabase)).rejects.toThrow('not both');
  });
});
