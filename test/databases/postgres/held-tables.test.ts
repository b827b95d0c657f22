/** Exports that begin with the cached structure of their tables. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usePostgres } from '../../servers/postgres.ts';
import { cachedTablesOf, exportOne, exportOneFrom } from '../exporting.ts';
import type { Schema } from '../../../src/model/schema.ts';
import type { Exported } from '../exporting.ts';

const server = usePostgres();

const structure = `
  CREATE SCHEMA app;
  CREATE TABLE app.posts (id int PRIMARY KEY, title text);
  INSERT INTO app.posts VALUES (1, 'first');
  CREATE TABLE "we""ird; --.näme" ("sel'ect" int PRIMARY KEY);
  INSERT INTO "we""ird; --.näme" VALUES (1);
  CREATE TABLE parts (id int, part int, PRIMARY KEY (id, part)) PARTITION BY LIST (part);
  CREATE TABLE part_one PARTITION OF parts FOR VALUES IN (1);
  INSERT INTO parts VALUES (7, 1);
  CREATE TABLE parent (id int PRIMARY KEY);
  CREATE TABLE child (more int) INHERITS (parent);
  INSERT INTO child VALUES (8, 9);
  CREATE TABLE half_hidden (id int PRIMARY KEY, open text, secret text);
  INSERT INTO half_hidden VALUES (1, 'open', 'secret');
  CREATE VIEW titles AS SELECT title FROM app.posts`;

const role = (): string => `${server().name}_columns`;

beforeAll(async () => {
  await server().query(structure);
  await server().query(`CREATE ROLE ${role()} LOGIN PASSWORD 'pw';
    GRANT SELECT (id, open) ON half_hidden TO ${role()}`);
});

afterAll(() => server().query(`DROP OWNED BY ${role()}; DROP ROLE ${role()}`));

/** Exports with the cached structure; counts how often the structure is read nevertheless. */
async function exportCached(
  url: string,
  table: string,
  cachedTables: Schema,
): Promise<Exported & { readonly reads: number }> {
  let reads = 0;
  const exported = await exportOneFrom(url, { table, format: 'csv' }, (context) => {
    const { schemas } = context;
    const current = (): ReturnType<typeof schemas.current> => {
      reads += 1;
      return schemas.current();
    };
    return { ...context, schemas: { ...schemas, current }, cachedTables };
  });
  return { ...exported, reads };
}

describe('an export with the cached structure reads nothing else', () => {
  test.each([
    ['app.posts', 'id,title\n1,first\n'],
    ['we"ird; --.näme', `"sel'ect"\n1\n`],
    ['parts', 'id,part\n7,1\n'],
    ['parent', 'id\n8\n'],
  ])('of %j', async (table, text) => {
    const { url } = server();
    const cached = await cachedTablesOf(url, [table]);
    expect(await exportCached(url, table, cached!)).toMatchObject({ text, reads: 0 });
  });
});

test('an export of single columns that a role may read cannot lock the table', async () => {
  const url = server().urlWith({ user: role(), password: 'pw' });
  const cached = await cachedTablesOf(url, ['half_hidden']);
  const exported = await exportCached(url, 'half_hidden', cached!);
  expect(exported).toMatchObject({ text: 'id,open\n1,open\n', reads: 1 });
});

test('the structure of a view is always read', async () => {
  expect(await cachedTablesOf(server().url, ['titles'])).toBeUndefined();
  expect(await cachedTablesOf(server().url, ['app.posts', 'titles'])).toBeUndefined();
});

test('a locked table is reported as without a cache', async () => {
  const { url } = server();
  const cached = await cachedTablesOf(url, ['app.posts']);
  const client = new Client(url);
  await client.connect();
  try {
    await client.query('BEGIN; LOCK TABLE app.posts IN ACCESS EXCLUSIVE MODE');
    const codeOf = (exported: Promise<unknown>): Promise<unknown> =>
      exported.then(
        () => 'none',
        (error: unknown) => (error as { readonly code?: unknown }).code,
      );
    const expected = await codeOf(exportOne(url, { table: 'app.posts', format: 'csv' }));
    expect(await codeOf(exportCached(url, 'app.posts', cached!))).toBe(expected);
    expect(expected).toBe('database_busy');
  } finally {
    await client.end();
  }
});
