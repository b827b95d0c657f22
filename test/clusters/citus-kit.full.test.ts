/** A part of the kit of all databases, at the coordinator of Citus, where each new table becomes a reference table. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useCitus } from './citus.ts';

const cluster = useCitus();

const features = [
  'rows',
  'writes',
  'values',
  'filters',
  'paging',
  'soft-delete',
  'expected-cascades',
  'import',
  'raw-sql',
  'relations',
  'sorting',
  'load-tables',
];

/** Parts of the names of tests that cannot hold, with the reason. */
const unsupported: Readonly<Record<string, string>> = {
  trigger: 'Citus supports no triggers on reference tables',
  'the cause of the failure before the skipped rows':
    'Citus cannot defer the check of the key to the table that is replaced, so it fails before a row is read',
};

/** Runs in each database of the tests. */
const setup = (port: number): string => `CREATE EXTENSION citus;
  SELECT citus_set_coordinator_host('127.0.0.1', ${port});
  CREATE SCHEMA studio_kit;
  CREATE FUNCTION studio_kit.distribute() RETURNS event_trigger LANGUAGE plpgsql AS $$
  DECLARE created record;
  BEGIN
    FOR created IN
      SELECT r.oid::regclass AS name FROM pg_event_trigger_ddl_commands() c JOIN pg_class r ON r.oid = c.objid
      WHERE c.command_tag = 'CREATE TABLE' AND r.relkind = 'r' AND NOT r.relispartition AND r.relpersistence = 'p'
    LOOP
      PERFORM create_reference_table(created.name);
    END LOOP;
  END $$;
  CREATE EVENT TRIGGER studio_kit ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
    EXECUTE FUNCTION studio_kit.distribute()`;

const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');

test('the coordinator passes the kit of PostgreSQL', { timeout: 1_200_000 }, async () => {
  const [{ url, port }] = cluster().nodes;
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const env = {
    ...Object.fromEntries(inherited),
    STUDIO_TEST_POSTGRES: url.replace(/shop$/, 'postgres'),
    STUDIO_TEST_POSTGRES_SETUP: setup(port),
  };
  const files = features.map((feature) => `test/databases/kit/${feature}.test.ts`);
  const pattern = `postgres: (?!.*(?:${Object.keys(unsupported).join('|')}))`;
  const args = [vitest, 'run', '--project', 'isolated', '-t', pattern, ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(stdout) ?? [];
  expect(Number(failed), stdout).toBe(0);
  expect(Number(passed)).toBeGreaterThan(100);
});
