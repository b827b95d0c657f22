/** The long variant of import-keys.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { checkImportsKeepForeignKeys } from './random-imports.ts';

describeOnEachDatabase('many imports between tables with keys', (bench) => {
  test(
    'have the result of their dry run, whole or not at all',
    { timeout: 3_600_000 },
    async () => {
      await checkImportsKeepForeignKeys(bench, 600);
    },
  );
});
