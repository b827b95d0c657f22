/** The same as paging.test.ts, over many more tables. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { pagesSurviveChanges } from './paging-changes.ts';
import { pagesArePermutations } from './paging-walk.ts';

describeOnEachDatabase('paging of many tables', (bench) => {
  test('gives each row once, by cursors and by page numbers', { timeout: 1_800_000 }, async () => {
    await pagesArePermutations(bench, 400);
  });

  test('gives each lasting row once while others change', { timeout: 1_800_000 }, async () => {
    await pagesSurviveChanges(bench, 400);
  });
});
