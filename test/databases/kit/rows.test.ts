import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failureOf, idsOf, describeOnEachDatabase } from './harness.ts';
import { bigint, columnOf, int, name, tableWithId, optional, tableOf } from './tables.ts';
import type { Harness, JsonRow } from './harness.ts';
import type { ListQuery } from '../../../src/studio/rows/read/page-plan.ts';

const range = (length: number): readonly number[] => Array.from({ length }, (_, i) => i + 1);

type Sort = ListQuery['sort'];

/** All pages of a list by cursors. */
async function walk(
  harness: Harness,
  table: string,
  query: Partial<ListQuery>,
): Promise<readonly JsonRow[]> {
  const rows: JsonRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await harness.list(table, {
      ...query,
      ...(cursor === undefined ? {} : { cursor }),
    });
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return rows;
}

describeOnEachDatabase('rows', (harness) => {
  test('are listed with their total and the actual page', async () => {
    await harness.createTables([tableWithId('plain', [columnOf('label', name)])]);
    await harness.insertRows(
      'plain',
      range(7).map((n) => ({ label: `row ${n}` })),
    );
    expect(await harness.list('plain', { page: 2, pageSize: 3 })).toEqual({
      data: [
        { id: 4, label: 'row 4' },
        { id: 5, label: 'row 5' },
        { id: 6, label: 'row 6' },
      ],
      total: 7,
      page: 2,
      page_size: 3,
      next_cursor: expect.any(String) as string,
    });
  });

  test('have no cursor on the last page, and a page after it is empty', async () => {
    await harness.createTables([tableWithId('few', [])]);
    await harness.insertRows(
      'few',
      range(4).map((id) => ({ id })),
    );
    const last = await harness.list('few', { page: 2, pageSize: 2 });
    expect(idsOf(last)).toEqual([3, 4]);
    expect(last).not.toHaveProperty('next_cursor');
    expect(await harness.list('few', { page: 9, pageSize: 2 })).toEqual({
      data: [],
      total: 4,
      page: 9,
      page_size: 2,
    });
  });

  test('of an empty table are none', async () => {
    await harness.createTables([tableWithId('empty', [])]);
    expect(await harness.list('empty')).toEqual({ data: [], total: 0, page: 1, page_size: 50 });
  });

  test('of a view are listed, and have no id', async () => {
    const base = tableWithId('seen', [columnOf('label', name)]);
    const view = tableOf('seen_labels', [columnOf('label', name)], {
      kind: 'view',
      definition: 'SELECT label FROM seen',
    });
    await harness.createTables([base], [view]);
    await harness.insertRows('seen', [{ label: 'a' }, { label: 'b' }]);
    expect(
      (await harness.list('seen_labels', { sort: [{ column: 'label', descending: true }] })).data,
    ).toEqual([{ label: 'b' }, { label: 'a' }]);
    expect(await failureOf(harness.get('seen_labels', 'a'))).toMatchObject({
      code: 'no_row_identity',
    });
    expect(await failureOf(harness.create('seen_labels', { label: 'c' }))).toMatchObject({
      code: 'not_writable',
    });
  });

  test('are not counted unless requested', async () => {
    await harness.createTables([tableWithId('uncounted', [])]);
    await harness.insertRows('uncounted', [{ id: 1 }]);
    expect(await harness.list('uncounted', { count: 'none' })).toMatchObject({ total: null });
    expect(await harness.list('uncounted', { count: 'exact' })).toMatchObject({ total: 1 });
  });

  test('are counted again after every write', async () => {
    await harness.createTables([tableWithId('growing', [])]);
    for (const total of range(3)) {
      await harness.create('growing', {});
      expect(await harness.list('growing', { pageSize: 1 })).toMatchObject({ total });
    }
    await harness.database.run('DELETE FROM growing');
    expect(await harness.list('growing')).toMatchObject({ total: 0, data: [] });
  });

  test('of an unknown table are rejected with the nearest name', async () => {
    await harness.createTables([tableWithId('customers', [])]);
    expect(await failureOf(harness.list('custmers'))).toMatchObject({
      code: 'table_not_found',
      nearest: 'customers',
    });
  });

  test('of a table created by another client are available after a refresh', async () => {
    await harness.database.run('CREATE TABLE made_behind (id INTEGER NOT NULL PRIMARY KEY)');
    await harness.refresh();
    expect(await harness.list('made_behind')).toMatchObject({ total: 0 });
  });

  test('of a table changed by another client are listed with its current structure', async () => {
    await harness.createTables([tableWithId('changing', [columnOf('old_name', name)])]);
    await harness.insertRows('changing', [{ id: 1, old_name: 'x' }]);
    await harness.list('changing');
    await harness.database.run('ALTER TABLE changing RENAME COLUMN old_name TO new_name');
    expect((await harness.list('changing')).data).toEqual([{ id: 1, new_name: 'x' }]);
  });

  test('have the same order in pages as in one list', async () => {
    await harness.createTables([tableWithId('tied', [columnOf('same', int)])]);
    await harness.insertRows(
      'tied',
      range(40).map((id) => ({ id, same: id % 3 })),
    );
    for (const descending of [false, true]) {
      const sort: Sort = [{ column: 'same', descending }];
      const allIds = idsOf(await harness.list('tied', { sort }));
      const pages = [];
      for (const page of range(6))
        pages.push(...idsOf(await harness.list('tied', { sort, page, pageSize: 7 })));
      expect(pages).toEqual(allIds);
      expect(allIds).toEqual(allIds.toSorted((a, b) => order(Number(a), Number(b), descending)));
    }
  });

  test('of a late page are correct', async () => {
    await harness.createTables([tableWithId('deep', [columnOf('half', int)])]);
    await harness.insertRows(
      'deep',
      range(3000).map((id) => ({ id, half: Math.floor(id / 2) })),
    );
    expect(idsOf(await harness.list('deep', { page: 600, pageSize: 5 }))).toEqual([
      2996, 2997, 2998, 2999, 3000,
    ]);
    const sort: Sort = [{ column: 'half', descending: true }];
    expect(idsOf(await harness.list('deep', { page: 300, pageSize: 10, sort }))).toEqual([
      10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
  });

  test('without any key are each listed once', async () => {
    await harness.createTables([tableOf('keyless', [optional('a', int), optional('b', name)])]);
    await harness.insertRows(
      'keyless',
      range(9).map((n) => ({ a: n % 2 === 0 ? null : n, b: `b${n % 3}` })),
    );
    const rows = [];
    for (const page of range(3))
      rows.push(...(await harness.list('keyless', { page, pageSize: 4 })).data);
    expect(rows.map(({ a, b }) => `${String(a)}${String(b)}`).toSorted()).toEqual(
      range(9)
        .map((n) => `${n % 2 === 0 ? 'null' : n}b${n % 3}`)
        .toSorted(),
    );
    expect(
      await walk(harness, 'keyless', { pageSize: 2, sort: [{ column: 'a', descending: true }] }),
    ).toHaveLength(9);
  });

  describe('with cursors', () => {
    const columns = ['id', 'n', 't', 'f', 'd', 'b'];

    test('are each listed once, in the order of a single page, for every sort', async () => {
      await harness.createTables([
        tableWithId('walked', [
          optional('n', int),
          optional('t', name),
          optional('f', { kind: 'float', bits: 64 }),
          optional('d', { kind: 'timestamp' }),
          optional('b', bigint),
        ]),
      ]);
      await harness.insertRows(
        'walked',
        range(23).map((id) => ({
          id,
          n: id % 4 === 0 ? null : id % 3,
          t: id % 5 === 0 ? null : ['', 'a', "o'clock", 'z%', 'é'][id % 4]!,
          f: id % 6 === 0 ? null : id / 8,
          d: id % 7 === 0 ? null : `2026-01-0${(id % 9) + 1} 10:00:00.123456`,
          b: id % 3 === 0 ? null : 9007199254740990n + BigInt(id % 5),
        })),
      );
      for (const first of columns) {
        for (const descending of [false, true]) {
          for (const second of ['n', 't']) {
            const sort: Sort = [
              { column: first, descending },
              { column: second, descending: !descending },
            ];
            const allRows = (await harness.list('walked', { sort })).data;
            expect(allRows).toHaveLength(23);
            expect(
              await walk(harness, 'walked', { sort, pageSize: 4 }),
              JSON.stringify(sort),
            ).toEqual(allRows);
          }
        }
      }
    });

    test('are each listed once by a composite key, with filters', async () => {
      const table = tableOf('pairs', [columnOf('a', name), columnOf('b', int)], {
        primaryKey: { columns: ['b', 'a'] },
      });
      await harness.createTables([table]);
      await harness.insertRows(
        'pairs',
        range(30).map((n) => ({ a: `k${n % 6}`, b: Math.floor(n / 6) })),
      );
      const filters = [{ name: 'b__gt', value: '0' }];
      const walked = await walk(harness, 'pairs', { filters, pageSize: 7 });
      expect(walked).toEqual((await harness.list('pairs', { filters })).data);
      expect(walked).toHaveLength(25);
    });

    test('are not disturbed by rows that are inserted and deleted', async () => {
      await harness.createTables([tableWithId('busy', [columnOf('n', int)])]);
      await harness.insertRows(
        'busy',
        range(30).map((id) => ({ id: id * 10, n: id })),
      );
      const seenIds: unknown[] = [];
      let cursor: string | undefined;
      let next = 0;
      do {
        const page = await harness.list('busy', {
          pageSize: 4,
          sort: [{ column: 'n', descending: false }],
          ...(cursor === undefined ? {} : { cursor }),
        });
        seenIds.push(...idsOf(page));
        cursor = page.next_cursor;
        next += 1;
        await harness.insertRows('busy', [
          { id: next * 10 + 1, n: next },
          { id: 1000 + next, n: 1000 + next },
        ]);
      } while (cursor !== undefined && next < 40);
      const original = range(30).map((id) => id * 10);
      expect(new Set(seenIds).size).toBe(seenIds.length);
      expect(seenIds.filter((id) => original.includes(Number(id)))).toEqual(original);
    });

    test('of another table or order are rejected', async () => {
      await harness.createTables([
        tableWithId('one_list', [columnOf('n', int)]),
        tableWithId('other_list', [columnOf('n', int)]),
      ]);
      await harness.insertRows(
        'one_list',
        range(3).map((n) => ({ n })),
      );
      const { next_cursor: cursor = '' } = await harness.list('one_list', { pageSize: 1 });
      for (const wrong of [cursor.slice(1), 'x', '', cursor + cursor]) {
        expect(await failureOf(harness.list('one_list', { cursor: wrong }))).toMatchObject({
          code: 'invalid_parameter',
        });
      }
      expect(await failureOf(harness.list('other_list', { cursor }))).toMatchObject({
        code: 'invalid_parameter',
      });
      const sort: Sort = [{ column: 'n', descending: true }];
      expect(await failureOf(harness.list('one_list', { cursor, sort }))).toMatchObject({
        code: 'invalid_parameter',
      });
    });

    test('are each listed once, whatever their values', async () => {
      await harness.createTables([
        tableWithId('any_values', [optional('t', name), optional('n', bigint)]),
      ]);
      const row = fc.record({
        t: fc.option(fc.string({ unit: 'grapheme', maxLength: 12 }).filter(isStorable)),
        n: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(row, { minLength: 1, maxLength: 12 }),
          fc.constantFrom('t', 'n'),
          fc.boolean(),
          async (rows, column, descending) => {
            await harness.database.run('DELETE FROM any_values');
            await harness.insertRows('any_values', rows);
            const sort: Sort = [{ column, descending }];
            const allRows = (await harness.list('any_values', { sort })).data;
            expect(allRows).toHaveLength(rows.length);
            expect(await walk(harness, 'any_values', { sort, pageSize: 3 })).toEqual(allRows);
          },
        ),
        { numRuns: 15 },
      );
    });
  });

  test('have entity tags on request', async () => {
    await harness.createTables([tableWithId('tagged', [columnOf('n', int)])]);
    await harness.insertRows(
      'tagged',
      range(2).map((n) => ({ n })),
    );
    const { etags = [], data } = await harness.list('tagged', { etags: true });
    for (const [i, row] of data.entries()) {
      expect((await harness.get('tagged', String(row['id']))).meta.etag).toBe(etags[i]);
    }
    expect(new Set(etags).size).toBe(2);
  });

  test('have labels of their foreign keys on request', async () => {
    const target = tableWithId('labeled', [columnOf('code', name)], {
      indexes: [
        { name: 'labeled_code', unique: true, constraint: true, parts: [{ column: 'code' }] },
      ],
    });
    const source = tableWithId('labeling', [optional('labeled_id', bigint)], {
      foreignKeys: [
        {
          columns: ['labeled_id'],
          table: 'labeled',
          referencedColumns: ['id'],
          onUpdate: 'no action',
          onDelete: 'no action',
        },
      ],
    });
    await harness.createTables([target, source]);
    await harness.insertRows('labeled', [
      { id: 1, code: 'one' },
      { id: 2, code: 'two' },
    ]);
    await harness.insertRows('labeling', [{ labeled_id: 2 }, { labeled_id: null }]);
    expect((await harness.list('labeling', { labels: true })).labels).toEqual({
      labeled_id: { '2': 'two' },
    });
  });

  test('have shortened cells in previews only', async () => {
    await harness.createTables([
      tableWithId('long', [columnOf('t', { kind: 'text' }), columnOf('b', { kind: 'binary' })]),
    ]);
    const text = 'é'.repeat(5000);
    const bytes = Buffer.alloc(5000, 7);
    await harness.insertRows('long', [
      { t: text, b: bytes },
      { t: 'short', b: Buffer.from('b') },
    ]);
    const [cutRow, uncutRow] = (await harness.list('long', { cells: 'preview' })).data;
    expect(cutRow).toEqual({
      id: 1,
      t: { $cut: 10_000, head: 'é'.repeat(1000) },
      b: { $cut: 5000, head: bytes.subarray(0, 1000).toString('base64') },
    });
    expect(uncutRow).toEqual({ id: 2, t: 'short', b: { $base64: 'Yg==' } });
    expect((await harness.list('long')).data[0]).toEqual({
      id: 1,
      t: text,
      b: { $base64: bytes.toString('base64') },
    });
  });
});

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0') && !text.includes('\\');
}

/** Compares by `same`, then by id, both in the same direction. */
function order(a: number, b: number, descending: boolean): number {
  const ascending = (a % 3) - (b % 3) || a - b;
  return descending ? -ascending : ascending;
}
