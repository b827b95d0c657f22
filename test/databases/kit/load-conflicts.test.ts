/**
 * Loading rows whose key exists: as an error, skipped or updated, by the primary key or a named unique
 * key. Judged by the rows that are stored, and by the counts of the report.
 */
import { describe, expect, test } from 'vitest';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import { countsOf, load, rowsOf, storedRows, withoutId } from './loading.ts';
import { bigint, columnOf, int, name, tableWithId, optional, tableOf } from './tables.ts';
import type { FileRows, LoadTestOptions, LoadResult } from './loading.ts';

describeOnEachDatabase('loading by key', (harness) => {
  const loadFile = (rows: readonly FileRows[], options?: LoadTestOptions): Promise<LoadResult> =>
    load(harness.database.url, rows, options);

  describe('a row whose key exists', () => {
    test('is an error that names the row, and nothing is written', async () => {
      await harness.createTables([tableWithId('taken', [columnOf('n', int)])]);
      await harness.insertRows('taken', [{ id: 700, n: 1 }]);
      const rows = rowsOf(1500, (i) => ({ id: i === 1300 ? 700 : i + 1000, n: i }));
      const failure = await failureOf(loadFile([['taken', rows]]));
      expect(failure).toMatchObject({
        code: 'import_failed',
        errors: [{ code: 'unique_violation', table: 'taken', row: 1300, line: 1301 }],
      });
      expect(await storedRows(harness, 'taken')).toEqual([{ id: 700, n: 1 }]);
    });

    test('is skipped, or updated in the columns of the file', async () => {
      await harness.createTables([tableWithId('there', [columnOf('n', int), optional('t', name)])]);
      await harness.insertRows('there', [
        { id: 1, n: 1, t: 'a' },
        { id: 2, n: 2, t: 'b' },
      ]);
      const rows = [
        { id: 2, n: 20 },
        { id: 3, n: 30 },
        { id: 4, n: 40 },
      ];
      const skipped = await loadFile([['there', rows.slice(0, 2)]], { onConflict: 'skip' });
      expect(countsOf(skipped, 'there')).toEqual([1, 0, 1]);
      expect(await storedRows(harness, 'there')).toEqual([
        { id: 1, n: 1, t: 'a' },
        { id: 2, n: 2, t: 'b' },
        { id: 3, n: 30, t: null },
      ]);
      const updated = await loadFile([['there', rows]], { onConflict: 'update' });
      expect(countsOf(updated, 'there')).toEqual([1, 2, 0]);
      expect(await storedRows(harness, 'there')).toEqual([
        { id: 1, n: 1, t: 'a' },
        { id: 2, n: 20, t: 'b' },
        { id: 3, n: 30, t: null },
        { id: 4, n: 40, t: null },
      ]);
    });

    test('of the same file counts like an existing row', async () => {
      await harness.createTables([tableWithId('twice', [columnOf('n', int)])]);
      const rows = [
        { id: 1, n: 1 },
        { id: 2, n: 2 },
        { id: 1, n: 3 },
        { id: 1, n: 4 },
      ];
      expect(await failureOf(loadFile([['twice', rows]]))).toMatchObject({
        errors: [{ code: 'unique_violation', row: 3 }],
      });
      expect(countsOf(await loadFile([['twice', rows]], { onConflict: 'skip' }), 'twice')).toEqual([
        2, 0, 2,
      ]);
      expect(await storedRows(harness, 'twice')).toEqual([
        { id: 1, n: 1 },
        { id: 2, n: 2 },
      ]);
      expect(
        countsOf(await loadFile([['twice', rows]], { onConflict: 'update' }), 'twice'),
      ).toEqual([0, 4, 0]);
      expect(await storedRows(harness, 'twice')).toEqual([
        { id: 1, n: 4 },
        { id: 2, n: 2 },
      ]);
    });

    test('is updated after the same file inserted it', async () => {
      await harness.createTables([tableWithId('fresh', [columnOf('n', int)])]);
      const rows = [
        { id: 1, n: 1 },
        { id: 1, n: 2 },
        { id: 2, n: 3 },
      ];
      expect(
        countsOf(await loadFile([['fresh', rows]], { onConflict: 'update' }), 'fresh'),
      ).toEqual([2, 1, 0]);
      expect(await storedRows(harness, 'fresh')).toEqual([
        { id: 1, n: 2 },
        { id: 2, n: 3 },
      ]);
    });

    test('of which the file has only the key is left unchanged', async () => {
      await harness.createTables([tableWithId('bare', [optional('n', int)])]);
      await harness.insertRows('bare', [{ id: 1, n: 1 }]);
      const pendingLoad = await loadFile([['bare', [{ id: 1 }, { id: 2 }]]], {
        onConflict: 'update',
      });
      expect(countsOf(pendingLoad, 'bare')).toEqual([1, 0, 1]);
      expect(await storedRows(harness, 'bare')).toEqual([
        { id: 1, n: 1 },
        { id: 2, n: null },
      ]);
    });
  });

  describe('a key of several columns', () => {
    test('compares rows by all of them', async () => {
      await harness.createTables([
        tableOf('places', [columnOf('a', int), columnOf('b', name), columnOf('n', int)], {
          primaryKey: { columns: ['b', 'a'] },
        }),
      ]);
      await harness.insertRows('places', [
        { a: 1, b: 'x', n: 1 },
        { a: 2, b: 'x', n: 2 },
      ]);
      const rows = [
        { n: 10, a: 1, b: 'x' },
        { n: 20, a: 1, b: 'y' },
        { n: 30, a: 3, b: 'x' },
      ];
      expect(
        countsOf(await loadFile([['places', rows]], { onConflict: 'update' }), 'places'),
      ).toEqual([2, 1, 0]);
      expect((await storedRows(harness, 'places', 'n')).map(({ n }) => n)).toEqual([2, 10, 20, 30]);
      expect(
        countsOf(await loadFile([['places', rows]], { onConflict: 'skip' }), 'places'),
      ).toEqual([0, 0, 3]);
    });
  });

  describe('a named unique key', () => {
    const people = (table: string) =>
      tableWithId(
        table,
        [
          columnOf('email', name),
          columnOf('team', int),
          columnOf('seat', int),
          optional('t', name),
        ],
        {
          indexes: [
            { name: `${table}_email`, unique: true, parts: [{ column: 'email' }] },
            {
              name: `${table}_seat`,
              unique: true,
              parts: [{ column: 'team' }, { column: 'seat' }],
            },
          ],
        },
      );

    test('decides which row is updated', async () => {
      await harness.createTables([people('people')]);
      await harness.insertRows('people', [
        { id: 101, email: 'a', team: 1, seat: 1, t: 'x' },
        { id: 102, email: 'b', team: 1, seat: 2, t: 'y' },
      ]);
      const rows = [
        { email: 'b', team: 2, seat: 2, t: 'z' },
        { email: 'c', team: 3, seat: 1, t: 'w' },
      ];
      const pendingLoad = await loadFile([['people', rows]], {
        onConflict: 'update',
        conflictColumns: ['email'],
      });
      expect(countsOf(pendingLoad, 'people')).toEqual([1, 1, 0]);
      const found = await storedRows(harness, 'people', 'email');
      expect(found.map(withoutId)).toEqual([
        { email: 'a', team: 1, seat: 1, t: 'x' },
        { email: 'b', team: 2, seat: 2, t: 'z' },
        { email: 'c', team: 3, seat: 1, t: 'w' },
      ]);
    });

    test('can have several columns, in any order', async () => {
      await harness.createTables([people('seated')]);
      await harness.insertRows('seated', [{ id: 1, email: 'a', team: 1, seat: 1, t: null }]);
      const rows = [
        { email: 'b', team: 1, seat: 1 },
        { email: 'c', team: 1, seat: 2 },
      ];
      const options = { onConflict: 'skip', conflictColumns: ['seat', 'team'] } as const;
      expect(countsOf(await loadFile([['seated', rows]], options), 'seated')).toEqual([1, 0, 1]);
      expect((await storedRows(harness, 'seated', 'email')).map(({ email }) => email)).toEqual([
        'a',
        'c',
      ]);
    });

    test('reports a conflict with another key and leaves the other row alone', async () => {
      await harness.createTables([people('clashing')]);
      const before = [
        { id: 1, email: 'a', team: 1, seat: 1, t: 'x' },
        { id: 2, email: 'b', team: 1, seat: 2, t: 'y' },
      ];
      await harness.insertRows('clashing', before);
      for (const onConflict of ['skip', 'update'] as const) {
        const rows = [
          { id: 3, email: 'c', team: 9, seat: 9, t: 'new' },
          { id: 4, email: 'b', team: 5, seat: 5, t: 'changed' },
        ];
        expect(
          await failureOf(loadFile([['clashing', rows]], { onConflict })),
          onConflict,
        ).toMatchObject({
          code: 'import_failed',
          errors: [{ code: 'unique_violation', row: 2, line: 3 }],
        });
        expect(await storedRows(harness, 'clashing')).toEqual(before);
      }
      const movedRows = [{ id: 2, email: 'a', team: 1, seat: 2, t: 'changed' }];
      expect(
        await failureOf(loadFile([['clashing', movedRows]], { onConflict: 'update' })),
      ).toMatchObject({
        errors: [{ code: 'unique_violation', row: 1 }],
      });
      expect(await storedRows(harness, 'clashing')).toEqual(before);
    });

    test('does not match a row whose key is NULL', async () => {
      await harness.createTables([
        tableWithId('loose', [optional('code', name), columnOf('n', int)], {
          indexes: [{ name: 'loose_code', unique: true, parts: [{ column: 'code' }] }],
        }),
      ]);
      await harness.insertRows('loose', [{ id: 1, code: 'a', n: 1 }]);
      const rows = [
        { code: 'a', n: 2 },
        { code: null, n: 3 },
      ];
      const options = { onConflict: 'update', conflictColumns: ['code'] } as const;
      expect(countsOf(await loadFile([['loose', rows]], options), 'loose')).toEqual([1, 1, 0]);
      expect((await storedRows(harness, 'loose', 'n')).map(({ code, n }) => [code, n])).toEqual([
        ['a', 2],
        [null, 3],
      ]);
    });

    test('must exist', async () => {
      await harness.createTables([
        tableWithId('keyed', [columnOf('email', name), columnOf('n', bigint)], {
          indexes: [
            { name: 'keyed_email', unique: true, parts: [{ column: 'email' }] },
            { name: 'keyed_n', unique: false, parts: [{ column: 'n' }] },
          ],
        }),
      ]);
      for (const columns of [['n'], ['email', 'n'], ['nothing']]) {
        const options = { onConflict: 'update', conflictColumns: columns } as const;
        expect(
          await failureOf(loadFile([['keyed', [{ email: 'a', n: 1 }]]], options)),
        ).toMatchObject({
          code: 'invalid_parameter',
          parameter: 'conflict_columns',
          keys: ['id', 'email'],
          message: `(${columns.join(', ')}) is no unique key of table "keyed"; its keys are (id), (email).`,
        });
      }
      const withUnknownTables = {
        onConflict: 'skip',
        conflictColumns: ['n'],
        tablesAreKnown: false,
      } as const;
      expect(
        await failureOf(loadFile([['keyed', [{ email: 'a', n: 1 }]]], withUnknownTables)),
      ).toMatchObject({
        code: 'invalid_parameter',
      });
    });
  });
});
