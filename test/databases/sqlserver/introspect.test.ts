/**
 * How the rows of SQL Server's catalog views are combined. Their content follows Microsoft's
 * documentation.
 */
import { expect, test } from 'vitest';

import {
  checksQuery,
  columnsQuery,
  foreignKeysQuery,
  indexesQuery,
  relationsQuery,
  serverQuery,
} from '../../../src/databases/sqlserver/catalog/catalog.ts';
import { introspect } from '../../../src/databases/sqlserver/catalog/introspect.ts';
import type { Session } from '../../../src/model/database.ts';
import type { Schema } from '../../../src/model/schema.ts';
import type { Row, Value } from '../../../src/model/values.ts';

interface CatalogColumn {
  readonly name: string;
  readonly type: string;
  readonly base?: string;
  readonly length?: number;
  readonly precision?: number;
  readonly scale?: number;
  readonly nullable?: boolean;
  readonly identity?: boolean;
  readonly default?: string;
  readonly computed?: string;
  readonly persisted?: boolean;
  readonly period?: number;
  readonly collation?: string;
  readonly comment?: string;
}

const userTable = 'U ';

function columnRow(table: number, number: number, column: CatalogColumn): Row {
  const { name, type, base } = column;
  return [
    ...[table, number, name, type, base ?? type, base !== undefined],
    ...[base === undefined ? 'sys' : 'dbo', column.length ?? 0],
    ...[column.precision ?? 0, column.scale ?? 0, column.nullable ?? false],
    ...[column.identity ?? false, column.default ?? null, column.computed ?? null],
    ...[column.computed === undefined ? null : (column.persisted ?? false), column.period ?? 0],
    ...[column.collation ?? null, column.comment ?? null],
  ];
}

function columnsOf(table: number, columns: readonly CatalogColumn[]): readonly Row[] {
  return columns.map((column, i) => columnRow(table, i + 1, column));
}

function read(answers: ReadonlyMap<string, readonly Row[]>): Promise<Schema> {
  const all = new Map<string, readonly Row[]>([
    [serverQuery, [['app', '16.0.4135.4', 'dbo']]],
    ...answers,
  ]);
  const session: Session = {
    run: ({ text }) => Promise.resolve({ columns: [], rows: all.get(text) ?? [], rowsAffected: 0 }),
    stream: () => Promise.reject(new Error('The catalogue is not streamed.')),
  };
  return introspect(session);
}

function relation(number: number, name: string, more: readonly Value[] = []): Row {
  const [namespace = 'dbo', type = userTable, definition = null, comment = null, temporal = 0] =
    more;
  return [number, namespace, name, type, definition, comment, temporal];
}

test('tables have columns with types, defaults, identities and generated values', async () => {
  const schema = await read(
    new Map([
      [relationsQuery, [relation(1, 'books', ['dbo', userTable, null, 'What we sell'])]],
      [
        columnsQuery,
        columnsOf(1, [
          { name: 'id', type: 'bigint', identity: true },
          {
            name: 'title',
            type: 'nvarchar',
            length: 200,
            default: "(N'x')",
            comment: 'On the cover',
          },
          { name: 'phone', type: 'Phone', base: 'varchar', length: 20, nullable: true },
          { name: 'price', type: 'decimal', precision: 10, scale: 2, nullable: true },
          { name: 'twice', type: 'decimal', precision: 12, scale: 2, computed: '([price]*(2))' },
          { name: 'size', type: 'int', computed: '(len([title]))', persisted: true },
          { name: 'note', type: 'varchar', length: -1, collation: 'Greek_CI_AS' },
          { name: 'version', type: 'timestamp', length: 8 },
          { name: 'valid_from', type: 'datetime2', scale: 7, period: 1 },
          { name: 'any', type: 'sql_variant', nullable: true },
          { name: 'node', type: 'hierarchyid', nullable: true },
          { name: 'deleted_at', type: 'datetimeoffset', scale: 7, nullable: true },
        ]),
      ],
    ]),
  );
  const [books] = schema.tables;
  expect(books).toMatchObject({
    name: 'books',
    namespace: 'dbo',
    kind: 'table',
    comment: 'What we sell',
    softDelete: { column: 'deleted_at', flavour: 'time' },
    columns: [
      { name: 'id', nativeType: 'bigint', nullable: false, autoIncrement: true },
      { name: 'title', nativeType: 'nvarchar(100)', default: "(N'x')", comment: 'On the cover' },
      { name: 'phone', nativeType: '[dbo].[Phone]', type: { kind: 'text', length: 20 } },
      { name: 'price', nativeType: 'decimal(10,2)', nullable: true },
      { name: 'twice', nullable: true, generated: { expression: '[price]*(2)', stored: false } },
      { name: 'size', nullable: false, generated: { expression: 'len([title])', stored: true } },
      { name: 'note', nativeType: 'varchar(max)', collation: 'Greek_CI_AS' },
      { name: 'version', nativeType: 'timestamp', identityAlways: true },
      { name: 'valid_from', nativeType: 'datetime2(7)', identityAlways: true },
      { name: 'any', nativeType: 'sql_variant', dynamic: true },
      { name: 'node', nativeType: 'hierarchyid', type: { kind: 'other', name: 'hierarchyid' } },
      { name: 'deleted_at', nativeType: 'datetimeoffset(7)' },
    ],
  });
  expect(schema).toMatchObject({ database: 'app', serverVersion: '16.0.4135.4' });
});

test('keys, indexes, foreign keys and checks are returned', async () => {
  const index = (number: number, name: string, more: readonly Value[]): Row => [
    1,
    number,
    name,
    ...more,
  ];
  const schema = await read(
    new Map([
      [relationsQuery, [relation(1, 'lines'), relation(2, 'orders', ['sales'])]],
      [
        columnsQuery,
        columnsOf(1, [
          { name: 'no', type: 'int' },
          { name: 'order_id', type: 'int' },
          { name: 'sku', type: 'varchar', length: 10, nullable: true },
        ]),
      ],
      [
        indexesQuery,
        [
          index(1, 'pk_lines', [true, true, false, 'CLUSTERED', null, 1, 2, false, false]),
          index(1, 'pk_lines', [true, true, false, 'CLUSTERED', null, 2, 1, false, false]),
          index(2, 'uq_sku', [true, false, true, 'NONCLUSTERED', null, 1, 3, false, false]),
          index(3, 'ix', [false, false, false, 'NONCLUSTERED', '([no]>(1))', 1, 1, true, false]),
          index(3, 'ix', [false, false, false, 'NONCLUSTERED', '([no]>(1))', 0, 3, false, true]),
          index(4, 'cs', [
            false,
            false,
            false,
            'NONCLUSTERED COLUMNSTORE',
            null,
            0,
            3,
            false,
            true,
          ]),
        ],
      ],
      [foreignKeysQuery, [[1, 9, 'fk_order', 2, 'sales', 'orders', 'id', 0, 1]]],
      [checksQuery, [[1, 'ck_no', '([no]>(0) AND ([no]<(10)))']]],
    ]),
  );
  expect(schema.tables[0]).toMatchObject({
    primaryKey: { name: 'pk_lines', columns: ['order_id', 'no'] },
    indexes: [
      {
        name: 'uq_sku',
        unique: true,
        parts: [{ column: 'sku' }],
        constraint: true,
        nullsNotDistinct: true,
      },
      {
        name: 'ix',
        unique: false,
        parts: [{ column: 'no', descending: true }],
        where: '([no]>(1))',
        included: ['sku'],
      },
      { name: 'cs', parts: [], included: ['sku'], method: 'nonclustered columnstore' },
    ],
    foreignKeys: [
      {
        name: 'fk_order',
        columns: ['order_id'],
        table: 'sales.orders',
        referencedColumns: ['id'],
        onUpdate: 'no action',
        onDelete: 'cascade',
      },
    ],
    checks: [{ name: 'ck_no', expression: '[no]>(0) AND ([no]<(10))' }],
  });
});

test('a view has its query, and a temporal table its kind', async () => {
  const schema = await read(
    new Map([
      [
        relationsQuery,
        [
          relation(1, 'v', ['dbo', 'V ', 'CREATE VIEW v AS SELECT 1 AS a']),
          relation(2, 'prices', ['dbo', userTable, null, null, 2]),
          relation(3, 'prices_history', ['dbo', userTable, null, null, 1]),
        ],
      ],
    ]),
  );
  expect(schema.views).toMatchObject([{ name: 'v', kind: 'view', definition: 'SELECT 1 AS a' }]);
  expect(schema.tables.map(({ options }) => options)).toEqual([
    { temporal: 'system_versioned' },
    { temporal: 'history' },
  ]);
});

test('a name with a dot that another schema’s table has is told with its own schema', async () => {
  const schema = await read(
    new Map([
      [relationsQuery, [relation(1, 'a.b'), relation(2, 'b', ['a']), relation(3, 'c', ['DBO'])]],
    ]),
  );
  expect(schema.tables.map(({ name }) => name)).toEqual(['dbo.a.b', 'a.b', 'c']);
});

test('a foreign key to what the login may not see is left out', async () => {
  const schema = await read(
    new Map([
      [relationsQuery, [relation(1, 't')]],
      [columnsQuery, columnsOf(1, [{ name: 'a', type: 'int' }])],
      [foreignKeysQuery, [[1, 9, 'fk', 1, null, null, null, 0, 0]]],
    ]),
  );
  expect(schema.tables[0]?.foreignKeys).toEqual([]);
});
