/** The long variant of import-conflicts.ci.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkConflicts, hasClauses } from './random-conflicts.ts';

describeOnEachDatabase('many conflicts in imported files', (harness) => {
  test('are what the options say', { timeout: 3_600_000 }, async (context) => {
    if (!hasClauses(harness)) return context.skip('no dialect to generate');
    await checkConflicts(harness, 1000);
  });
});
