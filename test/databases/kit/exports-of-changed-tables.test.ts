import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkExportsOfChangedTables, checkUnchangedTable } from './exports-of-changed-tables.ts';

describeOnEachDatabase('exports of changed tables', (harness) => {
  test('have the structure and the rows of one moment', async () => {
    await checkExportsOfChangedTables(harness, { runs: 1, steps: 24 });
  });

  test('read the structure only if a table has changed', async () => {
    await checkUnchangedTable(harness, 'as_cached');
  });
});
