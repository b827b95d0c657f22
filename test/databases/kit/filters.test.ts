import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failureOf, idsOf, describeOnEachDatabase } from './harness.ts';
import { bigint, columnOf, int, name, tableWithId, optional } from './tables.ts';
import type { Harness } from './harness.ts';

type Filter = readonly [name: string, value: string];

const rows = [
  {
    id: 1,
    n: 1,
    big: 9007199254740993n,
    price: 10.5,
    ratio: 0.1,
    flag: true,
    t: 'Apple',
    day: '2026-01-31',
    at: '2026-01-31 13:05:00',
    uid: '00000000-0000-4000-8000-000000000001',
    mood: 'glad',
  },
  {
    id: 2,
    n: 2,
    big: 9007199254740992n,
    price: -3,
    ratio: 1e300,
    flag: false,
    t: 'apple pie',
    day: '2026-02-01',
    at: '2026-02-01 00:00:00',
    uid: '00000000-0000-4000-8000-000000000002',
    mood: 'sad',
  },
  {
    id: 3,
    n: null,
    big: null,
    price: null,
    ratio: null,
    flag: null,
    t: null,
    day: null,
    at: null,
    uid: null,
    mood: null,
  },
  {
    id: 4,
    n: -5,
    big: -(2n ** 63n),
    price: 0,
    ratio: -0.5,
    flag: true,
    t: '100% _real_',
    day: '1999-12-31',
    at: '1999-12-31 23:59:59',
    uid: '00000000-0000-4000-8000-000000000004',
    mood: 'glad',
  },
  {
    id: 5,
    n: 100,
    big: 2n ** 63n - 1n,
    price: 99999.99,
    ratio: 2,
    flag: false,
    t: '',
    day: '2026-01-31',
    at: '2026-01-31 13:05:01',
    uid: '00000000-0000-4000-8000-000000000005',
    mood: 'sad',
  },
  {
    id: 6,
    n: 1,
    big: 0n,
    price: 10.5,
    ratio: 0.1,
    flag: true,
    t: String.raw`back\slash [x]`,
    day: '2026-03-01',
    at: '2026-03-01 08:00:00',
    uid: '00000000-0000-4000-8000-000000000006',
    mood: 'glad',
  },
];

const matches: readonly (readonly [
  title: string,
  filters: readonly Filter[],
  ids: readonly number[],
])[] = [
  ['an integer', [['n', '1']], [1, 6]],
  ['a negative integer', [['n', '-5']], [4]],
  ['an integer beyond 2^53, exactly', [['big', '9007199254740993']], [1]],
  ['the smallest integer', [['big', '-9223372036854775808']], [4]],
  ['the largest integer', [['big__gte', '9223372036854775807']], [5]],
  ['a decimal by value', [['price', '10.500']], [1, 6]],
  ['a float', [['ratio', '0.1']], [1, 6]],
  ['a float with an exponent', [['ratio', '1e300']], [2]],
  ['true', [['flag', 'true']], [1, 4, 6]],
  ['false as 0', [['flag', '0']], [2, 5]],
  ['the empty text', [['t', '']], [5]],
  ['a date', [['day', '2026-01-31']], [1, 5]],
  ['a uuid', [['uid', '00000000-0000-4000-8000-000000000002']], [2]],
  ['an enum', [['mood', 'sad']], [2, 5]],
  ['eq with a percent sign', [['t__eq', '100% _real_']], [4]],
  ['ne without NULL', [['n__ne', '1']], [2, 4, 5]],
  ['gt', [['n__gt', '1']], [2, 5]],
  ['gte', [['n__gte', '1']], [1, 2, 5, 6]],
  ['lt', [['price__lt', '0']], [2]],
  ['lte', [['price__lte', '0']], [2, 4]],
  [
    'a range',
    [
      ['day__gte', '2026-01-01'],
      ['day__lt', '2026-02-01'],
    ],
    [1, 5],
  ],
  ['in, as JSON', [['n__in', '[1, 100]']], [1, 5, 6]],
  [
    'in, repeated',
    [
      ['n__in', '2'],
      ['n__in', '100'],
    ],
    [2, 5],
  ],
  ['in with text', [['t__in', '["", "apple pie"]']], [2, 5]],
  ['in with nothing', [['n__in', '[]']], []],
  ['nin without NULL', [['n__nin', '[1, 100]']], [2, 4]],
  ['nin with nothing', [['n__nin', '[]']], [1, 2, 3, 4, 5, 6]],
  ['NULL', [['n__null', 'true']], [3]],
  ['not NULL', [['mood__null', 'false']], [1, 2, 4, 5, 6]],
  ['a percent sign at the end', [['t', 'apple %']], [2]],
  ['percent signs around', [['t', '%pie%']], [2]],
  ['an escaped percent sign', [['t', String.raw`100\%%`]], [4]],
  ['an underscore as wildcard', [['t', '%pi_%']], [2]],
  ['an escaped underscore', [['t', String.raw`%\_real\_%`]], [4]],
  ['an underscore without a percent sign', [['t', 'apple_pie']], []],
  ['an escaped backslash', [['t', String.raw`back\\slash%`]], [6]],
  ['a backslash without a percent sign', [['t', String.raw`back\slash [x]`]], [6]],
  ['brackets, literally', [['t', '%[x]%']], [6]],
  ['a pattern on a number', [['n', '1%']], [1, 5, 6]],
  ['a pattern on a date', [['day', '2026-01%']], [1, 5]],
  ['like', [['t__like', 'apple pi_']], [2]],
  ['ilike', [['t__ilike', 'APPLE%']], [1, 2]],
  ['contains, literally', [['t__contains', '% _']], [4]],
  ['contains, whatever the case', [['t__contains', 'PPLE']], [1, 2]],
  ['starts', [['t__starts', 'apple ']], [2]],
  ['ends', [['t__ends', 'PIE']], [2]],
  ['starts with a backslash in it', [['t__starts', String.raw`back\s`]], [6]],
  [
    'several columns',
    [
      ['flag', 'true'],
      ['mood', 'glad'],
      ['n', '1'],
    ],
    [1, 6],
  ],
  [
    'the same column repeatedly',
    [
      ['n__gt', '0'],
      ['n__gt', '1'],
    ],
    [2, 5],
  ],
];

const rejectedFilters: readonly (readonly [title: string, filter: Filter])[] = [
  ['text for an integer', ['n', 'abc']],
  ['the empty text for an integer', ['n', '']],
  ['a fraction for an integer', ['n', '1.5']],
  ['an integer of 65 bits', ['big', '99999999999999999999999']],
  ['SQL for an integer', ['n', '1 OR 1=1']],
  ['text for a decimal', ['price', 'ten']],
  ['text for a float', ['ratio', '0x10']],
  ['a word for a boolean', ['flag', 'maybe']],
  ['text for a date', ['day', 'some day']],
  ['text for a timestamp', ['at', 'soon']],
  ['text for a uuid', ['uid', 'abc']],
  ['an enum without that value', ['mood', 'furious']],
  ['a comparison with text', ['n__gt', 'abc']],
  ['a list with text', ['n__in', '[1, "abc"]']],
  ['a list that is no JSON', ['n__in', '[1, ']],
  ['a list of objects', ['n__in', '[{}]']],
  ['null with a word', ['n__null', 'yes']],
  ['an unknown operator', ['n__near', '1']],
];

async function filtered(harness: Harness, filters: readonly Filter[]): Promise<readonly unknown[]> {
  return idsOf(
    await harness.list('filtered', {
      filters: filters.map(([column, value]) => ({ name: column, value })),
    }),
  );
}

/** A filter, and the native condition for the same rows. */
type FilterWithCondition = readonly [name: string, value: string, condition: string];

const filtersWithConditions: readonly FilterWithCondition[] = [
  ['n__eq', '1', 'n = 1'],
  ['n__ne', '1', 'n <> 1'],
  ['n__gt', '1', 'n > 1'],
  ['n__null', 'true', 'n IS NULL'],
  ['n__null', 'false', 'n IS NOT NULL'],
  ['n__in', '[1, 100]', 'n IN (1, 100)'],
  ['id__nin', '[1, 2, 3]', 'id NOT IN (1, 2, 3)'],
  ['id__nin', '[3, 6]', 'id NOT IN (3, 6)'],
  ['big__lte', '0', 'big <= 0'],
  ['price__lt', '10.5', 'price < 10.5'],
  ['t__contains', 'pple', "t LIKE '%pple%'"],
  ['t__starts', '100', "t LIKE '100%'"],
  ['day__gte', '2026-02-01', "day >= '2026-02-01'"],
  ['mood__eq', 'sad', "mood = 'sad'"],
];

const someFilters = fc.array(fc.constantFrom(...filtersWithConditions), {
  minLength: 1,
  maxLength: 4,
});

function parametersOf(filters: readonly FilterWithCondition[]) {
  return filters.map(([column, value]) => ({ name: column, value }));
}

describeOnEachDatabase('filters', (harness) => {
  harness.beforeTests(async () => {
    const columns = [
      optional('n', int),
      optional('big', bigint),
      optional('price', { kind: 'decimal', precision: 12, scale: 2 }),
      optional('ratio', { kind: 'float', bits: 64 }),
      optional('flag', { kind: 'boolean' }),
      optional('t', name),
      optional('day', { kind: 'date' }),
      optional('at', { kind: 'timestamp', precision: 0 }),
      optional('uid', { kind: 'uuid' }),
      optional('mood', { kind: 'enum', name: 'mood', values: ['glad', 'sad'] }),
    ];
    await harness.createTables([tableWithId('filtered', columns)]);
    await harness.insertRows('filtered', rows);
  });

  describe('find rows', () => {
    test.each(matches)('%s', async (_title, filters, ids) => {
      expect(await filtered(harness, filters)).toEqual(ids);
    });
  });

  test('find the rows that the database finds, with alternatives, by pages and as a total', async () => {
    const query = fc.record({
      all: fc.array(fc.constantFrom(...filtersWithConditions), { maxLength: 3 }),
      any: fc.array(someFilters, { minLength: 1, maxLength: 3 }),
      pageSize: fc.integer({ min: 1, max: 4 }),
      sort: fc.constantFrom('id', 'n', 't', 'price'),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ all, any, pageSize, sort }) => {
        const conditions = [
          ...all.map(([, , condition]) => condition),
          ...any.map((group) => `(${group.map(([, , condition]) => condition).join(' OR ')})`),
        ];
        const where = conditions.join(' AND ');
        const found = await harness.database.query(
          `SELECT id FROM filtered WHERE ${where} ORDER BY id`,
        );
        const filters = [
          ...parametersOf(all),
          ...any.map((group) => ({ any: parametersOf(group) })),
        ];
        const ids: number[] = [];
        let cursor: string | undefined;
        do {
          const page = await harness.list('filtered', {
            ...{ filters, pageSize, sort: [{ column: sort, descending: true }] },
            ...(cursor === undefined ? {} : { cursor }),
          });
          expect(page.total).toBe(found.length);
          ids.push(...page.data.map(({ id }) => Number(id)));
          cursor = page.next_cursor;
        } while (cursor !== undefined && ids.length < 20);
        expect(ids.toSorted((a, b) => a - b)).toEqual(found.map(([id]) => Number(id)));
      }),
      { numRuns: 60 },
    );
  });

  test('count the rows that they find', async () => {
    const filters = [{ name: 'flag', value: 'true' }];
    expect(await harness.list('filtered', { filters, pageSize: 1 })).toMatchObject({ total: 3 });
  });

  test('accept a timestamp with a space', async () => {
    expect(await filtered(harness, [['at__gte', '2026-01-31 13:05:01']])).toEqual([2, 5, 6]);
  });

  test('accept a timestamp with a T', async () => {
    expect(await filtered(harness, [['at', '2026-01-31T13:05:00']])).toEqual([1]);
  });

  describe('are rejected', () => {
    test.each(rejectedFilters)('%s', async (_title, filter) => {
      expect(await failureOf(filtered(harness, [filter]))).toMatchObject({
        code: 'invalid_parameter',
      });
    });

    test.each(['prise', 'prise__gt', '', 'n ', '__gt', 'n; DROP TABLE filtered', '"n"', 'n__'])(
      'the unknown column "%s"',
      async (column) => {
        const { code } = await failureOf(filtered(harness, [[column, '1']]));
        expect(['unknown_column', 'invalid_parameter']).toContain(code);
      },
    );

    test('on an unknown column suggest the nearest name', async () => {
      expect(await failureOf(filtered(harness, [['prise', '1']]))).toMatchObject({
        code: 'unknown_column',
        nearest: 'price',
      });
    });
  });

  test('accept a column whose name ends like an operator', async () => {
    await harness.createTables([
      tableWithId('operators', [columnOf('n', int), columnOf('n__gt', int)]),
    ]);
    await harness.insertRows('operators', [
      { n: 1, n__gt: 5 },
      { n: 5, n__gt: 1 },
    ]);
    const list = async (filter: string, value: string) =>
      idsOf(await harness.list('operators', { filters: [{ name: filter, value }] }));
    expect(await list('n__gt', '1')).toEqual([2]);
    expect(await list('n__gt__gt', '1')).toEqual([1]);
  });

  test('compare JSON and binary without failing', async () => {
    await harness.createTables([
      tableWithId('odd_kinds', [
        optional('j', { kind: 'json' }),
        optional('b', { kind: 'binary' }),
      ]),
    ]);
    await harness.insertRows('odd_kinds', [
      { j: '{"a":1}', b: Buffer.from('abc') },
      { j: null, b: null },
    ]);
    const list = async (filter: string, value: string) =>
      idsOf(await harness.list('odd_kinds', { filters: [{ name: filter, value }] }));
    expect(await list('j', '{"a":1}')).toEqual([1]);
    expect(await list('j', '%"a"%')).toEqual([1]);
    expect(await list('j__null', 'true')).toEqual([2]);
    expect(await list('b', Buffer.from('abc').toString('base64url'))).toEqual([1]);
    expect(await list('b__null', 'true')).toEqual([2]);
  });
});
