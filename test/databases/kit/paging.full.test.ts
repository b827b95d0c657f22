/** The long variant of paging.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkPagingDuringChanges } from './paging-changes.ts';
import { checkPagesArePermutations } from './random-paging.ts';

describeOnEachDatabase('paging of many tables', (harness) => {
  test(
    'returns each row once, by cursors and by page numbers',
    { timeout: 3_600_000 },
    async () => {
      await checkPagesArePermutations(harness, 400);
    },
  );

  test('returns each remaining row once while others change', { timeout: 3_600_000 }, async () => {
    await checkPagingDuringChanges(harness, 200);
  });
});
