/** The long variant of exports-of-changed-tables.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkExportsOfChangedTables } from './exports-of-changed-tables.ts';

const timeoutMs = 1_800_000;

describeOnEachDatabase('exports of changed tables for long', (harness) => {
  test(
    'have the structure and the rows of one moment',
    () => checkExportsOfChangedTables(harness, { runs: 6, steps: 40 }),
    timeoutMs,
  );
});
