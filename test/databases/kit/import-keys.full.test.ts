/** The same as import-keys.test.ts, of many more imports. */
import { test } from 'vitest';
import { overDatabases } from './bench.ts';
import { importsKeepKeys } from './import-walk.ts';

overDatabases('many imports between tables with keys', (bench) => {
  test('end as their dry runs, whole or not at all', { timeout: 3_600_000 }, async () => {
    await importsKeepKeys(bench, 600);
  });
});
