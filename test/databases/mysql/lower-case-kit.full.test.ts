/** Imports of the kit of all databases, at a server that stores names of tables in lower case. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startMariadb } from '../../servers/start-mariadb.ts';

const features = [
  'import-schema',
  'import-models.ci',
  'import-new-tables.ci',
  'import-dumps',
  'dumps-with-triggers',
  'dumps-with-views',
  'rows-of-others',
  'values-of-others',
];

const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs');

test(
  'a server with lower-case names passes the imports of the kit',
  { timeout: 900_000 },
  async () => {
    const server = await startMariadb({ settings: ['--lower-case-table-names=1'] });
    try {
      const { user, password, port } = server;
      const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
      const env = {
        ...Object.fromEntries(inherited),
        STUDIO_TEST_MYSQL: `mysql://${user}:${password}@127.0.0.1:${port}/mysql`,
      };
      const files = features.map((feature) => `test/databases/kit/${feature}.test.ts`);
      const args = [vitest, 'run', '--project', 'isolated', '-t', 'mysql', ...files];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch(
        (error: unknown) => error as { readonly stdout: string },
      );
      const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(stdout) ?? [];
      expect(Number(failed), stdout).toBe(0);
      expect(Number(passed)).toBeGreaterThan(50);
    } finally {
      await server.remove();
    }
  },
);
