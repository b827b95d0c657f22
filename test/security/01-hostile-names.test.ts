/** Names from the catalog are quoted in SQL, encoded in paths and unchanged in JSON. */
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

/** As JSON text, because an object literal would treat `__proto__` specially. */
function object(
  members: Readonly<Record<string, unknown>> | readonly (readonly [string, unknown])[],
): string {
  const entries = Array.isArray(members) ? members : Object.entries(members);
  return `{${(entries as [string, unknown][]).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;
}

function member(row: unknown, key: string): unknown {
  return Object.getOwnPropertyDescriptor(row, key)?.value as unknown;
}

describeOnEachDatabase('hostile names', (harness) => {
  test.each(names.map((hostile, i) => [hostile, i] as const))(
    '%j as table and column',
    async (hostile, i) => {
      const kids = `kids_${i}`;
      const parent = tableWithId(hostile, [optional(hostile, name)], {
        indexes: [{ name: `index_${i}`, unique: false, parts: [{ column: hostile }] }],
      });
      const child = tableWithId(kids, [columnOf('label', name), optional(hostile, bigint)], {
        foreignKeys: [foreignKeyTo(hostile, [hostile])],
      });
      await harness.createTables([parent, child]);

      const created = await harness.create(hostile, object([[hostile, 'first']]));
      expect(created.meta.location).toEqual({ table: hostile, id: '1' });
      expect(member(rowOf(created), hostile)).toBe('first');
      const changed = readBody(
        await harness.changeRows(
          hostile,
          `{"create":[${object([[hostile, 'second']])},${object([[hostile, null]])}]}`,
        ),
      ) as { created: unknown[] };
      expect(changed.created).toHaveLength(2);

      expect((await harness.table(hostile)).columns.map((column) => column['name'])).toEqual([
        'id',
        hostile,
      ]);
      expect((await harness.table(kids))['foreign_keys']).toMatchObject([
        { columns: [hostile], references: { table: hostile, columns: ['id'] } },
      ]);

      const values = async (query: Parameters<typeof harness.list>[1]) =>
        (await harness.list(hostile, query)).data.map((row) => member(row, hostile));
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

      const updated = await harness.update(hostile, '1', { body: object([[hostile, 'third']]) });
      expect(member(rowOf(updated), hostile)).toBe('third');
      const cell = await harness.perform('read-cell', {
        table: hostile,
        id: '1',
        column: hostile,
        showDeleted: false,
      });
      expect(Buffer.from(cell.body).toString()).toBe('third');

      await harness.create(
        kids,
        object([
          ['label', 'kid'],
          [hostile, 1],
        ]),
      );
      const [up] = (await harness.table(kids)).relations;
      const [down] = (await harness.table(hostile)).relations;
      expect(
        (await harness.related(kids, ['1', String(up?.['name'])])).data.map((row) =>
          member(row, hostile),
        ),
      ).toEqual(['third']);
      expect((await harness.related(hostile, ['1', String(down?.['name'])])).data).toMatchObject([
        { label: 'kid' },
      ]);
      expect(member((await harness.list(kids, { labels: true })).labels, hostile)).toEqual({
        '1': 'third',
      });

      expect(await failureOf(harness.create(hostile, object([[`${hostile}x`, 1]])))).toMatchObject({
        code: 'unknown_column',
      });
      expect(await failureOf(harness.remove(hostile, '1'))).toMatchObject({
        code: 'foreign_key_violation',
      });
      expect(readBody(await harness.bulkDelete(hostile, { ids: ['2', '3'] }))).toMatchObject({
        rows_affected: 2,
      });
      expect(await values({})).toEqual(['third']);
      await harness.dropTables([kids, hostile]);
    },
  );

  test('as key values address their rows', async () => {
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
        .create('hostile_keys', object([[key, value]]))
        .catch(() => undefined);
      if (created === undefined) continue;
      expect(member(readBody(await harness.get('hostile_keys', encodeSegment(value))), key)).toBe(
        value,
      );
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
      expect(await failureOf(harness.create('plain_names', object([[missing, 1]])))).toMatchObject({
        code: 'unknown_column',
      });
    }
  });
});
