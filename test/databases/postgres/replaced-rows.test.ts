/** Exports that wait for a session that replaces all rows, or the columns, of what they read. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usePostgres } from '../../servers/postgres.ts';
import { dumpOf, exportAllFrom, exportOneFrom } from '../exporting.ts';
import type { JobContext } from '../../../src/studio/core/job.ts';

const server = usePostgres();

const role = (): string => `${server().name}_columns`;

/** More tables than an export holds. */
const many = Array.from({ length: 9 }, (_, i) => `many_${i}`);

beforeAll(async () => {
  await server().query(`
    CREATE TABLE base (id int PRIMARY KEY, v text);
    CREATE VIEW on_base AS SELECT * FROM base;
    CREATE TABLE parts (id int PRIMARY KEY, v text) PARTITION BY RANGE (id);
    CREATE TABLE part_one PARTITION OF parts FOR VALUES FROM (0) TO (100);
    ${many.map((name) => `CREATE TABLE ${name} (id int PRIMARY KEY, v text);`).join('\n')}
    CREATE ROLE ${role()} LOGIN PASSWORD 'pw';
    GRANT SELECT (id, v) ON base TO ${role()}`);
});

afterAll(() => server().query(`DROP OWNED BY ${role()}; DROP ROLE ${role()}`));

/** Begins the change before the transaction of the export, and commits it when the export waits for it. */
function whileChanging(statements: string): (context: JobContext) => JobContext {
  return (context) => {
    const { transaction } = context.database;
    let changed: Promise<void> | undefined;
    const change = async (): Promise<void> => {
      const client = new Client(server().url);
      await client.connect();
      await client.query('BEGIN');
      await client.query(statements);
      changed = commitWhenAwaited(client);
    };
    const changing: typeof transaction = async (mode, work, options) => {
      if (changed === undefined) await change();
      return transaction(mode, work, options);
    };
    return { ...context, database: { ...context.database, transaction: changing } };
  };
}

async function commitWhenAwaited(client: Client): Promise<void> {
  const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted
    AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
  let rows = 0;
  while (rows === 0) rows = (await client.query(waiting)).rows.length;
  await client.query('COMMIT');
  await client.end();
}

const refill = (table: string): string =>
  `TRUNCATE ${table}; INSERT INTO ${table} VALUES (1, 'new')`;

describe('an export of rows that another session replaces has the new ones', () => {
  test.each([
    ['base', 'base'],
    ['on_base', 'base'],
    ['parts', 'part_one'],
  ])('%s', async (table, truncated) => {
    await server().query(`TRUNCATE ${truncated}; INSERT INTO ${truncated} VALUES (7, 'old')`);
    const adapt = whileChanging(refill(truncated));
    const { text } = await exportOneFrom(server().url, { table, format: 'csv' }, adapt);
    expect(text).toBe('id,v\n1,new\n');
  });

  test('with the privilege of reading single columns', async () => {
    const url = server().urlWith({ user: role(), password: 'pw' });
    const adapt = whileChanging(refill('base'));
    const { text } = await exportOneFrom(url, { table: 'base', format: 'csv' }, adapt);
    expect(text).toBe('id,v\n1,new\n');
  });

  test('of many tables', async () => {
    const adapt = whileChanging(refill('many_4'));
    const input = { tables: many, format: 'json' };
    const { text } = await exportAllFrom(server().url, input, adapt);
    expect(JSON.parse(text)).toMatchObject({ many_4: [{ id: 1, v: 'new' }] });
  });
});

test('an export of rows that ALTER TABLE rewrites has them, with the new columns', async () => {
  await server().query(refill('parts'));
  const adapt = whileChanging(
    'ALTER TABLE parts ALTER v TYPE varchar(9), ADD COLUMN more int DEFAULT 5',
  );
  const { text } = await exportOneFrom(server().url, { table: 'parts', format: 'csv' }, adapt);
  expect(text).toBe('id,v,more\n1,new,5\n');
});

test('an export of a view that is replaced has its new columns', async () => {
  await server().query(refill('base'));
  const adapt = whileChanging('CREATE OR REPLACE VIEW on_base AS SELECT *, 5 AS more FROM base');
  const { text } = await exportOneFrom(server().url, { table: 'on_base', format: 'csv' }, adapt);
  expect(text).toBe('id,v,more\n1,new,5\n');
});

test('an export of a table that is dropped meanwhile says so', async () => {
  await server().query('CREATE TABLE gone (id int PRIMARY KEY)');
  const exported = exportOneFrom(
    server().url,
    { table: 'gone', format: 'csv' },
    whileChanging('DROP TABLE gone'),
  );
  await expect(exported).rejects.toThrow('gone');
});

test('a dump of unchanged tables is written', async () => {
  await server().query(refill('many_0'));
  expect((await dumpOf(server().url, { tables: ['many_0'] })).text).toContain("'new'");
});
