/** 1000 random files; import-new-tables.test.ts runs fewer. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { checkNewTables } from './new-tables.ts';

describeOnEachDatabase('import into many new tables', (bench) => {
  test('stores the values of random files', { timeout: 3_600_000 }, async () => {
    await checkNewTables(bench, 1000);
  });
});
