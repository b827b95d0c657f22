/**
 * Loading rows that the database rejects, at the ends of a batch and within it: the error has the row's
 * position, and either nothing is written or everything but that row.
 */
import { describe, expect, test } from 'vitest';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import { countsOf, load, rowsOf, storedRows } from './loading.ts';
import {
  bigint,
  columnOf,
  int,
  foreignKeyTo,
  name,
  tableWithId,
  optional,
  tableOf,
} from './tables.ts';
import type { FileRows, LoadResult, LoadTestOptions, ValueRow } from './loading.ts';

describeOnEachDatabase('loading bad rows', (harness) => {
  const loadFile = (rows: readonly FileRows[], options?: LoadTestOptions): Promise<LoadResult> =>
    load(harness.database.url, rows, options);

  const strict = (table: string) =>
    tableWithId(table, [columnOf('n', int), columnOf('code', name)], {
      indexes: [{ name: `${table}_code`, unique: true, parts: [{ column: 'code' }] }],
      checks: [{ name: `${table}_n`, expression: 'n <> -1' }],
    });
  const validRow = (i: number): ValueRow => ({ id: i, n: i, code: `c${i}` });
  const bad: Readonly<Record<string, Partial<ValueRow>>> = {
    unique_violation: { code: 'c1' },
    check_violation: { n: -1 },
    not_null_violation: { code: null },
  };

  /** At the ends of a batch, and within it. */
  const positions: Readonly<Record<string, readonly number[]>> = {
    unique_violation: [2, 1000],
    check_violation: [20, 999],
    not_null_violation: [1, 500],
  };

  describe('a wrong row', () => {
    test('ends the import with its position, at any position', async () => {
      for (const [code, fault] of Object.entries(bad)) {
        for (const at of positions[code] ?? []) {
          const table = `strict_${code.slice(0, 3)}_${at}`;
          await harness.createTables([strict(table)]);
          const rows = rowsOf(1000, (i) =>
            i === at ? ({ ...validRow(i), ...fault } as ValueRow) : validRow(i),
          );
          const failure = await failureOf(loadFile([[table, rows]]));
          expect(failure, `${code} at ${at}`).toMatchObject({
            code: 'import_failed',
            errors: [{ code, table, row: at, line: at + 1 }],
          });
          expect(failure.message).toContain(`Row ${at} (line ${at + 1}) of table "${table}"`);
          expect(await storedRows(harness, table)).toEqual([]);
          await harness.dropTables([table]);
        }
      }
    });

    test('has its column if the database reports it', async () => {
      await harness.createTables([strict('columns')]);
      const rows = [validRow(1), { ...validRow(2), code: null }];
      expect(await failureOf(loadFile([['columns', rows]]))).toMatchObject({
        errors: [{ column: 'code' }],
      });
    });

    test('is the only error of the import that it ends', async () => {
      await harness.createTables([strict('first_error')]);
      const rows = [validRow(1), { ...validRow(2), n: -1 }, { ...validRow(3), n: -1 }];
      const { errors } = await failureOf(loadFile([['first_error', rows]]));
      expect(errors).toMatchObject([{ code: 'check_violation', row: 2 }]);
    });

    test('is skipped on request, and all others are written', async () => {
      const faults = Object.values(bad);
      await harness.createTables([strict('skipping')]);
      const isBad = (i: number): boolean => i > 1 && (i % 97 === 0 || i === 1500 || i === 2);
      const rows = rowsOf(1500, (i) =>
        isBad(i) ? ({ ...validRow(i), ...faults[i % 3] } as ValueRow) : validRow(i),
      );
      const badRows = rows.flatMap((_, i) => (isBad(i + 1) ? [i + 1] : []));
      const chunks = [rows.slice(0, 700), rows.slice(700)].map((some): FileRows => [
        'skipping',
        some,
      ]);
      const pendingLoad = await loadFile(chunks, { onError: 'skip' });
      expect(countsOf(pendingLoad, 'skipping')).toEqual([1500 - badRows.length, 0, badRows.length]);
      expect(pendingLoad.errors.map(({ row, line }) => [row, line])).toEqual(
        badRows.map((i) => [i, i + 1]),
      );
      expect(pendingLoad.errors.map(({ code }) => code)).toEqual(
        badRows.map((i) => Object.keys(bad)[i % 3]),
      );
      const {
        rows: [found],
      } = await harness.sql('SELECT COUNT(*) AS n, SUM(id) AS s FROM skipping');
      expect([found?.['n'], Number(found?.['s'])]).toEqual([
        1500 - badRows.length,
        (1500 * 1501) / 2 - badRows.reduce((sum, i) => sum + i, 0),
      ]);
    });

    test('is skipped among rows that are inserted and updated', async () => {
      await harness.createTables([strict('mixed')]);
      await harness.insertRows('mixed', [
        { id: 1, n: 1, code: 'c1' },
        { id: 2, n: 2, code: 'c2' },
      ]);
      const rows = [
        { id: 2, n: 20, code: 'c2' },
        { id: 3, n: -1, code: 'c3' },
        { id: 1, n: -1, code: 'c1' },
        { id: 4, n: 4, code: 'c1' },
        { id: 5, n: 5, code: 'c5' },
      ];
      const pendingLoad = await loadFile([['mixed', rows]], {
        onError: 'skip',
        onConflict: 'update',
      });
      expect(countsOf(pendingLoad, 'mixed')).toEqual([1, 1, 3]);
      expect(pendingLoad.errors.map(({ row, code }) => [row, code])).toEqual([
        [2, 'check_violation'],
        [3, 'check_violation'],
        [4, 'unique_violation'],
      ]);
      expect(await storedRows(harness, 'mixed')).toEqual([
        { id: 1, n: 1, code: 'c1' },
        { id: 2, n: 20, code: 'c2' },
        { id: 5, n: 5, code: 'c5' },
      ]);
    });
  });

  test('values that the database rejects have row and column', async () => {
    await harness.createTables([
      tableOf('short', [
        columnOf('a', { kind: 'text', length: 5 }),
        optional('d', { kind: 'date' }),
      ]),
    ]);
    const rows = [
      { a: 'good', d: null },
      { a: 'too long', d: null },
    ];
    expect(await failureOf(loadFile([['short', rows]]))).toMatchObject({
      errors: [{ code: 'invalid_value', row: 2, column: 'a' }],
    });
    expect(await failureOf(loadFile([['short', [{ a: 'a', d: '2026-02-30' }]]]))).toMatchObject({
      errors: [{ code: 'invalid_value', row: 1 }],
    });
  });

  test('text that is not valid Unicode is rejected with its row', async () => {
    await harness.createTables([tableWithId('halves', [columnOf('t', name)])]);
    const rows = [
      { id: 1, t: 'whole 😀' },
      { id: 2, t: '\ud800' },
    ];
    expect(await failureOf(loadFile([['halves', rows]]))).toMatchObject({
      errors: [{ code: 'invalid_value', row: 2 }],
    });
    const pendingLoad = await loadFile([['halves', rows]], { onError: 'skip' });
    expect(countsOf(pendingLoad, 'halves')).toEqual([1, 0, 1]);
    expect(await storedRows(harness, 'halves')).toEqual([{ id: 1, t: 'whole 😀' }]);
  });

  test('an error of the reader leaves nothing', async () => {
    await harness.createTables([strict('cut_short')]);
    const work = loadFile(
      [
        ['cut_short', [validRow(1)]],
        ['cut_short', [validRow(2)]],
      ],
      {
        onChunk: (index) => {
          if (index === 1) throw new RangeError('the file is broken');
        },
      },
    );
    await expect(work).rejects.toThrow(RangeError);
    expect(await storedRows(harness, 'cut_short')).toEqual([]);
  });

  test('an abort signal ends the import and leaves nothing', async () => {
    await harness.createTables([strict('called_off')]);
    const controller = new AbortController();
    const rows = rowsOf(20_000, validRow);
    const chunks = Array.from({ length: 10 }, (_, i): FileRows => [
      'called_off',
      rows.slice(i * 2000, (i + 1) * 2000),
    ]);
    const work = loadFile(chunks, {
      signal: controller.signal,
      onProgress: ({ rows: written }) => {
        if (written >= 10_000) controller.abort(new RangeError('called off'));
      },
    });
    await expect(work).rejects.toThrow('called off');
    expect(await storedRows(harness, 'called_off')).toEqual([]);
  });

  test('a dry run reports the same as the real import, and leaves nothing', async () => {
    await harness.createTables([strict('dry')]);
    await harness.insertRows('dry', [{ id: 1, n: 1, code: 'c1' }]);
    const rows: FileRows[] = [['dry', [validRow(1), validRow(2), { ...validRow(3), n: -1 }]]];
    const options = { onConflict: 'update', onError: 'skip' } as const;
    const dry = await loadFile(rows, { ...options, dryRun: true });
    expect(countsOf(dry, 'dry')).toEqual([1, 1, 1]);
    expect(await storedRows(harness, 'dry')).toHaveLength(1);
    const real = await loadFile(rows, options);
    expect(real.report).toEqual(dry.report);
    expect(real.errors).toEqual(dry.errors);
    expect(await storedRows(harness, 'dry')).toHaveLength(2);
  });

  test('a foreign key without a match ends the import with its row, also in a dry run', async () => {
    await harness.createTables([
      tableWithId('authors', []),
      tableWithId('books', [columnOf('author_id', bigint)], {
        foreignKeys: [foreignKeyTo('authors', ['author_id'])],
      }),
    ]);
    const books = rowsOf(500, (i) => ({ id: i, author_id: i === 300 ? 99 : 1 }));
    for (const dryRun of [true, false]) {
      expect(
        await failureOf(
          loadFile(
            [
              ['authors', [{ id: 1 }]],
              ['books', books],
            ],
            { dryRun },
          ),
        ),
      ).toMatchObject({
        code: 'import_failed',
        errors: [{ code: 'foreign_key_violation', table: 'books', row: 300, line: 301 }],
      });
      expect(await storedRows(harness, 'authors')).toEqual([]);
    }
  });

  test('a row whose foreign key has no match is skipped', async () => {
    await harness.createTables([
      tableWithId('owners', []),
      tableWithId('cars', [columnOf('owner_id', bigint)], {
        foreignKeys: [foreignKeyTo('owners', ['owner_id'])],
      }),
    ]);
    const cars = [
      { id: 1, owner_id: 1 },
      { id: 2, owner_id: 99 },
      { id: 3, owner_id: 1 },
    ];
    const pendingLoad = await loadFile(
      [
        ['owners', [{ id: 1 }]],
        ['cars', cars],
      ],
      { onError: 'skip' },
    );
    expect(countsOf(pendingLoad, 'cars')).toEqual([2, 0, 1]);
    expect(pendingLoad.errors).toMatchObject([{ code: 'foreign_key_violation', row: 2 }]);
    expect((await storedRows(harness, 'cars')).map(({ id }) => id)).toEqual([1, 3]);
  });
});
