/** Paging is a permutation: each row once, in one order, by cursors and by page numbers. */
import { expect, test } from 'vitest';
import { overDatabases } from './bench.ts';
import { pagesSurviveChanges } from './paging-changes.ts';
import { pagesArePermutations } from './paging-walk.ts';

overDatabases('paging', (bench) => {
  test('gives each row of a random table once, by cursors and by page numbers', async () => {
    await pagesArePermutations(bench, 12);
  });

  test('gives each lasting row once while others insert and delete rows', async () => {
    await pagesSurviveChanges(bench, 10);
  });

  test('follows a view of many columns by their values, and says where it cannot', async () => {
    const { native } = bench;
    const names = Array.from({ length: 33 }, (_, i) => `c${i}`);
    await native.run(`CREATE TABLE wide (${names.map((name) => `${name} INTEGER`).join(', ')})`);
    await native.run(`CREATE VIEW wide_seen AS SELECT * FROM wide`);
    await native.run(`CREATE TABLE lengthy (c TEXT)`);
    await native.run(`CREATE VIEW lengthy_seen AS SELECT * FROM lengthy`);
    for (const last of [1, 2, 3]) {
      await native.run(`INSERT INTO wide VALUES (${names.map((_, i) => (i < 32 ? 7 : last))})`);
      await native.run(`INSERT INTO lengthy VALUES ('${'x'.repeat(5000)}')`);
    }
    await bench.refresh();
    const first = await bench.list('wide_seen', { pageSize: 2 });
    expect(first).not.toHaveProperty('paging');
    await native.run('DELETE FROM wide WHERE c32 = 1');
    const second = await bench.list('wide_seen', { pageSize: 2, cursor: first.next_cursor! });
    expect(second.data.map(({ c32 }) => c32)).toEqual([3]);
    expect(await bench.list('lengthy_seen', { pageSize: 2 })).toMatchObject({ paging: 'position' });
    expect(await bench.list('lengthy_seen')).not.toHaveProperty('paging');
  });
});
