/** The client that the package exports, against a studio on real databases. */
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClientError, NumberToken, createClient, rowId } from '../../src/client.ts';
import { createStudio } from '../../src/index.ts';
import type { CellInput, StudioClient } from '../../src/client.ts';
import type { EmbeddedStudio } from '../../src/index.ts';

let embedded: EmbeddedStudio;
let client: StudioClient;
let database: BetterSqlite3.Database;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-'));
  const file = join(folder, 'client.db');
  database = new BetterSqlite3(file);
  database.exec(`
    CREATE TABLE numbers (id INTEGER PRIMARY KEY, n INTEGER, v);
    CREATE TABLE pairs (a TEXT, b TEXT, n INTEGER, PRIMARY KEY (a, b));
    CREATE TABLE words (a TEXT PRIMARY KEY NOT NULL, n INTEGER);
    CREATE TABLE "x,y" (id INTEGER PRIMARY KEY);
    CREATE TABLE "100%" (id INTEGER PRIMARY KEY);
  `);
  embedded = await createStudio({ url: file });
  client = createClient({
    url: new URL('http://localhost/studio/'),
    fetch: (url, init) => embedded.fetch(new Request(url, init)),
  });
});

afterAll(async () => {
  await embedded.close();
  database.close();
  await rm(folder, { recursive: true });
});

const limits = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

describe('values stay exact', () => {
  test('integers of 64 bits, written as bigint and read as the digits of the database', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt(limits), async (n) => {
        const { body } = await client.call('POST /tables/:table/rows', {
          params: { table: 'numbers' },
          body: { n },
        });
        const stored = database.prepare('SELECT CAST(n AS TEXT) AS text FROM numbers WHERE id = ?');
        expect(stored.get(body.data['id'])).toEqual({ text: String(n) });
        expect(String(body.data['n'])).toBe(String(n));
      }),
      { numRuns: 30 },
    );
  });

  test('numbers whose digits JavaScript would not print are written back with them', async () => {
    const params = { table: 'numbers' };
    const body = { v: new NumberToken('1.0') };
    const created = await client.call('POST /tables/:table/rows', { params, body });
    expect(created.body.data['v']).toStrictEqual(body.v);
    const copy = { v: created.body.data['v'] ?? null };
    await client.call('POST /tables/:table/rows', { params, body: copy });
    const stored = database.prepare('SELECT typeof(v) AS type FROM numbers WHERE v = 1');
    expect(stored.all()).toEqual([{ type: 'real' }, { type: 'real' }]);
  });
});

test.each(['pairs', 'words'])(
  'rows of %s are found by the ids of all key values',
  async (table) => {
    const text = fc.oneof(
      fc.constantFrom('', '.', '..', '~', '~.', 'a,b', '%2C', '/'),
      fc.string({ unit: 'binary' }),
    );
    // SQLite's drivers end a text at a NUL character, and surrogates alone are no UTF-8.
    const valid = text.filter((value) => !value.includes('\0') && value.isWellFormed());
    await fc.assert(
      fc.asyncProperty(valid, valid, async (a, b) => {
        const [values, row]: [[CellInput, ...CellInput[]], Record<string, CellInput>] =
          table === 'pairs' ? [[a, b], { a, b, n: 1 }] : [[a], { a, n: 1 }];
        const params = { table, id: rowId(...values) };
        await client.call('POST /tables/:table/rows', { params, body: row });
        const found = await client.call('GET /tables/:table/rows/:id', { params });
        expect(found.body).toEqual(row);
        await client.call('DELETE /tables/:table/rows/:id', { params, query: { permanent: true } });
      }),
      { numRuns: 50 },
    );
  },
);

test('names with commas and percent signs are items of a list', async () => {
  const response = await client.stream('GET /export/data', { query: { tables: ['x,y', '100%'] } });
  expect(await response.json()).toEqual({ 'x,y': [], '100%': [] });
});

test('a file is a stream, also of a failed request', async () => {
  const response = await client.stream('GET /tables/:table/export', {
    params: { table: 'pairs' },
    query: { format: 'csv' },
  });
  expect(response.body).toBeInstanceOf(ReadableStream);
  expect(await response.text()).toBe('a,b,n\n');
  const missing = client.stream('GET /tables/:table/export', { params: { table: 'pair' } });
  await expect(missing).rejects.toMatchObject({ status: 404, code: 'table_not_found' });
});

test('an error has status, code, message and details', async () => {
  const failed = client.call('GET /tables/:table/rows', { params: { table: 'pair' } });
  const error: unknown = await failed.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({
    status: 404,
    code: 'table_not_found',
    details: { nearest: 'pairs' },
  });
  expect(String(error)).toMatch(/^ClientError: .*"pair"/);
});

test('headers are sent with every request, and a lost connection is the error of fetch', async () => {
  const sent: Request[] = [];
  const broken = createClient({
    url: 'http://localhost/studio',
    headers: { Authorization: 'Bearer k3y' },
    fetch: (url, init) => {
      sent.push(new Request(url, init));
      return Promise.reject(new TypeError('fetch failed'));
    },
  });
  await expect(broken.call('GET /config')).rejects.toThrow(TypeError);
  expect(sent[0]?.url).toBe('http://localhost/studio/api/config');
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer k3y');
});

test('raw values and files are sent as they are', async () => {
  const created = await client.call('POST /tables/:table/rows', {
    params: { table: 'words' },
    body: { a: 'raw' },
  });
  expect(created.body.message).toBe('created');
  await client.call('PUT /tables/:table/rows/:id/cells/:column', {
    params: { table: 'words', id: 'raw', column: 'a' },
    body: new TextEncoder().encode('ünïcode'),
  });
  const form = new FormData();
  form.append('file', new Blob(['a,n\nfile,3\n']), 'words.csv');
  const imported = await client.call('POST /import/data', {
    query: { table: 'words' },
    body: form,
  });
  expect(imported.body.rows_imported).toBe(1);
  const { body } = await client.call('GET /tables/:table/rows', {
    params: { table: 'words' },
    query: { sort_by: ['a'] },
  });
  expect(body.data.map((row) => row['a'])).toEqual(['file', 'ünïcode']);
});
