/** Loading rows into tables: defaults, generated columns, counters, triggers, and values unchanged. */
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/demo/random.ts';
import { describeOnEachDatabase, rowOf } from './harness.ts';
import { countsOf, load, rowsOf, storedRows, withoutId } from './loading.ts';
import {
  bigint,
  columnOf,
  int,
  jsonOf,
  foreignKeyTo,
  name,
  tableWithId,
  optional,
  tableOf,
} from './tables.ts';
import type { Value } from '../../../src/model/values.ts';
import type { FileRows, LoadResult, LoadTestOptions, ValueRow } from './loading.ts';
import type { DatabaseUnderTest } from './database-under-test.ts';

describeOnEachDatabase('loading tables', (harness) => {
  const loadFile = (rows: readonly FileRows[], options?: LoadTestOptions): Promise<LoadResult> =>
    load(harness.database.url, rows, options);

  test('without rows', async () => {
    await harness.createTables([tableWithId('none', [])]);
    expect(countsOf(await loadFile([['none', []]]), 'none')).toEqual([0, 0, 0]);
    expect((await loadFile([])).report.tables.size).toBe(0);
  });

  test('of defaults only', async () => {
    await harness.createTables([tableWithId('blank', [columnOf('n', int, { default: '3' })])]);
    expect(countsOf(await loadFile([['blank', [{}, {}, {}]]]), 'blank')).toEqual([3, 0, 0]);
    expect((await storedRows(harness, 'blank')).map(({ n }) => n)).toEqual([3, 3, 3]);
  });

  test('use the defaults of columns that the file does not have', async () => {
    await harness.createTables([
      tableWithId('partly', [
        columnOf('n', int, { default: '7' }),
        optional('t', name),
        columnOf('m', int),
      ]),
    ]);
    const chunks: FileRows[] = [
      ['partly', [{ m: 1 }, { m: 2 }]],
      ['partly', [{ t: 'x', m: 3 }]],
    ];
    await loadFile(chunks);
    expect((await storedRows(harness, 'partly', 'm')).map(withoutId)).toEqual([
      { n: 7, t: null, m: 1 },
      { n: 7, t: null, m: 2 },
      { n: 7, t: 'x', m: 3 },
    ]);
  });

  test('leave generated columns to the database', async () => {
    await harness.createTables([
      tableWithId('sums', [
        columnOf('n', int),
        optional('g', int),
        columnOf('twice', int, {
          nullable: true,
          generated: { expression: 'n * 2', stored: true },
        }),
      ]),
    ]);
    await loadFile([['sums', [{ id: 1, twice: 99, n: 4, g: 5 }]]]);
    expect(await storedRows(harness, 'sums')).toEqual([{ id: 1, n: 4, g: 5, twice: 8 }]);
    await loadFile([['sums', [{ id: 1, twice: 99, n: 5 }]]], { onConflict: 'update' });
    expect(await storedRows(harness, 'sums')).toEqual([{ id: 1, n: 5, g: 5, twice: 10 }]);
  });

  describe('auto-increment values', () => {
    test('continue after those of the file, and never go back', async () => {
      await harness.createTables([tableWithId('counted', [columnOf('n', int)])]);
      await loadFile([
        [
          'counted',
          [
            { id: 40, n: 1 },
            { id: 12, n: 2 },
          ],
        ],
      ]);
      await loadFile([['counted', [{ n: 3 }]]]);
      await loadFile([['counted', [{ id: 3, n: 4 }]]]);
      await loadFile([['counted', [{ n: 5 }]]]);
      const [, , third, , fifth] = (await storedRows(harness, 'counted', 'n')).map(({ id }) =>
        Number(id),
      );
      expect(third).toBeGreaterThan(40);
      expect(fifth).toBeGreaterThan(third!);
    });

    test('are generated if the file has none', async () => {
      await harness.createTables([tableWithId('given', [columnOf('n', int)])]);
      await loadFile([['given', [{ n: 1 }, { n: 2 }]]]);
      await loadFile([['given', [{ id: 100, n: 3 }]]]);
      await loadFile([['given', [{ n: 4 }]]]);
      const ids = (await storedRows(harness, 'given', 'n')).map(({ id }) => Number(id));
      expect(new Set(ids).size).toBe(4);
      expect(ids[3]).toBeGreaterThan(100);
    });

    test('can be 0 and negative', async () => {
      await harness.createTables([tableWithId('low', [columnOf('n', int)])]);
      await loadFile([
        [
          'low',
          [
            { id: 0, n: 1 },
            { id: -5, n: 2 },
          ],
        ],
      ]);
      expect((await storedRows(harness, 'low', 'n')).map(({ id }) => id)).toEqual([0, -5]);
      await loadFile([['low', [{ n: 3 }]]]);
      expect(Number((await storedRows(harness, 'low', 'n'))[2]?.['id'])).toBeGreaterThan(0);
    });
  });

  test('without a key accept any row', async () => {
    await harness.createTables([tableOf('heap', [columnOf('n', int), optional('t', name)])]);
    const rows = [
      { n: 1, t: 'a' },
      { n: 1, t: 'a' },
      { n: 2, t: null },
    ];
    for (const onConflict of ['error', 'skip', 'update'] as const)
      expect(countsOf(await loadFile([['heap', rows]], { onConflict }), 'heap')).toEqual([3, 0, 0]);
    expect(await storedRows(harness, 'heap', 'n')).toHaveLength(9);
  });

  describe('store values unchanged', () => {
    const kinds = [
      tableWithId('kinds', [
        optional('i', bigint),
        optional('d', { kind: 'decimal', precision: 20, scale: 4 }),
        optional('f', { kind: 'float', bits: 64 }),
        optional('t', { kind: 'text' }),
        optional('b', { kind: 'binary' }),
        optional('at', { kind: 'timestamp', precision: 6 }),
        optional('day', { kind: 'date' }),
        optional('yes', { kind: 'boolean' }),
        optional('j', { kind: 'json' }),
      ]),
    ];
    const extremes: readonly ValueRow[] = [
      {
        id: 1,
        i: null,
        d: null,
        f: null,
        t: null,
        b: null,
        at: null,
        day: null,
        yes: null,
        j: null,
      },
      {
        id: 2,
        i: 9007199254740993n,
        d: '12345.6789',
        f: 0.1,
        t: '',
        b: Buffer.alloc(0),
        at: '2026-01-31T13:05:00.25',
        day: '2026-01-31',
        yes: true,
        j: '{"a":[1,null]}',
      },
      {
        id: 3,
        i: -1n,
        d: '-0.0001',
        f: -1e300,
        t: 'a\tb\nc\r\nd\\N\\.\\',
        b: Buffer.from([0, 255, 92, 10, 39]),
        at: '1999-12-31T23:59:59.999999',
        day: '0999-01-01',
        yes: false,
        j: '["\\\\"]',
      },
      {
        id: 4,
        i: 0n,
        d: '1000',
        f: 5,
        t: `'; DROP TABLE kinds; -- " \` ]`,
        b: Buffer.from('\\x41'),
        at: '2026-06-01T00:00:00',
        day: '9999-12-31',
        yes: true,
        j: '[]',
      },
      {
        id: 5,
        i: 1n,
        d: '0.5',
        f: 1.7976931348623157e308,
        t: '\\',
        b: Buffer.from('\\N'),
        at: '2026-06-01T00:00:00',
        day: '2000-02-29',
        yes: false,
        j: '{"t":"\\u00e9\\n"}',
      },
      {
        id: 6,
        i: 2n,
        d: '2',
        f: 2,
        t: '日本語 😀 \u200f\u0301 \u0001',
        b: Buffer.from('é'),
        at: '2026-06-01T00:00:00',
        day: '2000-02-29',
        yes: false,
        j: '{"😀":"日"}',
      },
    ];

    test.each(['error', 'skip', 'update'] as const)(
      'in each way of loading (%s)',
      async (onConflict) => {
        await harness.createTables(
          kinds.map((table) => ({
            ...table,
            name: `kinds_${onConflict}`,
            localName: `kinds_${onConflict}`,
          })),
        );
        const values: ValueRow[] = extremes.map((row) => ({
          ...row,
          d:
            harness.underTest.name === 'sqlite' && row['d'] !== null ? Number(row['d']) : row['d']!,
        }));
        if (onConflict === 'update')
          await loadFile([[`kinds_${onConflict}`, values.map((row) => ({ id: row['id']! }))]]);
        await loadFile([[`kinds_${onConflict}`, values]], { onConflict });
        for (const { id, ...row } of extremes) {
          const createResponse = await harness.create(
            `kinds_${onConflict}`,
            bodyOf(row, harness.underTest),
          );
          const { id: _, ...created } = rowOf(createResponse);
          const { id: __, ...loaded } = rowOf(await harness.get(`kinds_${onConflict}`, String(id)));
          expect(loaded, `row ${String(id)}`).toEqual(created);
        }
      },
    );
  });

  test('of a thousand random texts', async () => {
    await harness.createTables([tableWithId('texts', [columnOf('t', { kind: 'text' })])]);
    const random = createRandom('texts');
    const markers = [
      '\\',
      '\t',
      '\n',
      '\r',
      "'",
      '"',
      'N',
      '.',
      ',',
      '😀',
      'é',
      ' ',
      '\u0000'.slice(1),
      '$1',
      '?',
      '@p1',
    ];
    const text = (): string =>
      Array.from({ length: random.int(0, 12) }, () => random.pick(markers)).join('');
    const rows = rowsOf(1000, (i) => ({ id: i, t: text() }));
    await loadFile([['texts', rows]]);
    const found = [...(await storedRows(harness, 'texts'))];
    expect(found).toEqual(rows.slice(0, 500));
  });

  test('of a row that is larger than most statements', async () => {
    await harness.createTables([tableWithId('large', [columnOf('t', { kind: 'text' })])]);
    const rows = rowsOf(12, (i) => ({ id: i, t: String.fromCharCode(96 + i).repeat(1_000_000) }));
    await loadFile([['large', rows]]);
    expect((await harness.sql('SELECT COUNT(*) AS n FROM large')).rows).toEqual([{ n: 12 }]);
  });

  describe('triggers', () => {
    test('that suppress rows are reported', async () => {
      await harness.createTables([tableWithId('gate', [columnOf('n', int)])]);
      await harness.database.run(harness.underTest.ignoreWrites('INSERT', 'gate'));
      const pendingLoad = await loadFile([
        [
          'gate',
          [
            { id: 1, n: 1 },
            { id: 2, n: 2 },
          ],
        ],
      ]);
      expect(countsOf(pendingLoad, 'gate')).toEqual([0, 0, 2]);
      expect(pendingLoad.report.warnings).toEqual([
        'A trigger or rule of table "gate" kept 2 rows from being written.',
      ]);
    });

    test('fire for each row', async () => {
      const { underTest } = harness;
      await harness.createTables([
        tableWithId('fired', [columnOf('n', int)]),
        tableWithId('notes', [optional('n', int)]),
      ]);
      await harness.database.run(triggers[underTest.name]!);
      const pendingLoad = await loadFile([['fired', rowsOf(30, (i) => ({ id: i, n: i }))]]);
      expect(countsOf(pendingLoad, 'fired')).toEqual([30, 0, 0]);
      expect(
        (await harness.sql('SELECT COUNT(*) AS n, SUM(n) AS s FROM notes')).rows.map(({ n, s }) => [
          n,
          Number(s),
        ]),
      ).toEqual([[30, 465]]);
    });
  });

  test('foreign keys can reference rows of defaults', async () => {
    await harness.createTables([
      tableWithId('roots', []),
      tableWithId('leaves', [optional('root_id', bigint)], {
        foreignKeys: [foreignKeyTo('roots', ['root_id'])],
      }),
    ]);
    await loadFile([
      ['leaves', [{ id: 1, root_id: 1 }]],
      ['roots', [{}]],
    ]);
    expect(await storedRows(harness, 'leaves')).toEqual([{ id: 1, root_id: 1 }]);
  });
});

function bodyOf(row: ValueRow, underTest: DatabaseUnderTest): string {
  const members = Object.entries(row).map(
    ([key, value]) => `${JSON.stringify(key)}:${memberOf(key, value, underTest)}`,
  );
  return `{${members.join()}}`;
}

function memberOf(key: string, value: Value, underTest: DatabaseUnderTest): string {
  if (key === 'j' && typeof value === 'string') return jsonOf(value, underTest);
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array
    ? JSON.stringify({ $base64: Buffer.from(value).toString('base64') })
    : JSON.stringify(value);
}

/** Triggers that log every row of `fired`. */
const triggers: Readonly<Record<string, string>> = {
  sqlite:
    'CREATE TRIGGER fire AFTER INSERT ON fired BEGIN INSERT INTO notes (n) VALUES (NEW.n); END',
  mysql:
    'CREATE TRIGGER fire AFTER INSERT ON fired FOR EACH ROW INSERT INTO notes (n) VALUES (NEW.n)',
  postgres: `
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO notes (n) VALUES (NEW.n); RETURN NULL; END';
    CREATE TRIGGER fire AFTER INSERT ON fired FOR EACH ROW EXECUTE FUNCTION note()`,
  sqlserver:
    'CREATE TRIGGER fire ON fired AFTER INSERT AS INSERT INTO notes (n) SELECT n FROM inserted',
};
