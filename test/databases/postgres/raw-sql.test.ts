/** Raw SQL features that only PostgreSQL has. The kit tests the common ones. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Client } from 'pg';
import { createStudio } from '../../../src/studio/studio.ts';
import { usePostgres } from '../../servers/postgres.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const server = usePostgres();
let studio: Studio;

beforeAll(async () => {
  await server().query(`
    CREATE TABLE items (id int PRIMARY KEY, n int);
    CREATE TABLE parts (id int PRIMARY KEY, item int REFERENCES items ON DELETE CASCADE);
    CREATE SEQUENCE numbers;
    CREATE SEQUENCE unused;
    CREATE FUNCTION add_item(int) RETURNS int LANGUAGE sql AS 'INSERT INTO items VALUES ($1, 0) RETURNING id'`);
  studio = await createStudio({
    url: server().urlWith({ search: '?pool_max_conns=2' }),
    allowDdl: true,
  });
});

afterAll(() => studio?.close());

interface SqlResponse {
  readonly type: string;
  readonly rows_affected?: number;
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly truncated?: boolean;
}

async function run(query: string, maxRows = 1000, limitMs = 20_000): Promise<SqlResponse> {
  const body = JSON.stringify({ query, max_rows: maxRows });
  const reply = await studio.perform('run-sql', { body }, { limitMs });
  return JSON.parse(Buffer.from(reply.body as Uint8Array).toString()) as SqlResponse;
}

async function only(query: string): Promise<unknown> {
  const [row = {}] = await server().query(query);
  return Object.values(row)[0];
}

describe('rows', () => {
  test('of a CTE that writes are counted as the table has them', async () => {
    await server().query(
      'TRUNCATE items CASCADE; INSERT INTO items SELECT i, i FROM generate_series(1, 9) i',
    );
    expect(
      await run(
        'WITH x AS (UPDATE items SET n = n * 2 WHERE id > 4 RETURNING n) SELECT sum(n) FROM x',
      ),
    ).toMatchObject({ type: 'write', rows_affected: 5, rows: [{ sum: 70 }] });
    expect(
      await run(
        'WITH x AS (DELETE FROM items WHERE id = 9 RETURNING *) SELECT * FROM x WHERE n < 0',
      ),
    ).toMatchObject({ rows_affected: 1, rows: [] });
  });

  test('of EXPLAIN ANALYZE are the plan', async () => {
    const { type, rows = [] } = await run('EXPLAIN ANALYZE UPDATE items SET n = 1');
    expect(type).toBe('write');
    expect(JSON.stringify(rows)).toContain('Update on items');
  });

  test('beyond max_rows are executed too, because they may write', async () => {
    const query = "SELECT nextval('numbers') FROM generate_series(1, 5000)";
    expect(await run(query, 2)).toMatchObject({
      rows: [{ nextval: 1 }, { nextval: 2 }],
      truncated: true,
    });
    expect(await only('SELECT last_value FROM numbers')).toBe('5000');
  });

  test('of locking reads and of functions that write are treated as a write', async () => {
    await server().query('TRUNCATE items CASCADE');
    expect(await run('SELECT add_item(7) AS id')).toMatchObject({
      type: 'write',
      rows_affected: 1,
      rows: [{ id: 7 }],
    });
    expect(await run('SELECT * FROM items FOR UPDATE')).toMatchObject({
      type: 'write',
      rows_affected: 0,
      rows: [{ id: 7, n: 0 }],
    });
    expect(await only('SELECT count(*) FROM items')).toBe('1');
  });
});

describe('a statement that cannot run in a transaction', () => {
  test('runs outside of one if DDL is allowed', async () => {
    for (const query of [
      'CREATE INDEX CONCURRENTLY items_n ON items (n)',
      'REINDEX INDEX CONCURRENTLY items_n',
      'VACUUM (ANALYZE) items',
      'DROP INDEX CONCURRENTLY items_n',
    ])
      expect(await run(query), query).toMatchObject({ type: 'write' });
  });

  test('ends at its time limit, reports what may remain, and leaves its connection usable', async () => {
    const other = new Client({ connectionString: server().url });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE items IN ROW EXCLUSIVE MODE');
    const work = run('CREATE INDEX CONCURRENTLY items_late ON items (n)', 1, 300);
    await expect(work).rejects.toMatchObject({
      code: 'statement_timeout',
      message: expect.stringContaining('may be left behind') as string,
    });
    await other.end();
    expect((await studio.stats()).inUse).toBe(0);
    expect(await run('SELECT count(*)::int AS n FROM items')).toMatchObject({ type: 'read' });
    await server().query('DROP INDEX IF EXISTS items_late');
  });

  test('is rejected if DDL is not allowed', async () => {
    const strict = await createStudio({ url: server().url });
    const body = JSON.stringify({ query: 'CREATE INDEX CONCURRENTLY never ON items (n)' });
    await expect(strict.perform('run-sql', { body })).rejects.toMatchObject({
      code: 'ddl_disabled',
    });
    await strict.close();
  });
});

test('currval of an unused sequence is an error of the statement', async () => {
  await expect(run("SELECT currval('unused')")).rejects.toMatchObject({
    code: 'invalid_parameter',
    message: expect.stringContaining('currval') as string,
  });
});

test.each(["SELECT E'\\u0000'", "SELECT 'a", 'SELECT 1 /* a', 'SELECT $x$ a', 'SELECT "a'])(
  'a text that is not a statement is an error on a read-only studio too: %s',
  async (query) => {
    const strict = await createStudio({ url: server().url, readOnly: true });
    const failure = strict.perform('run-sql', { body: JSON.stringify({ query }) });
    await expect(failure).rejects.toMatchObject({ code: 'invalid_parameter' });
    await strict.close();
  },
);
