/** The long variant of import-keys.ci.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkImportsKeepForeignKeys } from './random-imports.ts';

describeOnEachDatabase('many imports between tables with keys', (harness) => {
  test(
    'have the result of their dry run, whole or not at all',
    { timeout: 3_600_000 },
    async () => {
      await checkImportsKeepForeignKeys(harness, 600);
    },
  );
});
