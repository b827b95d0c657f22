/** A dry run ends as the real one does, and neither leaves a reference that points nowhere. */
import { test } from 'vitest';
import { overDatabases } from './bench.ts';
import { importsKeepKeys } from './import-walk.ts';

overDatabases('imports between tables with keys', (bench) => {
  test('end as their dry runs, whole or not at all', { timeout: 120_000 }, async () => {
    await importsKeepKeys(bench, 15);
  });
});
