import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkConflicts, hasClauses } from './random-conflicts.ts';

describeOnEachDatabase('conflicts in imported files', (harness) => {
  test('are what the options say, in a dry run too', async (context) => {
    if (!hasClauses(harness)) return context.skip('no dialect to generate');
    await checkConflicts(harness, 25);
  });
});
