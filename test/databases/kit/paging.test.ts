/** Paging is a permutation: each row once, in one order, by cursors and by page numbers. */
import { test } from 'vitest';
import { overDatabases } from './bench.ts';
import { pagesArePermutations } from './paging-walk.ts';

overDatabases('paging', (bench) => {
  test('gives each row of a random table once, by cursors and by page numbers', async () => {
    await pagesArePermutations(bench, 12);
  });
});
