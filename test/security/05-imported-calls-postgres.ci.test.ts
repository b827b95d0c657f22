/**
 * Expressions of an imported schema or model are checked with PostgreSQL's own parser, however a
 * call is written (SECURITY.md 5).
 */
import { describe, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { usePostgres } from '../servers/postgres.ts';
import { requestSender, fileBody } from './send-request.ts';
import { withJobsInProcess } from './jobs-in-process.ts';

const calls = [
  `U&"pg_read_file" UESCAPE '!' ('/etc/hostname')`,
  `U&"pg!005fread_file" UESCAPE '!' ('/etc/hostname')`,
  `('/etc/hostname'::text).pg_read_file`,
  `pg_catalog . /* a */ "pg_read_file" ('/etc/hostname')`,
  `!~! '/etc/hostname'`,
  `harmless('/etc/hostname')`,
  `ts_rewrite('a'::tsquery, 'SELECT pg_read_file(1)')::text`,
  `(SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'x')::text`,
  `(pg_create_physical_replication_slot('evil', true)).slot_name::text`,
  'pg_reload_conf()::text',
  'pg_switch_wal()::text',
  'pg_stat_reset()::text',
  'pg_try_advisory_lock(1)::text',
  `set_config('work_mem', '1MB', false)`,
  `setval('kept_numbers', 7)::text`,
  'harmless_by_name()',
];

const statementsCalling: readonly ((call: string) => string)[] = [
  (call) => `CREATE TABLE made (id int, x text DEFAULT (${call}));`,
  (call) => `CREATE TABLE made (id int, x text CHECK ((${call}) = x));`,
  (call) => `CREATE TABLE made (id int, x text GENERATED ALWAYS AS (${call}) STORED);`,
  (call) => `CREATE TABLE made (id int); CREATE INDEX made_x ON made ((${call}));`,
  (call) => `CREATE TABLE made (id int); CREATE INDEX made_x ON made (id) WHERE (${call}) = 'x';`,
  (call) => `CREATE VIEW made AS SELECT ${call} AS x;`,
];

describe('an import of structure', () => {
  const postgres = usePostgres();

  test('creates nothing that calls functions with side effects outside of the database', async () => {
    const database = postgres();
    await database.query(`CREATE OPERATOR !~! (RIGHTARG = text, PROCEDURE = pg_read_file);
      CREATE FUNCTION harmless(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT pg_read_file($1)';
      CREATE FUNCTION harmless_by_name() RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN CHECKPOINT; RETURN ''; END $$;
      CREATE SEQUENCE kept_numbers`);
    const studio = await createStudio({ url: database.url, allowDdl: true });
    const ask = requestSender(studio);
    const askInProcess = requestSender(withJobsInProcess(studio, database.url, { allowDdl: true }));
    const createdRelations = (): Promise<unknown> =>
      database.query("SELECT FROM pg_class WHERE relname LIKE 'made%'");
    try {
      for (const [i, call] of calls.entries()) {
        // Each call is tested in a view and in one other position, most of them in this process,
        // because starting one for each import is slow.
        const send = i === 0 ? ask : askInProcess;
        for (const statement of [statementsCalling[i % 5]!, statementsCalling[5]!]) {
          const text = statement(call);
          const response = await send('/import/schema', fileBody('a.sql', text));
          expect([400, 403, 422], `${text}\n${response.text}`).toContain(response.status);
          expect(await createdRelations(), text).toEqual([]);
        }
      }
      for (const text of ["CREATE VIEW made AS SELECT nextval('kept_numbers') AS id;"])
        expect((await ask('/import/schema', fileBody('a.sql', text))).status, text).toBe(422);
      const harmlessScript = `CREATE TABLE made (id serial PRIMARY KEY, n bigint DEFAULT nextval('kept_numbers'), at timestamptz DEFAULT now(),
        key uuid DEFAULT gen_random_uuid(), x text CHECK (length(x) > 0), y text GENERATED ALWAYS AS (lower(x)) STORED);
        CREATE INDEX made_x ON made (upper(x)); CREATE VIEW made_view AS SELECT x || 'a' AS z FROM made;`;
      const response = await ask('/import/schema', fileBody('a.sql', harmlessScript));
      expect(response.status, response.text).toBe(200);
      // The sequence was there before, so it is used, and not dropped with the table.
      await database.query('INSERT INTO made (x) VALUES (1); DROP TABLE made CASCADE');
      expect(await database.query("SELECT nextval('kept_numbers') AS next")).toEqual([
        { next: '2' },
      ]);
    } finally {
      await studio.close();
    }
  });

  test('creates no table of a model with such a default', async () => {
    const studio = await createStudio({ url: postgres().url, allowDdl: true });
    const tag = String.raw`gorm:"default:(('/etc/hostname'::text).pg_read_file)"`;
    const text = `package a\n\ntype Smuggled struct {\n\tID uint\n\tName string \`${tag.replace('::', String.raw`\\:\\:`)}\`\n}\n`;
    const response = await requestSender(studio)('/import/models', fileBody('a.go', text));
    await studio.close();
    expect(response.status, response.text).not.toBe(200);
  });
});
