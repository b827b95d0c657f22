/** 1000 random files; import-new-tables.ci.test.ts runs fewer. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkNewTables } from './new-tables.ts';

describeOnEachDatabase('import into many new tables', (harness) => {
  test('stores the values of random files', { timeout: 3_600_000 }, async () => {
    await checkNewTables(harness, 1000);
  });
});
