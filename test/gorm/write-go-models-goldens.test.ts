/** The exact Go file for a small database of each kind. STUDIO_WRITE_GOLDENS=1 writes the files again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';

import { mysqlDialect } from '../../src/databases/mysql/dialect/dialect.ts';
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts';
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts';
import { sqliteDdlReader } from '../../src/databases/sqlite/run-ddl.ts';
import { columnOf, schemaOf, tableOf } from '../sql/neutral-schema.ts';
import { driverOf, goOf } from './write-models.ts';
import type { Column, ColumnType, ForeignKey, Schema } from '../../src/model/schema.ts';

function expectGolden(name: string, text: string): void {
  const file = new URL(`goldens/${name}`, import.meta.url);
  if (process.env['STUDIO_WRITE_GOLDENS'] === '1') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

const integer: ColumnType = { kind: 'integer', bits: 32 };

function key(name: string, column: string, table: string): ForeignKey {
  return {
    name,
    columns: [column],
    table,
    referencedColumns: ['id'],
    onUpdate: 'no action',
    onDelete: 'cascade',
  };
}

function native(
  name: string,
  nativeType: string,
  type: ColumnType,
  more: Partial<Column> = {},
): Column {
  return columnOf(name, type, { nativeType, ...more });
}

const postgres: Schema = schemaOf([
  tableOf(
    'authors',
    [
      native('id', 'integer', integer, {
        autoIncrement: true,
        default: "nextval('authors_id_seq'::regclass)",
      }),
      native(
        'name',
        'character varying(120)',
        { kind: 'text', length: 120 },
        { comment: 'As printed; on the "spine"' },
      ),
      native(
        'country',
        'character(2)',
        { kind: 'text', length: 2, fixed: true },
        { nullable: true, default: "'DE'::bpchar" },
      ),
      native(
        'deleted_at',
        'timestamp with time zone',
        { kind: 'timestamp', zone: true },
        { nullable: true },
      ),
    ],
    {
      comment: 'People who write.\nDead ones too.',
      primaryKey: { columns: ['id'] },
      softDelete: { column: 'deleted_at', mode: 'time' },
      indexes: [
        { name: 'authors_name_key', unique: true, constraint: true, parts: [{ column: 'name' }] },
      ],
    },
  ),
  tableOf(
    'books',
    [
      native('id', 'uuid', { kind: 'uuid' }, { default: 'gen_random_uuid()' }),
      native('author_id', 'integer', integer),
      native('editor_id', 'integer', integer, { nullable: true }),
      native(
        'price',
        'numeric(10,2)',
        { kind: 'decimal', precision: 10, scale: 2 },
        { default: '0.00' },
      ),
      native(
        'edited',
        'timestamp(3) without time zone',
        { kind: 'timestamp', precision: 3 },
        { nullable: true },
      ),
      native(
        'labels',
        'text[]',
        { kind: 'array', of: { kind: 'text' } },
        { default: "'{}'::text[]" },
      ),
      native('data', 'jsonb', { kind: 'json', binary: true }, { nullable: true }),
      native('slug', 'text', { kind: 'text' }, { default: "lower('A'::text)" }),
      native('note', 'text', { kind: 'text' }, { default: "'it''s'::text" }),
      native(
        'total',
        'numeric(12,2)',
        { kind: 'decimal', precision: 12, scale: 2 },
        { nullable: true, generated: { expression: '(price * 2)', stored: true } },
      ),
    ],
    {
      primaryKey: { columns: ['id'] },
      foreignKeys: [
        key('books_author_fk', 'author_id', 'authors'),
        key('books_editor_fk', 'editor_id', 'authors'),
      ],
      checks: [{ name: 'price_positive', expression: '(price >= 0)' }],
      indexes: [
        {
          name: 'books_slug',
          unique: false,
          parts: [{ expression: 'lower(slug)' }],
          where: "(slug <> '')",
        },
        { name: 'books_labels', unique: false, method: 'gin', parts: [{ column: 'labels' }] },
        {
          name: 'books_place',
          unique: true,
          constraint: true,
          parts: [{ column: 'author_id' }, { column: 'slug' }],
        },
      ],
    },
  ),
  tableOf('tags', [native('id', 'bigint', { kind: 'integer', bits: 64 })], {
    primaryKey: { columns: ['id'] },
  }),
  tableOf(
    'book_tags',
    [
      native('book_id', 'uuid', { kind: 'uuid' }),
      native('tag_id', 'bigint', { kind: 'integer', bits: 64 }),
    ],
    {
      primaryKey: { columns: ['book_id', 'tag_id'] },
      foreignKeys: [key('bt_book', 'book_id', 'books'), key('bt_tag', 'tag_id', 'tags')],
    },
  ),
]);

const mysql: Schema = schemaOf([
  tableOf(
    'orders',
    [
      native(
        'id',
        'int(10) unsigned',
        { kind: 'integer', bits: 32, unsigned: true },
        { autoIncrement: true },
      ),
      native(
        'state',
        "enum('new','paid')",
        { kind: 'enum', values: ['new', 'paid'] },
        { default: "'new'" },
      ),
      native('code', 'varchar(20)', { kind: 'text', length: 20 }, { comment: 'Für Kunden' }),
      native('flags', 'bit(1)', { kind: 'boolean' }, { default: "b'1'" }),
      native('paid', 'tinyint(1)', { kind: 'boolean' }, { default: '0' }),
      native(
        'touched',
        'timestamp',
        { kind: 'timestamp', precision: 0 },
        { default: 'current_timestamp()', onUpdate: 'current_timestamp()' },
      ),
      native(
        'parent_id',
        'int(10) unsigned',
        { kind: 'integer', bits: 32, unsigned: true },
        { nullable: true },
      ),
      native('body', 'longtext', { kind: 'text' }, { nullable: true }),
    ],
    {
      primaryKey: { columns: ['id'] },
      foreignKeys: [key('orders_ibfk_1', 'parent_id', 'orders')],
      indexes: [
        { name: 'code', unique: true, constraint: true, parts: [{ column: 'code' }] },
        { name: 'body', unique: false, method: 'fulltext', parts: [{ column: 'body' }] },
        {
          name: 'begin',
          unique: false,
          parts: [
            { column: 'body', prefixLength: 20 },
            { column: 'id', descending: true },
          ],
        },
      ],
    },
  ),
]);

describe('golden', () => {
  test.each(['pointer', 'sql'] as const)('of PostgreSQL, NULL as %s', (nulls) => {
    const { text, warnings } = goOf(postgres, postgresDialect, { nulls, json: nulls === 'sql' });
    expectGolden(`models-postgres-${nulls}.go.txt`, text);
    expect(warnings).toEqual([
      'authors: AutoMigrate skips name and does not create it, because it would alter its comment, whose outer quotes it ignores, at every run.',
      'books: AutoMigrate skips slug and does not create it, because it would alter its default at every run.',
      'books: AutoMigrate skips note and does not create it, because it would alter its default at every run.',
    ]);
  });

  test('of MySQL', () => {
    const { text, warnings } = goOf(mysql, mysqlDialect);
    expectGolden('models-mysql.go.txt', text);
    expect(warnings).toEqual([]);
  });

  test('of SQLite, compared by the stored statements', async () => {
    const ddl = `CREATE TABLE rooms (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(40) NOT NULL UNIQUE, price DECIMAL(10,2) DEFAULT 0.99,
      open BOOL, rate FLOAT, size BIGINT NOT NULL DEFAULT 1, state TEXT NOT NULL DEFAULT 'new', kind TEXT DEFAULT "x", late INTEGER DEFAULT 0 NOT NULL, made DATETIME DEFAULT CURRENT_TIMESTAMP, x);
      CREATE TABLE [odd one] (id INTEGER);
      CREATE TABLE [keys] ([id] INTEGER PRIMARY KEY, room INTEGER REFERENCES rooms(id), CONSTRAINT pair UNIQUE (id, room));`;
    const { schema } = await sqliteDdlReader.read(ddl, { data: 'rejected' });
    const database = new DatabaseSync(':memory:');
    database.exec(ddl);
    const rows = database
      .prepare(driverOf(sqliteDialect).goFields.storedStatementsQuery ?? '')
      .all();
    const stored = new Map(rows.map(({ name, sql }) => [String(name), String(sql)]));
    const { text, warnings } = goOf(schema, sqliteDialect, { storedStatements: stored });
    expectGolden('models-sqlite.go.txt', text);
    expect(warnings.map((warning) => warning.replace(/:.*/, ''))).toEqual([
      'rooms',
      'rooms',
      'keys',
      'keys',
      'The table odd one is left out',
    ]);
  });
});
