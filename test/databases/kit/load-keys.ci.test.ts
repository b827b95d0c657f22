/** Loading rows with foreign keys, with tables and rows in any order: all references match at the end. */
import { describe, expect, test } from 'vitest';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import { countsOf, load, rowsOf, countSpooledTables, storedRows } from './loading.ts';
import { bigint, columnOf, int, foreignKeyTo, tableWithId, optional, tableOf } from './tables.ts';
import type { Table } from '../../../src/model/schema.ts';
import type { FileRows, LoadResult, LoadTestOptions } from './loading.ts';

describeOnEachDatabase('loading foreign keys', (harness) => {
  const loadFile = (rows: readonly FileRows[], options?: LoadTestOptions): Promise<LoadResult> =>
    load(harness.database.url, rows, options);

  const child = (table: string, parent: string): Table =>
    tableWithId(table, [columnOf('parent_id', bigint)], {
      foreignKeys: [foreignKeyTo(parent, ['parent_id'])],
    });

  describe('tables can come', () => {
    const rows = {
      a: rowsOf(1200, (i) => ({ id: i })),
      b: rowsOf(1200, (i) => ({ id: i, parent_id: 1201 - i })),
      c: rowsOf(1200, (i) => ({ id: i, parent_id: i })),
    };
    const check = async (prefix: string): Promise<void> => {
      const { rows: found } = await harness.sql(
        `SELECT (SELECT COUNT(*) FROM ${prefix}_a) AS a, (SELECT COUNT(*) FROM ${prefix}_b) AS b, (SELECT COUNT(*) FROM ${prefix}_c) AS c, (SELECT COUNT(*) FROM ${prefix}_b WHERE parent_id = 1201 - id) AS retained`,
      );
      expect(found).toEqual([{ a: 1200, b: 1200, c: 1200, retained: 1200 }]);
    };
    const createTables = (prefix: string): Promise<void> =>
      harness.createTables([
        tableWithId(`${prefix}_a`, []),
        child(`${prefix}_b`, `${prefix}_a`),
        child(`${prefix}_c`, `${prefix}_b`),
      ]);
    const chunks = (prefix: string, order: readonly ('a' | 'b' | 'c')[]): FileRows[] =>
      order.flatMap((each): FileRows[] => [
        [`${prefix}_${each}`, rows[each].slice(0, 600)],
        [`${prefix}_${each}`, rows[each].slice(600)],
      ]);

    test('parents first, and then no row is deferred to disk', async () => {
      await createTables('down');
      await loadFile(chunks('down', ['a', 'b', 'c']));
      expect(countSpooledTables()).toBe(0);
      await check('down');
    });

    test('children first', async () => {
      await createTables('up');
      const pendingLoad = await loadFile(chunks('up', ['c', 'b', 'a']));
      expect(countsOf(pendingLoad, 'up_c')).toEqual([1200, 0, 0]);
      await check('up');
    });

    test('without being announced, in alternating chunks', async () => {
      await createTables('mix');
      const [c1, c2, b1, b2, a1, a2] = chunks('mix', ['c', 'b', 'a']) as [
        FileRows,
        FileRows,
        FileRows,
        FileRows,
        FileRows,
        FileRows,
      ];
      await loadFile([b1, c1, a2, c2, a1, b2], { tablesAreKnown: false });
      await check('mix');
    });

    test('children first, of rows that are skipped, updated and left out', async () => {
      await createTables('odd');
      await harness.insertRows('odd_a', [{ id: 1 }]);
      await harness.insertRows('odd_b', [{ id: 1, parent_id: 1 }]);
      const some: FileRows[] = [
        [
          'odd_b',
          [
            { id: 1, parent_id: 2 },
            { id: 2, parent_id: 2 },
            { id: 3, parent_id: 9 },
          ],
        ],
        ['odd_a', [{ id: 1 }, { id: 2 }]],
      ];
      const pendingLoad = await loadFile(some, { onConflict: 'update', onError: 'skip' });
      expect(countsOf(pendingLoad, 'odd_b')).toEqual([1, 1, 1]);
      expect(pendingLoad.errors).toMatchObject([
        { code: 'foreign_key_violation', table: 'odd_b', row: 3, line: 4 },
      ]);
      expect(await storedRows(harness, 'odd_b')).toEqual([
        { id: 1, parent_id: 2 },
        { id: 2, parent_id: 2 },
      ]);
    });
  });

  test('in a file without a table that one of them references', async () => {
    await harness.createTables([tableWithId('countries', []), child('cities', 'countries')]);
    await harness.insertRows('countries', [{ id: 7 }]);
    await loadFile([['cities', [{ id: 1, parent_id: 7 }]]]);
    expect(await storedRows(harness, 'cities')).toEqual([{ id: 1, parent_id: 7 }]);
    expect(
      await failureOf(
        loadFile([
          [
            'cities',
            [
              { id: 2, parent_id: 7 },
              { id: 3, parent_id: 8 },
            ],
          ],
        ]),
      ),
    ).toMatchObject({
      errors: [{ code: 'foreign_key_violation', table: 'cities', row: 2 }],
    });
  });

  test('with keys of several columns, which match as a whole', async () => {
    await harness.createTables([
      tableOf('grid', [columnOf('x', int), columnOf('y', int)], {
        primaryKey: { columns: ['x', 'y'] },
      }),
      tableWithId('pins', [optional('x', int), optional('y', int)], {
        foreignKeys: [
          {
            columns: ['x', 'y'],
            table: 'grid',
            referencedColumns: ['x', 'y'],
            onUpdate: 'no action',
            onDelete: 'no action',
          },
        ],
      }),
    ]);
    const pins = [
      { id: 1, x: 1, y: 2 },
      { id: 2, x: null, y: 5 },
    ];
    await loadFile([
      ['pins', pins],
      ['grid', [{ x: 1, y: 2 }]],
    ]);
    expect(await storedRows(harness, 'pins')).toEqual(pins);
    expect(await failureOf(loadFile([['pins', [{ id: 3, x: 2, y: 1 }]]]))).toMatchObject({
      errors: [{ code: 'foreign_key_violation', row: 1 }],
    });
  });

  describe('rows can reference others of their table', () => {
    const staff = (table: string, nullable: boolean): Table =>
      tableWithId(table, [columnOf('boss_id', bigint, { nullable }), columnOf('n', int)], {
        foreignKeys: [foreignKeyTo(table, ['boss_id'])],
      });

    test('that come later', async () => {
      await harness.createTables([staff('staff', true)]);
      const rows = rowsOf(900, (i) => ({ id: i, boss_id: i === 900 ? null : i + 1, n: i }));
      const pendingLoad = await loadFile([
        ['staff', rows.slice(0, 400)],
        ['staff', rows.slice(400)],
      ]);
      expect(countsOf(pendingLoad, 'staff')).toEqual([900, 0, 0]);
      const { rows: found } = await harness.sql(
        'SELECT COUNT(*) AS n FROM staff WHERE boss_id = id + 1 AND n = id',
      );
      expect(found).toEqual([{ n: 899 }]);
    });

    test('that come before, and then no row is deferred to disk', async () => {
      await harness.createTables([staff('juniors', true)]);
      const rows = rowsOf(900, (i) => ({ id: i, boss_id: i === 1 ? null : i - 1, n: i }));
      await loadFile([
        ['juniors', rows.slice(0, 400)],
        ['juniors', rows.slice(400)],
      ]);
      expect(countSpooledTables()).toBe(0);
    });

    test('if the reference is NOT NULL', async () => {
      await harness.createTables([staff('owned', false)]);
      const rows = rowsOf(600, (i) => ({ id: i, boss_id: i === 600 ? 600 : i + 1, n: i }));
      await loadFile([
        ['owned', rows.slice(0, 250)],
        ['owned', rows.slice(250)],
      ]);
      const { rows: found } = await harness.sql(
        'SELECT COUNT(*) AS n FROM owned WHERE boss_id = id + 1',
      );
      expect(found).toEqual([{ n: 599 }]);
    });

    test('and if one is missing, nothing is written', async () => {
      await harness.createTables([staff('lost', true), staff('lost_too', false)]);
      for (const table of ['lost', 'lost_too']) {
        const rows = [
          { id: 1, boss_id: 2, n: 1 },
          { id: 2, boss_id: 99, n: 2 },
        ];
        expect(await failureOf(loadFile([[table, rows]])), table).toMatchObject({
          code: 'import_failed',
          errors: [{ code: 'foreign_key_violation', table }],
        });
        expect(await storedRows(harness, table)).toEqual([]);
      }
    });

    test('and if one is missing, its row is skipped', async () => {
      await harness.createTables([staff('kept', true)]);
      const rows = [
        { id: 1, boss_id: 2, n: 1 },
        { id: 2, boss_id: null, n: 2 },
        { id: 3, boss_id: 99, n: 3 },
      ];
      const pendingLoad = await loadFile([['kept', rows]], { onError: 'skip' });
      expect(countsOf(pendingLoad, 'kept')).toEqual([2, 0, 1]);
      expect(pendingLoad.errors).toMatchObject([
        { code: 'foreign_key_violation', row: 3, line: 4 },
      ]);
      expect((await storedRows(harness, 'kept')).map(({ id, boss_id }) => [id, boss_id])).toEqual([
        [1, 2],
        [2, null],
      ]);
    });

    test('and if one is missing, an existing row is not deleted', async () => {
      await harness.createTables([staff('stays', true)]);
      await harness.insertRows('stays', [{ id: 1, boss_id: null, n: 1 }]);
      const rows = [
        { id: 1, boss_id: 99, n: 10 },
        { id: 2, boss_id: 1, n: 20 },
      ];
      const pendingLoad = await loadFile([['stays', rows]], {
        onConflict: 'update',
        onError: 'skip',
      });
      expect(countsOf(pendingLoad, 'stays')).toEqual([1, 0, 1]);
      expect(pendingLoad.errors).toMatchObject([
        { code: 'foreign_key_violation', table: 'stays', row: 1, line: 2 },
      ]);
      expect(await storedRows(harness, 'stays')).toEqual([
        { id: 1, boss_id: null, n: 1 },
        { id: 2, boss_id: 1, n: 20 },
      ]);
    });

    test('while existing rows are skipped or updated', async () => {
      await harness.createTables([staff('again', true)]);
      await harness.insertRows('again', [{ id: 1, boss_id: null, n: 1 }]);
      const rows = [
        { id: 1, boss_id: 3, n: 10 },
        { id: 2, boss_id: 3, n: 20 },
        { id: 3, boss_id: null, n: 30 },
      ];
      const skipped = await loadFile(
        [
          ['again', rows.slice(0, 2)],
          ['again', rows.slice(2)],
        ],
        { onConflict: 'skip' },
      );
      expect(countsOf(skipped, 'again')).toEqual([2, 0, 1]);
      expect(await storedRows(harness, 'again')).toEqual([
        { id: 1, boss_id: null, n: 1 },
        ...rows.slice(1),
      ]);
      const more = [
        { id: 1, boss_id: 4, n: 11 },
        { id: 4, boss_id: 1, n: 40 },
      ];
      const updated = await loadFile(
        [
          ['again', more.slice(0, 1)],
          ['again', more.slice(1)],
        ],
        { onConflict: 'update' },
      );
      expect(countsOf(updated, 'again')).toEqual([1, 1, 0]);
      expect(await storedRows(harness, 'again')).toEqual([more[0], ...rows.slice(1), more[1]]);
    });
  });

  describe('tables can reference each other', () => {
    const pair = (one: string, other: string, nullable: boolean): readonly Table[] => [
      tableWithId(one, [columnOf('other_id', bigint, { nullable })], {
        foreignKeys: [foreignKeyTo(other, ['other_id'], { name: `${one}_key` })],
      }),
      tableWithId(other, [columnOf('one_id', bigint)], {
        foreignKeys: [foreignKeyTo(one, ['one_id'], { name: `${other}_key` })],
      }),
    ];

    test('while other foreign keys of their rows match too', async () => {
      const [first, second] = pair('heads', 'bodies', false);
      await harness.createTables([
        tableWithId('worlds', []),
        first!,
        {
          ...second!,
          columns: [...second!.columns, columnOf('world_id', bigint)],
          foreignKeys: [
            ...second!.foreignKeys,
            foreignKeyTo('worlds', ['world_id'], { name: 'of_world' }),
          ],
        },
      ]);
      await harness.insertRows('worlds', [{ id: 1 }]);
      const rows = (world: number): FileRows[] => [
        ['heads', [{ id: 1, other_id: 1 }]],
        ['bodies', [{ id: 1, one_id: 1, world_id: world }]],
      ];
      expect(await failureOf(loadFile(rows(9)))).toMatchObject({
        code: 'import_failed',
        errors: [{ code: 'foreign_key_violation', table: 'bodies' }],
      });
      expect(await storedRows(harness, 'heads')).toEqual([]);
      await loadFile(rows(1));
      expect(await storedRows(harness, 'bodies')).toEqual([{ id: 1, one_id: 1, world_id: 1 }]);
    });

    test('if one of the references is nullable', async () => {
      await harness.createTables(pair('teams', 'captains', true));
      const teams = rowsOf(300, (i) => ({ id: i, other_id: 301 - i }));
      const captains = rowsOf(300, (i) => ({ id: i, one_id: i }));
      for (const tablesAreKnown of [true, false]) {
        await loadFile(
          [
            ['teams', teams],
            ['captains', captains],
          ],
          {
            tablesAreKnown,
            mode: 'append',
            onConflict: 'update',
          },
        );
        const { rows } = await harness.sql(
          'SELECT COUNT(*) AS n FROM teams t JOIN captains c ON c.id = t.other_id AND c.id = 301 - t.id',
        );
        expect(rows).toEqual([{ n: 300 }]);
      }
    });

    test('if neither is nullable', async () => {
      await harness.createTables(pair('hosts', 'guests', false));
      const pendingLoad = await loadFile([
        [
          'hosts',
          [
            { id: 1, other_id: 2 },
            { id: 2, other_id: 1 },
          ],
        ],
        [
          'guests',
          [
            { id: 1, one_id: 2 },
            { id: 2, one_id: 1 },
          ],
        ],
      ]);
      expect(countsOf(pendingLoad, 'hosts')).toEqual([2, 0, 0]);
      expect(await storedRows(harness, 'guests')).toEqual([
        { id: 1, one_id: 2 },
        { id: 2, one_id: 1 },
      ]);
      const dangling = harness.database.run('INSERT INTO hosts (id, other_id) VALUES (9, 99)');
      await expect(dangling, 'the key is enforced again').rejects.toThrow();
    });

    test('and if one is missing, nothing is written', async () => {
      await harness.createTables([
        ...pair('left_open', 'right_open', true),
        ...pair('left_shut', 'right_shut', false),
      ]);
      for (const kind of ['open', 'shut']) {
        for (const dryRun of [true, false]) {
          const failure = await failureOf(
            loadFile(
              [
                [
                  `left_${kind}`,
                  [
                    { id: 1, other_id: 1 },
                    { id: 2, other_id: 99 },
                  ],
                ],
                [`right_${kind}`, [{ id: 1, one_id: 1 }]],
              ],
              { dryRun },
            ),
          );
          expect(failure, kind).toMatchObject({
            code: 'import_failed',
            errors: [{ code: 'foreign_key_violation', table: `left_${kind}` }],
          });
          expect(await storedRows(harness, `right_${kind}`)).toEqual([]);
        }
      }
    });
  });
});
