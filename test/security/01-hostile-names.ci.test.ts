/**
 * Each hostile name as a table, a column and a key, in every operation: names are quoted in SQL, encoded
 * in paths and unchanged in JSON (SECURITY.md 1).
 */
import { expect, test } from 'vitest';
import { encodeSegment } from '../../src/model/row-id.ts';
import { failureOf, describeOnEachDatabase, readBody, rowOf } from '../databases/kit/harness.ts';
import {
  bigint,
  columnOf,
  foreignKeyTo,
  name,
  tableWithId,
  optional,
} from '../databases/kit/tables.ts';

const names = [
  '"',
  '""',
  ']',
  '[x]',
  '`',
  "'",
  "''",
  ';',
  '--',
  '/*',
  '*/',
  '%',
  '_',
  '.',
  ',',
  '/',
  '..',
  '~',
  '?',
  '$1',
  ':x',
  '@x',
  '#',
  '\\',
  "\\'",
  '$$',
  '{}',
  '(',
  ')',
  '=',
  '!',
  '&',
  '+',
  '|',
  '<b>',
  'a\nb',
  'a\tb',
  'a b',
  ' x',
  'a.b',
  'a,b',
  '\u202egnp.exe',
  '😀',
  '名前',
  'ümläut',
  'x__gt',
  'select',
  'order by 1',
  'null',
  'true',
  '0',
  '-1',
  '1e3',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '_rowid_',
  'rowid',
  'count',
  'total',
  'data',
  '$base64',
  "Robert'); DROP TABLE students;--",
  'sixty-three bytes '.padEnd(63, 'x'),
];

/** A JSON object as text, because an object literal would treat `__proto__` specially. */
function jsonObject(
  members: Readonly<Record<string, unknown>> | readonly (readonly [string, unknown])[],
): string {
  const entries = Array.isArray(members) ? members : Object.entries(members);
  return `{${(entries as [string, unknown][]).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;
}

function ownMember(row: unknown, key: string): unknown {
  return Object.getOwnPropertyDescriptor(row, key)?.value as unknown;
}

describeOnEachDatabase('hostile names', (harness) => {
  test.each(names.map((hostile, i) => [hostile, i] as const))(
    '%j is read and written as the name of a table and a column',
    async (hostile, i) => {
      const childTable = `kids_${i}`;
      const parent = tableWithId(hostile, [optional(hostile, name)], {
        indexes: [{ name: `index_${i}`, unique: false, parts: [{ column: hostile }] }],
      });
      const child = tableWithId(childTable, [columnOf('label', name), optional(hostile, bigint)], {
        foreignKeys: [foreignKeyTo(hostile, [hostile])],
      });
      await harness.createTables([parent, child]);

      const created = await harness.create(hostile, jsonObject([[hostile, 'first']]));
      expect(created.meta.location).toEqual({ table: hostile, id: '1' });
      expect(ownMember(rowOf(created), hostile)).toBe('first');
      const changed = readBody(
        await harness.changeRows(
          hostile,
          `{"create":[${jsonObject([[hostile, 'second']])},${jsonObject([[hostile, null]])}]}`,
        ),
      ) as { created: unknown[] };
      expect(changed.created).toHaveLength(2);

      expect((await harness.table(hostile)).columns.map((column) => column['name'])).toEqual([
        'id',
        hostile,
      ]);
      expect((await harness.table(childTable))['foreign_keys']).toMatchObject([
        { columns: [hostile], references: { table: hostile, columns: ['id'] } },
      ]);

      const values = async (query: Parameters<typeof harness.list>[1]) =>
        (await harness.list(hostile, query)).data.map((row) => ownMember(row, hostile));
      expect(await values({ sort: [{ column: hostile, descending: true }] })).toEqual([
        'second',
        'first',
        null,
      ]);
      expect(await values({ filters: [{ name: hostile, value: 'second' }] })).toEqual(['second']);
      expect(await values({ filters: [{ name: `${hostile}__starts`, value: 'FIR' }] })).toEqual([
        'first',
      ]);
      expect(await values({ filters: [{ name: `${hostile}__null`, value: 'true' }] })).toEqual([
        null,
      ]);
      expect(await values({ search: 'econ' })).toEqual(['second']);
      expect(await values({ cells: 'preview', etags: true, labels: true })).toEqual([
        'first',
        'second',
        null,
      ]);

      const updated = await harness.update(hostile, '1', {
        body: jsonObject([[hostile, 'third']]),
      });
      expect(ownMember(rowOf(updated), hostile)).toBe('third');
      const cell = await harness.perform('read-cell', {
        table: hostile,
        id: '1',
        column: hostile,
        showDeleted: false,
      });
      expect(Buffer.from(cell.body).toString()).toBe('third');

      await harness.create(
        childTable,
        jsonObject([
          ['label', 'kid'],
          [hostile, 1],
        ]),
      );
      const [toParent] = (await harness.table(childTable)).relations;
      const [toChildren] = (await harness.table(hostile)).relations;
      expect(
        (await harness.related(childTable, ['1', String(toParent?.['name'])])).data.map((row) =>
          ownMember(row, hostile),
        ),
      ).toEqual(['third']);
      expect(
        (await harness.related(hostile, ['1', String(toChildren?.['name'])])).data,
      ).toMatchObject([{ label: 'kid' }]);
      expect(ownMember((await harness.list(childTable, { labels: true })).labels, hostile)).toEqual(
        {
          '1': 'third',
        },
      );

      expect(
        await failureOf(harness.create(hostile, jsonObject([[`${hostile}x`, 1]]))),
      ).toMatchObject({
        code: 'unknown_column',
      });
      expect(await failureOf(harness.remove(hostile, '1'))).toMatchObject({
        code: 'foreign_key_violation',
      });
      expect(readBody(await harness.bulkDelete(hostile, { ids: ['2', '3'] }))).toMatchObject({
        rows_affected: 2,
      });
      expect(await values({})).toEqual(['third']);
      await harness.dropTables([childTable, hostile]);
    },
  );

  test('address their rows as key values', async () => {
    const key = '"k\'`];--';
    await harness.createTables([
      {
        ...tableWithId('hostile_keys', []),
        columns: [columnOf(key, name)],
        primaryKey: { columns: [key] },
      },
    ]);
    for (const value of names) {
      const created = await harness
        .create('hostile_keys', jsonObject([[key, value]]))
        .catch(() => undefined);
      if (created === undefined) continue;
      expect(
        ownMember(readBody(await harness.get('hostile_keys', encodeSegment(value))), key),
      ).toBe(value);
    }
    expect((await harness.list('hostile_keys')).total).toBeGreaterThan(names.length * 0.8);
  });

  test('that do not exist are rejected before they reach the database', async () => {
    await harness.createTables([tableWithId('plain_names', [columnOf('n', name)])]);
    for (const hostile of names) {
      const missing = `no ${hostile}`;
      expect(await failureOf(harness.list(missing))).toMatchObject({ code: 'table_not_found' });
      expect(
        await failureOf(
          harness.list('plain_names', { sort: [{ column: missing, descending: false }] }),
        ),
      ).toMatchObject({ code: 'unknown_column' });
      expect(await failureOf(harness.related('plain_names', ['1', missing]))).toMatchObject({
        code: 'relation_not_found',
      });
      expect(
        await failureOf(harness.create('plain_names', jsonObject([[missing, 1]]))),
      ).toMatchObject({
        code: 'unknown_column',
      });
    }
  });
});
