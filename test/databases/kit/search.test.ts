import { expect, test } from 'vitest';
import { idsOf, describeOnEachDatabase } from './harness.ts';
import { columnOf, int, name, tableWithId, optional } from './tables.ts';

const texts = [
  'Grüße aus Köln',
  'GRÜSSE',
  '100% sure',
  'under_score',
  String.raw`back\slash`,
  "o'clock",
  'Ünïcode ΑΘΗΝΑ',
  '名前 😀 tail',
  '[a-z]',
];

const findings: readonly (readonly [term: string, ids: readonly number[]])[] = [
  ['köln', [1]],
  ['KÖLN', [1]],
  ['grü', [1, 2]],
  ['%', [3]],
  ['0% s', [3]],
  ['_', [4]],
  ['r_s', [4]],
  ['\\', [5]],
  [String.raw`k\s`, [5]],
  ["'", [6]],
  ["O'CLOCK", [6]],
  ['αθηνα', [7]],
  ['ünï', [7]],
  ['名', [8]],
  ['😀', [8]],
  ['[a-z]', [9]],
  ['[', [9]],
  ['nothing like it', []],
  ["' OR 1=1 --", []],
];

describeOnEachDatabase('search', (harness) => {
  harness.beforeTests(async () => {
    await harness.createTables([
      tableWithId('searched', [
        optional('t', { kind: 'text' }),
        optional('other', name),
        columnOf('n', int),
      ]),
    ]);
    await harness.insertRows(
      'searched',
      texts.map((t, i) => ({ t, other: null, n: i })),
    );
    await harness.insertRows('searched', [{ t: null, other: 'Zebra', n: 100 }]);
  });

  test.each(findings)('finds %s', async (search, ids) => {
    expect(idsOf(await harness.list('searched', { search }))).toEqual(ids);
  });

  test('searches every text column and no number column', async () => {
    expect(idsOf(await harness.list('searched', { search: 'zebra' }))).toEqual([10]);
    expect(idsOf(await harness.list('searched', { search: '100' }))).toEqual([3]);
  });

  test('applies after the filters', async () => {
    const filters = [{ name: 'n__gt', value: '0' }];
    expect(await harness.list('searched', { search: 'grü', filters })).toMatchObject({
      total: 1,
      data: [{ id: 2 }],
    });
    expect(
      idsOf(
        await harness.list('searched', {
          search: 'e',
          filters,
          sort: [{ column: 'n', descending: true }],
          pageSize: 2,
        }),
      ),
    ).toEqual([10, 7]);
  });

  test('for an empty term changes nothing', async () => {
    expect(await harness.list('searched', { search: '' })).toMatchObject({ total: 10 });
  });

  test('finds nothing in a table without text columns', async () => {
    await harness.createTables([tableWithId('numbers_only', [columnOf('n', int)])]);
    await harness.insertRows('numbers_only', [{ n: 1 }]);
    expect(await harness.list('numbers_only', { search: '1' })).toMatchObject({
      total: 0,
      data: [],
    });
  });
});
