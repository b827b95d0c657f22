/** Dumps with extensions that the server refuses to create. */
import { expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { usePostgres } from '../../servers/postgres.ts';
import { importDumpFile } from '../importing.ts';
import type { ExportSchemaInput } from '../../../src/studio/export/export-schema.ts';

const database = usePostgres();

const extensions = `CREATE EXTENSION postgres_fdw; CREATE EXTENSION IF NOT EXISTS "not ""there";
  CREATE EXTENSION pg_buffercache; CREATE EXTENSION pg_trgm;`;
const dialect = { dialect: 'postgres' };

test('extensions that a dump can do without are left out by name', async () => {
  const role = `studio_${database().name}`;
  await database().query(
    `CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT CREATE ON DATABASE ${database().name} TO ${role}; GRANT CREATE ON SCHEMA public TO ${role}`,
  );
  try {
    const url = database().urlWith({ user: role, password: 'x' });
    const text = `${extensions} CREATE TABLE t (id int, name text); CREATE INDEX i ON t USING gin (name gin_trgm_ops);
      CREATE VIEW v AS SELECT * FROM pg_buffercache; INSERT INTO t VALUES (1, 'a');`;
    const { warnings } = await importDumpFile(url, text, dialect);
    expect(warnings.filter((warning) => warning.includes('left out'))).toEqual([
      'The extension postgres_fdw is left out: it may reach files, programs or the network.',
      'The extension not "there is left out: it may reach files, programs or the network.',
      'The extension pg_buffercache is left out: permission denied to create extension "pg_buffercache".',
      'The view v is left out: relation "pg_buffercache" does not exist.',
    ]);
    expect(await database().query('SELECT * FROM t')).toEqual([{ id: 1, name: 'a' }]);
    expect(await database().query('SELECT extname FROM pg_extension ORDER BY 1')).toEqual([
      { extname: 'pg_trgm' },
      { extname: 'plpgsql' },
    ]);
  } finally {
    await database().query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});

test('the error of an object that needs an extension says that it is left out', async () => {
  const text = `${extensions} CREATE TABLE needs (id int DEFAULT of_it());`;
  await expect(importDumpFile(database().url, text, dialect)).rejects.toThrow(
    'function of_it() does not exist. The extension postgres_fdw is left out: it may reach files, programs or the network.',
  );
  expect(await database().query(`SELECT 1 FROM pg_class WHERE relname = 'needs'`)).toEqual([]);
});

async function exportOf(input: ExportSchemaInput): Promise<{ readonly text: string }> {
  const studio = await createStudio({ url: database().url, readOnly: true });
  try {
    return { text: String((await studio.perform('export-schema', input)).body) };
  } finally {
    await studio.close();
  }
}

test('an extension is created in the schema that the dump and the export name', async () => {
  const text = `CREATE SCHEMA app; CREATE EXTENSION IF NOT EXISTS citext WITH SCHEMA app;
    CREATE TABLE t (name app.citext DEFAULT 'x'::app.citext); INSERT INTO t VALUES ('A');`;
  const { warnings } = await importDumpFile(database().url, text, dialect);
  expect(warnings).toEqual([]);
  const structure = await exportOf({ format: 'sql' });
  expect(structure.text).toContain('CREATE EXTENSION IF NOT EXISTS "citext" SCHEMA "app";');
  const document = await exportOf({ format: 'json' });
  expect(document.text).toMatch(/"extension_schemas": \{\s*"citext": "app"/);
  await database().query('DROP TABLE t; DROP EXTENSION citext; DROP SCHEMA app');
  await database().query(structure.text);
  expect(await database().query(`SELECT 1 FROM t WHERE name = 'a'`)).toEqual([]);
});

test('an extension that the database has stays as it is, whatever it may do', async () => {
  await database().query('CREATE EXTENSION IF NOT EXISTS postgres_fdw');
  const text = `CREATE EXTENSION IF NOT EXISTS plpgsql WITH SCHEMA pg_catalog;
    CREATE EXTENSION IF NOT EXISTS postgres_fdw WITH SCHEMA public; CREATE TABLE beside (id int);`;
  const { warnings } = await importDumpFile(database().url, text, dialect);
  expect(warnings).toEqual([]);
});
