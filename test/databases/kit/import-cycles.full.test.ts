/** The long variant of import-cycles.ci.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkImportsOfCycles } from './random-cycles.ts';

describeOnEachDatabase('many imports of rows in cycles', (harness) => {
  test('store what the client of the database stores', { timeout: 3_600_000 }, async () => {
    await checkImportsOfCycles(harness, 600);
  });
});
