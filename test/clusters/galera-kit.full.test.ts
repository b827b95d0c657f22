/** A part of the kit of all databases, at one node of a Galera cluster. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useGalera } from './galera.ts';

const cluster = useGalera();

const rows = [
  'rows',
  'writes',
  'values',
  'concurrent-writes',
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
/** Imports that create tables, and what is undone of those that fail. */
const structures = [
  'import-schema',
  'import-models.ci',
  'import-new-tables.ci',
  'import-dumps',
  'dumps-with-triggers',
  'rows-of-others',
  'values-of-others',
];

/** Those of MariaDB, without two that expect numbers as before after a rollback, which Galera does not restore. */
const namePattern =
  '^(?!.*(?:reports the cause of the failure before the skipped rows|reports the same in a dry run)).*mysql';

const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');

test.for([
  ['rows', rows, 100],
  ['structures', structures, 50],
] as const)(
  'a node passes the kit of MariaDB: %s',
  { timeout: 600_000 },
  async ([, features, leastPassed]) => {
    const [node] = cluster().nodes;
    // The kit expects ids without gaps. Only this node writes.
    await node.query('SET GLOBAL wsrep_auto_increment_control = OFF');
    await node.query('SET GLOBAL auto_increment_increment = 1, GLOBAL auto_increment_offset = 1');
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
    const env = {
      ...Object.fromEntries(inherited),
      STUDIO_TEST_MYSQL: node.url.replace(/shop$/, 'mysql'),
    };
    const files = features.map((feature) => `test/databases/kit/${feature}.test.ts`);
    const args = [vitest, 'run', '--project', 'isolated', '-t', namePattern, ...files];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(stdout) ?? [];
    expect(Number(failed), stdout).toBe(0);
    expect(Number(passed)).toBeGreaterThan(leastPassed);
  },
);
