import { describe, expect, test } from 'vitest';
import { describeOnEachDatabase, readBody } from './harness.ts';
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
import type { ColumnType } from '../../../src/model/schema.ts';

const kinds: readonly (readonly [column: string, type: ColumnType])[] = [
  ['a_boolean', { kind: 'boolean' }],
  ['a_smallint', { kind: 'integer', bits: 16 }],
  ['an_int', int],
  ['a_bigint', bigint],
  ['a_decimal', { kind: 'decimal', precision: 12, scale: 3 }],
  ['a_float', { kind: 'float', bits: 32 }],
  ['a_double', { kind: 'float', bits: 64 }],
  ['a_text', { kind: 'text' }],
  ['a_varchar', { kind: 'text', length: 20 }],
  ['a_char', { kind: 'text', length: 4, fixed: true }],
  ['an_enum', { kind: 'enum', name: 'kind_of', values: ['one', "tw'o"] }],
  ['a_uuid', { kind: 'uuid' }],
  ['a_date', { kind: 'date' }],
  ['a_time', { kind: 'time' }],
  ['a_timestamp', { kind: 'timestamp' }],
  ['a_zoned', { kind: 'timestamp', zone: true }],
  ['a_json', { kind: 'json' }],
  ['a_binary', { kind: 'binary' }],
];

describeOnEachDatabase('introspection', (harness) => {
  test('returns the database, and tables by name', async () => {
    await harness.createTables([tableWithId('zebra', []), tableWithId('aardvark', [])]);
    const schema = readBody(await harness.perform('get-schema', {})) as Record<string, unknown>;
    expect(schema).toMatchObject({
      driver: harness.underTest.name,
      database: expect.any(String) as string,
      server_version: expect.stringMatching(/\d/) as string,
    });
    const tables = (schema['tables'] as { name: string }[]).map((table) => table.name);
    expect(tables.filter((table) => table === 'zebra' || table === 'aardvark')).toEqual([
      'aardvark',
      'zebra',
    ]);
  });

  test('returns columns in order, with their kinds', async () => {
    await harness.createTables([
      tableOf(
        'all_kinds',
        kinds.map(([column, type]) => optional(column, type)),
      ),
    ]);
    const { columns } = await harness.table('all_kinds');
    expect(columns.map((column) => [column['ordinal'], column['name'], column['kind']])).toEqual(
      kinds.map(([column, type], i) => [
        i + 1,
        column,
        harness.underTest.kinds[type.kind] ?? type.kind,
      ]),
    );
    for (const column of columns)
      expect(column).toMatchObject({
        type: expect.stringMatching(/./) as string,
        is_nullable: true,
        default_value: '',
      });
  });

  test('returns the values of an enum', async () => {
    await harness.createTables([
      tableWithId('with_enum', [
        columnOf('mood', { kind: 'enum', name: 'mood_of', values: ['glad', "it's", 'a,b'] }),
      ]),
    ]);
    expect((await harness.table('with_enum')).columns[1]).toMatchObject({
      enum_values: ['glad', "it's", 'a,b'],
    });
  });

  test('returns an auto-increment key', async () => {
    await harness.createTables([tableWithId('numbered_key', [optional('n', int)])]);
    const table = await harness.table('numbered_key');
    expect(table).toMatchObject({ kind: 'table', primary_key: ['id'] });
    expect(table.columns[0]).toMatchObject({
      name: 'id',
      is_primary_key: true,
      is_nullable: false,
      is_auto_increment: true,
      is_unique: true,
    });
    expect(table.columns[1]).toMatchObject({
      is_primary_key: false,
      is_nullable: true,
      is_auto_increment: false,
      is_unique: false,
    });
  });

  test('returns a composite key in key order', async () => {
    const table = tableOf(
      'composite_key',
      [columnOf('a', int), columnOf('b', name), columnOf('c', int)],
      { primaryKey: { columns: ['c', 'b'] } },
    );
    await harness.createTables([table]);
    const found = await harness.table('composite_key');
    expect(found['primary_key']).toEqual(['c', 'b']);
    expect(found.columns.map((column) => [column['is_primary_key'], column['is_unique']])).toEqual([
      [false, false],
      [true, false],
      [true, false],
    ]);
  });

  test('distinguishes unique keys from indexes', async () => {
    await harness.createTables([
      tableOf('indexed', [columnOf('a', int), columnOf('b', name), optional('c', int)], {
        primaryKey: { columns: ['a'] },
        indexes: [
          { name: 'indexed_b', unique: true, constraint: true, parts: [{ column: 'b' }] },
          { name: 'indexed_c_b', unique: true, parts: [{ column: 'c' }, { column: 'b' }] },
          { name: 'indexed_c', unique: false, parts: [{ column: 'c', descending: true }] },
        ],
      }),
    ]);
    const { indexes, columns } = (await harness.table('indexed')) as unknown as {
      indexes: readonly { name: string }[];
      columns: readonly object[];
    };
    const byName = Object.fromEntries(indexes.map((index) => [index.name, index]));
    const unique = indexes.find(
      (index) => 'columns' in index && JSON.stringify(index.columns) === '["b"]',
    );
    expect(unique).toMatchObject({ is_unique: true });
    expect(byName['indexed_c_b']).toMatchObject({ is_unique: true, columns: ['c', 'b'] });
    expect(byName['indexed_c']).toMatchObject({
      is_unique: false,
      columns: ['c'],
      parts: [{ column: 'c', descending: true }],
    });
    expect(columns).toMatchObject([{ is_unique: true }, { is_unique: true }, { is_unique: false }]);
  });

  test('returns foreign keys with their actions', async () => {
    await harness.createTables([
      tableWithId('ends', []),
      tableWithId(
        'starts',
        [columnOf('must_id', bigint), optional('may_id', bigint), optional('plain_id', bigint)],
        {
          foreignKeys: [
            foreignKeyTo('ends', ['must_id'], {
              name: 'starts_must',
              onDelete: 'cascade',
              onUpdate: 'cascade',
            }),
            foreignKeyTo('ends', ['may_id'], { name: 'starts_may', onDelete: 'set null' }),
            foreignKeyTo('ends', ['plain_id'], { name: 'starts_plain', onDelete: 'restrict' }),
          ],
        },
      ),
    ]);
    const table = await harness.table('starts');
    const keys = table['foreign_keys'] as readonly { columns: readonly string[] }[];
    const references = { table: 'ends', columns: ['id'] };
    expect(
      keys.toSorted((a, b) => String(a.columns).localeCompare(String(b.columns))),
    ).toMatchObject([
      { columns: ['may_id'], references, on_delete: 'set null' },
      { columns: ['must_id'], references, on_delete: 'cascade', on_update: 'cascade' },
      { columns: ['plain_id'], references, on_delete: 'restrict' },
    ]);
    expect(table.columns[1]).toMatchObject({
      is_foreign_key: true,
      references: { table: 'ends', column: 'id' },
    });
    expect(table.columns[0]).toMatchObject({ is_foreign_key: false });
    expect(table.columns[0]).not.toHaveProperty('references');
  });

  test('returns composite foreign keys column by column, and a self-reference', async () => {
    await harness.createTables([
      tableOf('pairs', [columnOf('x', int), columnOf('y', name)], {
        primaryKey: { columns: ['x', 'y'] },
      }),
      tableWithId(
        'pointers',
        [optional('px', int), optional('py', name), optional('next_id', bigint)],
        {
          foreignKeys: [
            foreignKeyTo('pairs', ['px', 'py'], { referencedColumns: ['x', 'y'] }),
            foreignKeyTo('pointers', ['next_id']),
          ],
        },
      ),
    ]);
    const { columns, ...table } = await harness.table('pointers');
    expect(table['foreign_keys']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          columns: ['px', 'py'],
          references: { table: 'pairs', columns: ['x', 'y'] },
        }),
        expect.objectContaining({
          columns: ['next_id'],
          references: { table: 'pointers', columns: ['id'] },
        }),
      ]),
    );
    expect(columns.map((column) => column['references'])).toEqual([
      undefined,
      { table: 'pairs', column: 'x' },
      { table: 'pairs', column: 'y' },
      { table: 'pointers', column: 'id' },
    ]);
  });

  test('returns tables whose foreign keys form a cycle', async () => {
    await harness.createTables([
      tableWithId('hens', [optional('egg_id', bigint)], {
        foreignKeys: [foreignKeyTo('eggs', ['egg_id'], { name: 'hens_egg' })],
      }),
      tableWithId('eggs', [optional('hen_id', bigint)], {
        foreignKeys: [foreignKeyTo('hens', ['hen_id'], { name: 'eggs_hen' })],
      }),
    ]);
    expect(await harness.table('hens')).toMatchObject({
      foreign_keys: [{ references: { table: 'eggs' } }],
    });
    expect(await harness.table('eggs')).toMatchObject({
      foreign_keys: [{ references: { table: 'hens' } }],
    });
  });

  test('creates and returns a deferrable foreign key', async () => {
    await harness.createTables([
      tableWithId('patient_ends', []),
      tableWithId('patient', [optional('end_id', bigint)], {
        foreignKeys: [
          foreignKeyTo('patient_ends', ['end_id'], { name: 'patient_end', deferrable: 'deferred' }),
        ],
      }),
    ]);
    expect(await harness.table('patient')).toMatchObject({
      foreign_keys: [{ columns: ['end_id'], references: { table: 'patient_ends' } }],
    });
  });

  test('returns defaults as expressions, and the empty text as one', async () => {
    await harness.createTables([
      tableOf('with_defaults', [
        columnOf('n', int, { default: '42' }),
        columnOf('t', name, { default: "'it''s'" }),
        columnOf('at', { kind: 'timestamp' }, { default: 'CURRENT_TIMESTAMP' }),
        columnOf('none', int),
        optional('nullable', int),
      ]),
    ]);
    const defaults = (await harness.table('with_defaults')).columns.map((column) =>
      String(column['default_value']),
    );
    expect(defaults).toEqual([
      expect.stringContaining('42'),
      expect.stringMatching(/it'?'s/),
      expect.stringMatching(/current_timestamp|now/i),
      '',
      '',
    ]);
  });

  test('returns generated columns', async () => {
    await harness.createTables([
      tableOf('with_generated', [
        columnOf('a', int),
        optional('b', int),
        columnOf('s', int, { nullable: true, generated: { expression: 'a + 1', stored: true } }),
      ]),
    ]);
    const { columns } = await harness.table('with_generated');
    expect(columns.map((column) => column['is_generated'])).toEqual([false, false, true]);
    expect(columns[2]).toMatchObject({
      is_stored: true,
      generated_expression: expect.stringMatching(/a\W*\+\W*1/) as string,
      default_value: '',
    });
  });

  test('returns checks with their names', async () => {
    await harness.createTables([
      tableOf('with_checks', [columnOf('a', int)], {
        checks: [{ name: 'a_is_positive', expression: 'a > 0' }],
      }),
    ]);
    expect(await harness.table('with_checks')).toMatchObject({
      checks: [{ name: 'a_is_positive', expression: expect.stringMatching(/a\W*>\W*0/) as string }],
    });
  });

  describe('of comments', () => {
    test('returns those of tables and columns', async () => {
      await harness.createTables([
        tableOf('with_comments', [columnOf('a', int, { comment: 'It\'s "a" \\ column' })], {
          comment: "Whose? The owner's; --",
        }),
      ]);
      const table = await harness.table('with_comments');
      expect(table['comment']).toBe("Whose? The owner's; --");
      expect(table.columns[0]).toMatchObject({ comment: 'It\'s "a" \\ column' });
    });
  });

  test('returns views separately from tables, with their columns', async () => {
    const view = tableOf('viewed_names', [columnOf('name', name)], {
      kind: 'view',
      definition: 'SELECT name FROM viewed WHERE id > 1',
    });
    await harness.createTables([tableWithId('viewed', [columnOf('name', name)])], [view]);
    await harness.insertRows('viewed', [{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    const schema = readBody(await harness.perform('get-schema', {})) as {
      tables: { name: string }[];
      views: { name: string }[];
    };
    expect(schema.tables.map((table) => table.name)).not.toContain('viewed_names');
    const found = schema.views.find((table) => table.name === 'viewed_names');
    expect(found).toMatchObject({
      kind: 'view',
      columns: [{ name: 'name' }],
      primary_key: [],
      foreign_keys: [],
      row_count: 2,
      definition: expect.stringMatching(/select/i) as string,
    });
  });

  test('counts rows', async () => {
    await harness.createTables([tableWithId('counted', [])]);
    await harness.insertRows(
      'counted',
      Array.from({ length: 12 }, (_, i) => ({ id: i + 1 })),
    );
    const table = await harness.table('counted');
    expect(table['row_count']).toBe(12);
    expect(table).not.toHaveProperty('row_count_exact');
  });
});
