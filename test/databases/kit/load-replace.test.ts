/** Loading rows in place of the existing ones: all of them or none, without breaking references. */
import { describe, expect, test } from 'vitest';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import { countsOf, load, storedRows } from './loading.ts';
import { bigint, columnOf, int, foreignKeyTo, tableWithId, optional } from './tables.ts';
import type { ForeignKeyAction } from '../../../src/model/schema.ts';
import type { FileRows, LoadResult, LoadTestOptions } from './loading.ts';

describeOnEachDatabase('loading in place of rows', (harness) => {
  const replace = (rows: readonly FileRows[], options?: LoadTestOptions): Promise<LoadResult> =>
    load(harness.database.url, rows, { mode: 'replace', ...options });

  test('deletes the existing rows', async () => {
    await harness.createTables([
      tableWithId('shops', [columnOf('n', int)]),
      tableWithId('sales', [columnOf('shop_id', bigint)], {
        foreignKeys: [foreignKeyTo('shops', ['shop_id'])],
      }),
    ]);
    await harness.insertRows('shops', [
      { id: 1, n: 1 },
      { id: 2, n: 2 },
    ]);
    await harness.insertRows('sales', [
      { id: 1, shop_id: 1 },
      { id: 2, shop_id: 2 },
    ]);
    const rows: FileRows[] = [
      ['sales', [{ id: 2, shop_id: 3 }]],
      [
        'shops',
        [
          { id: 1, n: 10 },
          { id: 3, n: 3 },
        ],
      ],
    ];
    const dry = await replace(rows, { dryRun: true });
    expect(await storedRows(harness, 'sales')).toHaveLength(2);
    const pendingLoad = await replace(rows);
    expect(pendingLoad.report).toEqual(dry.report);
    expect(countsOf(pendingLoad, 'shops')).toEqual([2, 0, 0]);
    expect(await storedRows(harness, 'shops')).toEqual([
      { id: 1, n: 10 },
      { id: 3, n: 3 },
    ]);
    expect(await storedRows(harness, 'sales')).toEqual([{ id: 2, shop_id: 3 }]);
  });

  test('empties a table for which the file has no rows', async () => {
    await harness.createTables([tableWithId('emptied', [columnOf('n', int)])]);
    await harness.insertRows('emptied', [{ id: 1, n: 1 }]);
    const pendingLoad = await replace([['emptied', []]]);
    expect(countsOf(pendingLoad, 'emptied')).toEqual([0, 0, 0]);
    expect(await storedRows(harness, 'emptied')).toEqual([]);
  });

  test('restores all rows if a row is wrong', async () => {
    await harness.createTables([tableWithId('brought', [columnOf('n', int)])]);
    await harness.insertRows('brought', [{ id: 1, n: 1 }]);
    const rows = [
      { id: 5, n: 1 },
      { id: 5, n: 2 },
    ];
    expect(await failureOf(replace([['brought', rows]]))).toMatchObject({ errors: [{ row: 2 }] });
    expect(await storedRows(harness, 'brought')).toEqual([{ id: 1, n: 1 }]);
  });

  test('works on tables that reference themselves and each other', async () => {
    await harness.createTables([
      tableWithId('ring', [optional('next_id', bigint)], {
        foreignKeys: [foreignKeyTo('ring', ['next_id'])],
      }),
      tableWithId('heads', [optional('tail_id', bigint)], {
        foreignKeys: [foreignKeyTo('tails', ['tail_id'], { name: 'heads_key' })],
      }),
      tableWithId('tails', [columnOf('head_id', bigint)], {
        foreignKeys: [foreignKeyTo('heads', ['head_id'], { name: 'tails_key' })],
      }),
    ]);
    const rows: FileRows[] = [
      [
        'ring',
        [
          { id: 1, next_id: 2 },
          { id: 2, next_id: 3 },
          { id: 3, next_id: 1 },
        ],
      ],
      ['heads', [{ id: 1, tail_id: 1 }]],
      ['tails', [{ id: 1, head_id: 1 }]],
    ];
    for (const _ of [1, 2]) {
      await replace(rows);
      expect(await storedRows(harness, 'ring')).toEqual(rows[0]?.[1]);
      expect(await storedRows(harness, 'heads')).toEqual(rows[1]?.[1]);
    }
  });

  describe('if rows outside the file reference the table', () => {
    const outside = async (table: string, onDelete: ForeignKeyAction): Promise<void> => {
      await harness.createTables([
        tableWithId(`${table}_in`, [columnOf('n', int)]),
        tableWithId(`${table}_out`, [optional('in_id', bigint)], {
          foreignKeys: [foreignKeyTo(`${table}_in`, ['in_id'], { onDelete })],
        }),
      ]);
      await harness.insertRows(`${table}_in`, [
        { id: 1, n: 1 },
        { id: 2, n: 2 },
      ]);
      await harness.insertRows(`${table}_out`, [
        { id: 1, in_id: 1 },
        { id: 2, in_id: null },
      ]);
    };

    test.each([
      ['again', {}],
      ['again_skip', { onConflict: 'skip' }],
      ['again_lenient', { onError: 'skip' }],
      ['again_both', { onConflict: 'skip', onError: 'skip' }],
    ] as const)('their references must still match: %s', async (table, options) => {
      await outside(table, 'no action');
      const inside = `${table}_in`;
      await replace([[inside, [{ id: 1, n: 10 }]]], options);
      expect(await storedRows(harness, inside)).toEqual([{ id: 1, n: 10 }]);
      for (const dryRun of [true, false]) {
        const rows: FileRows[] = [[inside, [{ id: 2, n: 20 }]]];
        expect(await failureOf(replace(rows, { ...options, dryRun }))).toMatchObject({
          code: 'import_failed',
          errors: [{ code: 'foreign_key_violation', table: `${table}_out` }],
        });
        expect(await storedRows(harness, inside)).toEqual([{ id: 1, n: 10 }]);
      }
    });

    test.each(['cascade', 'set null'] as const)('%s is a conflict', async (onDelete) => {
      const table = onDelete.replace(' ', '_');
      await outside(table, onDelete);
      expect(await failureOf(replace([[`${table}_in`, [{ id: 1, n: 10 }]]]))).toMatchObject({
        code: 'foreign_key_violation',
        table: `${table}_out`,
        message: expect.stringContaining(`"${table}_out", which is not in the file`) as string,
      });
      expect(await storedRows(harness, `${table}_out`)).toEqual([
        { id: 1, in_id: 1 },
        { id: 2, in_id: null },
      ]);
    });

    test('cascades within the file, and actions without effect, are no conflict', async () => {
      await outside('inner', 'cascade');
      await replace([
        ['inner_in', [{ id: 5, n: 5 }]],
        ['inner_out', [{ id: 1, in_id: 5 }]],
      ]);
      expect(await storedRows(harness, 'inner_out')).toEqual([{ id: 1, in_id: 5 }]);
      await outside('free', 'set null');
      await harness.database.run('DELETE FROM free_out WHERE id = 1');
      await replace([['free_in', [{ id: 5, n: 5 }]]]);
      expect(await storedRows(harness, 'free_out')).toEqual([{ id: 2, in_id: null }]);
    });
  });
});
