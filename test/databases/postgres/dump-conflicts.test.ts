/** Imports of dumps while another transaction creates the same objects. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { usePostgres } from '../../servers/postgres.ts';
import { importDumpFile } from '../importing.ts';

const server = usePostgres();

test.each([
  ['function', 'CREATE FUNCTION f() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$'],
  ['view', 'CREATE VIEW v AS SELECT 1 AS a'],
])('a %s that another transaction creates meanwhile rejects the dump', async (_, creation) => {
  const { url, query } = server();
  const other = new Client({ connectionString: url });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(creation);
    const script = `CREATE TABLE t (id integer);\n${creation};\nINSERT INTO t VALUES (1);\n`;
    const importing = importDumpFile(url, script, { dialect: 'postgres' });
    const outcome = importing.then(
      () => undefined,
      (error: unknown) => error,
    );
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await query(waiting)).length === 0) await sleep(20);
    await other.query('COMMIT');
    expect(await outcome).toMatchObject({
      name: 'StudioError',
      code: expect.stringMatching(/^(?:write_conflict|import_failed|table_exists)$/) as string,
      message: expect.not.stringMatching(/duplicate key|tuple concurrently/) as string,
    });
    expect(await query("SELECT to_regclass('t') AS found")).toEqual([{ found: null }]);
  } finally {
    await other.end();
  }
});
