/** Dumps with extensions that the server refuses to create. */
import { expect, test } from 'vitest';
import { usePostgres } from '../../servers/postgres.ts';
import { importDumpFile } from '../importing.ts';

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
