import { expect, test } from 'vitest';
import { failureOf, idsOf, describeOnEachDatabase } from './harness.ts';
import { columnOf, int, name, tableWithId, optional, tableOf } from './tables.ts';

const asc = (column: string) => ({ column, descending: false });
const desc = (column: string) => ({ column, descending: true });

describeOnEachDatabase('sorting', (harness) => {
  test('puts NULLs last in both directions', async () => {
    await harness.createTables([tableWithId('gaps', [optional('n', int), optional('t', name)])]);
    await harness.insertRows('gaps', [
      { id: 1, n: null, t: 'b' },
      { id: 2, n: 2, t: null },
      { id: 3, n: -1, t: 'a' },
      { id: 4, n: null, t: null },
      { id: 5, n: 0, t: '' },
    ]);
    expect(idsOf(await harness.list('gaps', { sort: [asc('n')] }))).toEqual([3, 5, 2, 1, 4]);
    expect(idsOf(await harness.list('gaps', { sort: [desc('n')] }))).toEqual([2, 5, 3, 4, 1]);
    expect(idsOf(await harness.list('gaps', { sort: [asc('t')] }))).toEqual([5, 3, 1, 2, 4]);
    expect(idsOf(await harness.list('gaps', { sort: [desc('t')] }))).toEqual([1, 3, 5, 4, 2]);
  });

  test('accepts several columns, each with its direction', async () => {
    await harness.createTables([tableWithId('several', [optional('a', int), optional('b', int)])]);
    const pairs = [
      [1, 1],
      [1, null],
      [2, 5],
      [1, 3],
      [null, 1],
      [2, null],
      [null, null],
    ];
    await harness.insertRows(
      'several',
      pairs.map(([a = null, b = null]) => ({ a, b })),
    );
    expect(idsOf(await harness.list('several', { sort: [asc('a'), desc('b')] }))).toEqual([
      4, 1, 2, 3, 6, 5, 7,
    ]);
    expect(idsOf(await harness.list('several', { sort: [desc('a'), asc('b')] }))).toEqual([
      3, 6, 1, 4, 2, 5, 7,
    ]);
    expect(idsOf(await harness.list('several', { sort: [desc('a'), desc('b')] }))).toEqual([
      3, 6, 4, 1, 2, 5, 7,
    ]);
  });

  test('compares values, not their text', async () => {
    await harness.createTables([
      tableWithId('values_sorted', [
        columnOf('n', { kind: 'decimal', precision: 12, scale: 3 }),
        columnOf('flag', { kind: 'boolean' }),
      ]),
    ]);
    await harness.insertRows('values_sorted', [
      { id: 1, n: 10, flag: true },
      { id: 2, n: 9.5, flag: false },
      { id: 3, n: -100, flag: true },
      { id: 4, n: 0.001, flag: false },
    ]);
    expect(idsOf(await harness.list('values_sorted', { sort: [asc('n')] }))).toEqual([3, 4, 2, 1]);
    expect(idsOf(await harness.list('values_sorted', { sort: [desc('flag'), asc('n')] }))).toEqual([
      3, 1, 4, 2,
    ]);
  });

  test('accepts a column of every kind', async () => {
    const kinds = {
      a_json: { kind: 'json' },
      a_binary: { kind: 'binary' },
      an_enum: { kind: 'enum', values: ['x', 'y'] },
      a_uuid: { kind: 'uuid' },
      a_date: { kind: 'date' },
      a_time: { kind: 'time' },
      a_zoned: { kind: 'timestamp', zone: true },
      a_text: { kind: 'text' },
    } as const;
    await harness.createTables([
      tableWithId(
        'kinds_sorted',
        Object.entries(kinds).map(([column, type]) => optional(column, type)),
      ),
    ]);
    await harness.insertRows('kinds_sorted', [{ id: 1 }, { id: 2 }]);
    for (const column of Object.keys(kinds)) {
      for (const descending of [false, true]) {
        const page = await harness.list('kinds_sorted', { sort: [{ column, descending }] });
        expect(idsOf(page).toSorted(), column).toEqual([1, 2]);
      }
    }
  });

  test('by an unknown column is rejected with the nearest name', async () => {
    await harness.createTables([tableWithId('named', [columnOf('email', name)])]);
    expect(await failureOf(harness.list('named', { sort: [asc('emial')] }))).toMatchObject({
      code: 'unknown_column',
      nearest: 'email',
    });
    for (const column of ['', '*', '1', 'id; DROP TABLE named', 'id desc', '"id"', 'EMAIL--']) {
      expect(await failureOf(harness.list('named', { sort: [asc(column)] }))).toMatchObject({
        code: 'unknown_column',
      });
    }
  });

  test('by the key works in both directions, by pages and by cursors', async () => {
    const key = [columnOf('a', int), columnOf('b', name)];
    await harness.createTables([
      tableOf('keyed', key, { primaryKey: { columns: ['b', 'a'] } }),
      tableOf('keyless', [columnOf('n', int)]),
    ]);
    const rows = Array.from({ length: 23 }, (_, i) => ({ a: i % 5, b: `k${(i * 7) % 23}` }));
    await harness.insertRows('keyed', rows);
    await harness.insertRows(
      'keyless',
      rows.map((_, n) => ({ n })),
    );
    for (const table of ['keyed', 'keyless']) {
      const ascending = (await harness.list(table)).data;
      const query = { keyDescending: true, pageSize: 5 };
      const byPages = [];
      const byCursors = [];
      let cursor: string | undefined;
      for (let page = 1; page <= 5; page++) {
        byPages.push(...(await harness.list(table, { ...query, page })).data);
        const next = await harness.list(table, cursor === undefined ? query : { ...query, cursor });
        byCursors.push(...next.data);
        cursor = next.next_cursor;
      }
      expect(byPages).toEqual(ascending.toReversed());
      expect(byCursors).toEqual(byPages);
      const [first] = [await harness.list(table, { pageSize: 5 })];
      const mixed = harness.list(table, { ...query, cursor: first.next_cursor ?? '' });
      expect(await failureOf(mixed)).toMatchObject({ code: 'invalid_parameter' });
    }
  });

  test('uses the first mention of a column that is named twice', async () => {
    await harness.createTables([tableWithId('twice', [columnOf('n', int)])]);
    await harness.insertRows('twice', [{ n: 1 }, { n: 2 }]);
    expect(idsOf(await harness.list('twice', { sort: [desc('n'), asc('n')] }))).toEqual([2, 1]);
  });
});
