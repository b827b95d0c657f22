/**
 * Paging is a permutation: it returns each row once, in one order, by cursors and by page numbers.
 */
import { expect, test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkPagingDuringChanges } from './paging-changes.ts';
import { checkPagesArePermutations } from './random-paging.ts';
import { columnOf, int, tableOf } from './tables.ts';

describeOnEachDatabase('paging', (harness) => {
  test('returns each row of a random table once, by cursors and by page numbers', async () => {
    await checkPagesArePermutations(harness, 12);
  });

  test('returns each remaining row once while others insert and delete rows', async () => {
    await checkPagingDuringChanges(harness, 10);
  });

  test('uses columns whose names are those of computed results', async () => {
    const names = ['case', 'coalesce', 'studio 1', 'studio 2'];
    const json = { kind: 'json', binary: true } as const;
    const columns = [columnOf('id', int), ...names.map((name) => columnOf(name, json))];
    await harness.createTables([
      tableOf('odd_names', [...columns, columnOf('big', { kind: 'text' })], {
        primaryKey: { columns: ['id'] },
      }),
    ]);
    const rows = Array.from({ length: 9 }, (_, i) => ({
      id: i,
      ...Object.fromEntries(names.map((name, j) => [name, String((i * 7 + j) % 12)])),
      big: 'x'.repeat(i * 1500),
    }));
    await harness.insertRows('odd_names', rows);
    for (const column of names)
      for (const cells of ['full', 'preview'] as const) {
        const query = { sort: [{ column, descending: false }], cells, pageSize: 2 };
        const seenIds: unknown[] = [];
        let cursor: string | undefined;
        do {
          const page = await harness.list('odd_names', {
            ...query,
            ...(cursor === undefined ? {} : { cursor }),
          });
          seenIds.push(...page.data.map(({ id }) => id));
          cursor = page.next_cursor;
        } while (cursor !== undefined && seenIds.length < 20);
        const singlePage = await harness.list('odd_names', { ...query, pageSize: 50 });
        expect(singlePage.data.map(({ id }) => id)).toEqual(seenIds);
        expect(seenIds.toSorted()).toEqual(rows.map(({ id }) => id));
      }
  });

  test('follows a view of many columns by their values, and says if it cannot', async () => {
    const { database } = harness;
    const names = Array.from({ length: 33 }, (_, i) => `c${i}`);
    await database.run(`CREATE TABLE wide (${names.map((name) => `${name} INTEGER`).join(', ')})`);
    await database.run(`CREATE VIEW wide_seen AS SELECT * FROM wide`);
    await database.run(`CREATE TABLE lengthy (c TEXT)`);
    await database.run(`CREATE VIEW lengthy_seen AS SELECT * FROM lengthy`);
    for (const last of [1, 2, 3]) {
      await database.run(`INSERT INTO wide VALUES (${names.map((_, i) => (i < 32 ? 7 : last))})`);
      await database.run(`INSERT INTO lengthy VALUES ('${'x'.repeat(5000)}')`);
    }
    await harness.refresh();
    const first = await harness.list('wide_seen', { pageSize: 2 });
    expect(first).not.toHaveProperty('paging');
    await database.run('DELETE FROM wide WHERE c32 = 1');
    const second = await harness.list('wide_seen', { pageSize: 2, cursor: first.next_cursor! });
    expect(second.data.map(({ c32 }) => c32)).toEqual([3]);
    expect(await harness.list('lengthy_seen', { pageSize: 2 })).toMatchObject({
      paging: 'position',
    });
    expect(await harness.list('lengthy_seen')).not.toHaveProperty('paging');
  });
});
