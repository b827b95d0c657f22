/** Tables and views that an extension has created are part of it: a new database gets them with the extension. */
import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { dumpOf, exportAll } from '../exporting.ts';

const server = usePostgres();

beforeAll(() =>
  server().query(`
    CREATE EXTENSION pg_buffercache;
    CREATE TABLE own (id int PRIMARY KEY, v text);
    INSERT INTO own VALUES (1, 'a');
    CREATE TYPE mood AS ENUM ('sad');
    -- As of an extension with a table of its own.
    CREATE TABLE settings_of_extension (id int);
    ALTER EXTENSION pg_buffercache ADD TABLE settings_of_extension`),
);

test('a dump leaves them out, and runs in another database', async () => {
  const { text } = await dumpOf(server().url);
  expect(text).toContain('CREATE EXTENSION IF NOT EXISTS "pg_buffercache"');
  expect(text).toContain('CREATE TYPE "public"."mood"');
  expect(text).not.toMatch(/settings_of_extension|CREATE VIEW/);
  const other = await createTestDatabase();
  try {
    await other.query(text);
    expect(await other.query('SELECT * FROM own')).toEqual([{ id: 1, v: 'a' }]);
  } finally {
    await other.drop();
  }
});

test('an export of all rows leaves them out, unless it names them', async () => {
  const all = await exportAll(server().url, { format: 'json' });
  expect(Object.keys(JSON.parse(all.text) as object)).not.toContain('settings_of_extension');
  const named = await exportAll(server().url, {
    format: 'json',
    tables: ['settings_of_extension'],
  });
  expect(named.text).toContain('settings_of_extension');
});
