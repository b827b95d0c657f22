import { expect, test } from 'vitest';
import { usePostgres } from '../../servers/postgres.ts';
import { importFile } from '../importing.ts';
import { client, testSettings } from '../script-settings.ts';

const database = usePostgres();

const structure = `
  CREATE SCHEMA o; CREATE SCHEMA "P q";
  CREATE TABLE b (id int, s text, at timestamptz, local timestamp, d date, i interval, y bytea);
  CREATE TABLE o.b (LIKE b); CREATE TABLE "P q".b (LIKE b); CREATE TABLE o.only (LIKE b);`;
const tables = ['public.b', 'o.b', '"P q".b', 'o.only'];

const settings = [
  "SET TIME ZONE 'Europe/Berlin'",
  "SET TIME ZONE 'UTC'",
  'SET TIME ZONE 2',
  'SET TIME ZONE -3.5',
  "SET TIME ZONE '+02'",
  "set timezone to 'America/New_York'",
  "SELECT set_config('TimeZone', 'Asia/Tokyo', false)",
  'RESET TIME ZONE',
  'RESET ALL',
  'SET TIME ZONE DEFAULT',
  'SET search_path = o',
  'SET search_path TO "P q", public',
  'SET search_path = public, pg_catalog',
  "SET SCHEMA 'o'",
  "SELECT pg_catalog.set_config('search_path', '', false)",
  `SELECT set_config('search_path', '"P q", o', false)`,
  'RESET search_path',
  'SET SESSION search_path TO DEFAULT',
  'SET LOCAL search_path = o',
  'SET standard_conforming_strings = off',
  'SET standard_conforming_strings = on',
  "SET DateStyle = 'ISO, DMY'",
  "SET DateStyle = 'SQL, MDY'",
  'RESET datestyle',
  "SET IntervalStyle = 'sql_standard'",
  "SET bytea_output = 'escape'",
  "SET client_encoding = 'LATIN1'",
  "SET NAMES 'UTF8'",
  'SET statement_timeout = 0',
  'SET session_replication_role = replica',
  'SET app.user = 1',
  'BEGIN',
  'COMMIT',
  'DISCARD ALL',
];

const inserts = [
  ...['b', 'public.b', 'o.b', 'o.only', '"b"'].flatMap((table) => [
    (id: number) =>
      `INSERT INTO ${table} (id, at, local) VALUES (${id}, '2026-01-01 12:00:00', '2026-01-01 12:00')`,
    (id: number) => `INSERT INTO ${table} (id, s) VALUES (${id}, 'a\\\\b')`,
  ]),
  (id: number) =>
    `INSERT INTO public.b (id, at) VALUES (${id}, '2026-07-01'), (${id}, '2026-03-29 02:30:00')`,
  (id: number) =>
    `INSERT INTO public.b (id, at) VALUES (${id}, '2026-07-01 12:00+05'), (${id}, 'infinity')`,
  (id: number) =>
    `INSERT INTO public.b (id, at) VALUES (${id}, '2026-01-01 12:00:00.25'), (${id}, '1950-05-01 12:00')`,
  (id: number) =>
    `INSERT INTO public.b (id, d) VALUES (${id}, '2026-02-01'), (${id}, '01/13/2026')`,
  (id: number) => `INSERT INTO public.b (id, i) VALUES (${id}, '-1 2:03:04'), (${id}, '1 day')`,
  (id: number) => `INSERT INTO public.b (id, s, y) VALUES (${id}, 'é', '\\\\x00ff')`,
  (id: number) => `COPY public.b (id, at) FROM stdin;\n${id}\t2026-05-01 12:00:00\n\\.\n`,
];

async function rows(): Promise<string> {
  const texts = await Promise.all(
    tables.map(async (table) => {
      const found = await database().query(
        `SELECT id, s, at::text, local::text, d::text, i::text, encode(y, 'hex') AS y FROM ${table} AS r ORDER BY r::text`,
      );
      return found.map((row) => JSON.stringify({ table, ...row }));
    }),
  );
  return texts.flat().join('\n');
}

test('settings change what an import reads as they do for psql', async () => {
  await database().query(structure);
  const settingsDatabase = {
    settings,
    inserts,
    runNative: (script: string) =>
      void client(
        'psql',
        ['-X', '-q', '-v', 'ON_ERROR_STOP=1', database().url],
        `SET timezone = 'UTC';\n${script}\nCOMMIT`,
      ),
    rows,
    empty: async () => void (await database().query(`TRUNCATE ${tables.join(', ')}`)),
    url: () => database().url,
  };
  await testSettings(settingsDatabase, 20);
});

test('a name qualified by an existing schema belongs to that schema', async () => {
  await database().query(
    'CREATE SCHEMA s; CREATE TABLE s.other (id int); CREATE TABLE alone (id int)',
  );
  await expect(
    importFile(database().url, ['f.sql', 'INSERT INTO s.alone (id) VALUES (1);']),
  ).rejects.toMatchObject({ code: 'table_not_found' });
});
