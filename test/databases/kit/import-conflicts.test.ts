import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { checkConflicts, hasClauses } from './random-conflicts.ts';

describeOnEachDatabase('conflicts in imported files', (bench) => {
  test('are what the options say, in a dry run too', async (context) => {
    if (!hasClauses(bench)) return context.skip('no dialect to generate');
    await checkConflicts(bench, 25);
  });
});
