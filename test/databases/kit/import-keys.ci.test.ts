/** A dry run has the same result as the real import, and neither leaves a dangling reference. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkImportsKeepForeignKeys } from './random-imports.ts';

describeOnEachDatabase('imports between tables with keys', (harness) => {
  test('have the result of their dry run, whole or not at all', { timeout: 120_000 }, async () => {
    await checkImportsKeepForeignKeys(harness, 15);
  });
});
