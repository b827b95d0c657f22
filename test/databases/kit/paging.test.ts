/**
 * Paging is a permutation: it returns each row once, in one order, by cursors and by page numbers.
 */
import { expect, test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { checkPagingDuringChanges } from './paging-changes.ts';
import { checkPagesArePermutations } from './random-paging.ts';
import { columnOf, int, tableOf } from './tables.ts';

describeOnEachDatabase('paging', (bench) => {
  test('returns each row of a random table once, by cursors and by page numbers', async () => {
    await checkPagesArePermutations(bench, 12);
  });

  test('returns each remaining row once while others insert and delete rows', async () => {
    await checkPagingDuringChanges(bench, 10);
  });

  test('uses columns whose names are those of computed results', async () => {
    const names = ['case', 'coalesce', 'studio 1', 'studio 2'];
    const json = { kind: 'json', binary: true } as const;
    const columns = [columnOf('id', int), ...names.map((name) => columnOf(name, json))];
    await bench.createTables([
      tableOf('odd_names', [...columns, columnOf('big', { kind: 'text' })], {
        primaryKey: { columns: ['id'] },
      }),
    ]);
    const rows = Array.from({ length: 9 }, (_, i) => ({
      id: i,
      ...Object.fromEntries(names.map((name, j) => [name, String((i * 7 + j) % 12)])),
      big: 'x'.repeat(i * 1500),
    }));
    await bench.insertRows('odd_names', rows);
    for (const column of names)
      for (const cells of ['full', 'preview'] as const) {
        const query = { sort: [{ column, descending: false }], cells, pageSize: 2 };
        const seen: unknown[] = [];
        let cursor: string | undefined;
        do {
          const page = await bench.list('odd_names', {
            ...query,
            ...(cursor === undefined ? {} : { cursor }),
          });
          seen.push(...page.data.map(({ id }) => id));
          cursor = page.next_cursor;
        } while (cursor !== undefined && seen.length < 20);
        const whole = await bench.list('odd_names', { ...query, pageSize: 50 });
        expect(whole.data.map(({ id }) => id)).toEqual(seen);
        expect(seen.toSorted()).toEqual(rows.map(({ id }) => id));
      }
  });

  test('follows a view of many columns by their values, and says if it cannot', async () => {
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
