/** What `/metrics` says of the caches: every request that needs the structure or a total is a hit or a miss. */
import { expect, test, vi } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { tableWithId } from './tables.ts';

describeOnEachDatabase('uses of caches', (harness) => {
  test('are hits until the structure changes', async () => {
    const { studio, database } = harness;
    await harness.createTables([tableWithId('cached_structure', [])]);
    const list = () => harness.list('cached_structure');
    await list();
    const before = studio.cacheUses().structure;
    const lists = 7;
    for (let i = 0; i < lists; i += 1) await list();
    const after = studio.cacheUses().structure;
    expect(after).toEqual({ hits: before.hits + lists, misses: before.misses });

    await database.run('CREATE TABLE cached_structure_2 (id int PRIMARY KEY)');
    await harness.perform('refresh-schema', {});
    expect(studio.cacheUses().structure.misses).toBe(after.misses + 1);
  });

  test('are hits of totals until a row is written, where the database tells', async () => {
    const { studio } = harness;
    await harness.createTables([tableWithId('cached_totals', [])]);
    await harness.insertRows('cached_totals', [{ id: 1 }, { id: 2 }]);
    const readCounts = () => harness.perform('get-schema', { counts: 'exact' });
    const usesOf = async (): Promise<{ readonly hits: number; readonly misses: number }> => {
      const before = studio.cacheUses().totals;
      await readCounts();
      const { hits, misses } = studio.cacheUses().totals;
      return { hits: hits - before.hits, misses: misses - before.misses };
    };
    const first = await usesOf();
    const tables = first.hits + first.misses;
    // On a server that other tests use too, their transactions may end in between.
    const allHits = (): Promise<void> =>
      vi.waitFor(async () => expect(await usesOf()).toEqual({ hits: tables, misses: 0 }), {
        timeout: 20_000,
        interval: 50,
      });
    expect(tables > 0).toBe(harness.underTest.name !== 'mysql');
    await allHits();
    await harness.insertRows('cached_totals', [{ id: 3 }]);
    expect(await usesOf()).toEqual({ hits: 0, misses: tables });
    await allHits();
  });
});
