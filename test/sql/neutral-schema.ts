/** Builders of neutral schemas, and one schema that has each of their features. */
import type { Column, ColumnType, Schema, Table } from '../../src/model/schema.ts';

export function columnOf(name: string, type: ColumnType, extras: Partial<Column> = {}): Column {
  return { name, type, nativeType: '', nullable: false, ...extras };
}

export function tableOf(
  name: string,
  columns: readonly Column[],
  extras: Partial<Table> = {},
): Table {
  return {
    name,
    localName: name,
    kind: 'table',
    columns,
    indexes: [],
    foreignKeys: [],
    checks: [],
    ...extras,
  };
}

export function schemaOf(tables: readonly Table[], extras: Partial<Schema> = {}): Schema {
  return { database: 'test', serverVersion: '', tables, views: [], enums: [], ...extras };
}

const bigint: ColumnType = { kind: 'integer', bits: 64 };

const everyType: Readonly<Record<string, ColumnType>> = {
  boolean: { kind: 'boolean' },
  int8: { kind: 'integer', bits: 8 },
  int16: { kind: 'integer', bits: 16 },
  int24: { kind: 'integer', bits: 24 },
  int32: { kind: 'integer', bits: 32 },
  int64: bigint,
  uint8: { kind: 'integer', bits: 8, unsigned: true },
  uint32: { kind: 'integer', bits: 32, unsigned: true },
  uint64: { kind: 'integer', bits: 64, unsigned: true },
  decimal: { kind: 'decimal' },
  decimal_10: { kind: 'decimal', precision: 10 },
  decimal_10_2: { kind: 'decimal', precision: 10, scale: 2 },
  float32: { kind: 'float', bits: 32 },
  float64: { kind: 'float', bits: 64 },
  text: { kind: 'text' },
  text_20: { kind: 'text', length: 20 },
  text_fixed: { kind: 'text', length: 2, fixed: true },
  text_huge: { kind: 'text', length: 4_294_967_295 },
  enum_named: { kind: 'enum', name: 'mood', values: ['glad', 'it’s', "o'clock"] },
  enum_unnamed: { kind: 'enum', values: ['a', "b'c"] },
  set: { kind: 'set', values: ['x', 'y'] },
  uuid: { kind: 'uuid' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  time_zone: { kind: 'time', precision: 3, zone: true },
  timestamp: { kind: 'timestamp' },
  timestamp_3: { kind: 'timestamp', precision: 3 },
  timestamp_9: { kind: 'timestamp', precision: 9 },
  timestamp_zone: { kind: 'timestamp', zone: true },
  interval: { kind: 'interval' },
  json: { kind: 'json' },
  json_binary: { kind: 'json', binary: true },
  binary: { kind: 'binary' },
  binary_16: { kind: 'binary', length: 16, fixed: true },
  bits: { kind: 'bits', length: 8 },
  bits_varying: { kind: 'bits', varying: true },
  array: { kind: 'array', of: { kind: 'array', of: { kind: 'integer', bits: 32 } } },
  untyped: { kind: 'untyped' },
  other: { kind: 'other', name: 'geometry' },
};

const types = tableOf(
  'types',
  Object.entries(everyType).map(([name, type]) => columnOf(name, type, { nullable: true })),
);

const defaults = tableOf('defaults', [
  columnOf('number', { kind: 'decimal' }, { default: '-12.50' }),
  columnOf('text', { kind: 'text' }, { default: "'it''s (a) -- text'" }),
  columnOf('flag', { kind: 'boolean' }, { default: 'TRUE' }),
  columnOf('nothing', { kind: 'text' }, { default: 'NULL', nullable: true }),
  columnOf('local', { kind: 'timestamp' }, { default: 'CURRENT_TIMESTAMP' }),
  columnOf('zoned', { kind: 'timestamp', zone: true }, { default: 'CURRENT_TIMESTAMP' }),
  columnOf('expression', { kind: 'integer', bits: 32 }, { default: '1 + 2' }),
  columnOf('looks_like_two', { kind: 'text' }, { default: "'a' || 'b'" }),
]);

const places = tableOf(
  'places',
  [
    columnOf('id', bigint, { autoIncrement: true }),
    columnOf('country', { kind: 'text', length: 2, fixed: true }, { comment: 'It’s "ISO"' }),
    columnOf('code', { kind: 'text' }),
    columnOf(
      'label',
      { kind: 'text' },
      { nullable: true, generated: { expression: "country || ' ' || code", stored: true } },
    ),
    columnOf(
      'shout',
      { kind: 'text' },
      { nullable: true, generated: { expression: 'upper(code)', stored: false } },
    ),
    columnOf('capital_id', bigint, { nullable: true }),
  ],
  {
    primaryKey: { name: 'places_pk', columns: ['id'] },
    comment: "Where; the owner's words",
    checks: [{ name: 'places_code', expression: 'length(code) > 0' }, { expression: 'id > 0' }],
    indexes: [
      {
        name: 'places_country_code',
        unique: true,
        constraint: true,
        parts: [{ column: 'country' }, { column: 'code' }],
        included: ['capital_id'],
        nullsNotDistinct: true,
      },
      { name: 'places_code_unique', unique: true, parts: [{ column: 'code' }] },
      {
        name: 'places_mixed',
        unique: false,
        where: 'capital_id IS NOT NULL',
        parts: [{ column: 'code', descending: true }, { expression: 'lower(country)' }],
      },
      { name: 'places_words', unique: false, method: 'gin', parts: [{ column: 'label' }] },
    ],
    foreignKeys: [
      {
        name: 'places_capital',
        columns: ['capital_id'],
        table: 'places',
        referencedColumns: ['id'],
        onUpdate: 'cascade',
        onDelete: 'set null',
        deferrable: 'deferred',
      },
    ],
  },
);

/** `visits` and `guests` reference each other. `visits` references columns that only an index makes unique. */
const visits = tableOf(
  'visits',
  [
    columnOf('country', { kind: 'text' }),
    columnOf('code', { kind: 'text' }),
    columnOf('guest_id', bigint),
  ],
  {
    primaryKey: { columns: ['country', 'code', 'guest_id'] },
    foreignKeys: [
      {
        columns: ['country', 'code'],
        table: 'places',
        referencedColumns: ['country', 'code'],
        onUpdate: 'no action',
        onDelete: 'restrict',
      },
      {
        columns: ['code'],
        table: 'places',
        referencedColumns: ['code'],
        onUpdate: 'no action',
        onDelete: 'no action',
      },
      {
        columns: ['guest_id'],
        table: 'guests',
        referencedColumns: ['id'],
        onUpdate: 'set default',
        onDelete: 'cascade',
      },
    ],
  },
);

const guests = tableOf(
  'guests',
  [
    columnOf('id', bigint),
    columnOf('country', { kind: 'text' }),
    columnOf('code', { kind: 'text' }),
  ],
  {
    primaryKey: { columns: ['id'] },
    foreignKeys: [
      {
        name: 'guests_last_visit',
        columns: ['country', 'code', 'id'],
        table: 'visits',
        referencedColumns: ['country', 'code', 'guest_id'],
        onUpdate: 'no action',
        onDelete: 'no action',
      },
    ],
  },
);

const archived = tableOf('old.papers', [columnOf('id', bigint)], {
  localName: 'papers',
  namespace: 'old',
  primaryKey: { columns: ['id'] },
});

function viewOf(name: string, definition: string): Table {
  return tableOf(name, [columnOf('id', bigint)], { kind: 'view', definition });
}

/** A schema with one of each feature, in an order in which its statements would fail. */
export const neutralSchema: Schema = schemaOf([types, defaults, visits, guests, places, archived], {
  views: [
    viewOf('second', 'SELECT id FROM first_view'),
    viewOf('first_view', 'SELECT id FROM places'),
  ],
  enums: [{ name: 'mood', values: ['glad', 'it’s', "o'clock"] }],
});
