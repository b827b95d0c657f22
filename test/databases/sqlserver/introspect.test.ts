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
import type {
  ColumnRow,
  IndexRow,
  RelationRow,
} from '../../../src/databases/sqlserver/catalog/catalog.ts';
import type { CatalogQuery } from '../../../src/databases/catalog-query.ts';
import type { Row, Value } from '../../../src/model/values.ts';

type Values<R> = { readonly [Name in keyof R]?: Value };

interface Response {
  readonly text: string;
  readonly rows: readonly Row[];
}

/** The rows of a query's response, by the names of its columns. What is not given is NULL. */
function responseOf<R>(query: CatalogQuery<R>, rows: readonly Values<R>[]): Response {
  return {
    text: query.text,
    rows: rows.map((row) => query.names.map((name) => row[name] ?? null)),
  };
}

function read(...responses: readonly Response[]): Promise<Schema> {
  const server = { database: 'app', version: '16.0.4135.4', defaultNamespace: 'dbo' };
  const all = [responseOf(serverQuery, [server]), ...responses];
  const session: Session = {
    run: ({ text }) => {
      const rows = all.find((response) => response.text === text)?.rows ?? [];
      return Promise.resolve({ columns: [], rows, rowsAffected: 0 });
    },
    stream: () => Promise.reject(new Error('The catalog is not streamed.')),
  };
  return introspect(session);
}

function relations(rows: readonly Values<RelationRow>[]): Response {
  const defaults = { namespace: 'dbo', isView: 0, temporalType: 0 };
  return responseOf(
    relationsQuery,
    rows.map((row, i) => ({ ...defaults, id: i + 1, ...row })),
  );
}

/** The columns of the first table. */
function columns(rows: readonly Values<ColumnRow>[]): Response {
  return responseOf(
    columnsQuery,
    rows.map((row, i) => ({
      relation: 1,
      number: i + 1,
      baseTypeName: row.typeName ?? null,
      isAlias: false,
      typeNamespace: 'sys',
      isNullable: false,
      isIdentity: false,
      ...row,
    })),
  );
}

test('tables have columns with types, defaults, identities and generated values', async () => {
  const schema = await read(
    relations([{ localName: 'books', comment: 'What we sell' }]),
    columns([
      { name: 'id', typeName: 'bigint', isIdentity: true },
      {
        name: 'title',
        typeName: 'nvarchar',
        length: 200,
        default: "(N'x')",
        comment: 'On the cover',
      },
      {
        name: 'phone',
        typeName: 'Phone',
        baseTypeName: 'varchar',
        isAlias: true,
        typeNamespace: 'dbo',
        length: 20,
        isNullable: true,
      },
      { name: 'price', typeName: 'decimal', precision: 10, scale: 2, isNullable: true },
      { name: 'twice', typeName: 'decimal', precision: 12, scale: 2, computed: '([price]*(2))' },
      { name: 'size', typeName: 'int', computed: '(len([title]))', isPersisted: true },
      { name: 'note', typeName: 'varchar', length: -1, collation: 'Greek_CI_AS' },
      { name: 'version', typeName: 'timestamp', length: 8 },
      { name: 'valid_from', typeName: 'datetime2', scale: 7, generatedAlwaysType: 1 },
      { name: 'any', typeName: 'sql_variant', isNullable: true },
      { name: 'node', typeName: 'hierarchyid', isNullable: true },
      { name: 'deleted_at', typeName: 'datetimeoffset', scale: 7, isNullable: true },
    ]),
  );
  const [books] = schema.tables;
  expect(books).toMatchObject({
    name: 'books',
    namespace: 'dbo',
    kind: 'table',
    comment: 'What we sell',
    softDelete: { column: 'deleted_at', mode: 'time' },
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
  const index = (number: number, row: Values<IndexRow>): Values<IndexRow> => ({
    ...{ relation: 1, number, method: 'NONCLUSTERED', keyOrdinal: 0 },
    ...row,
  });
  const key = { name: 'pk_lines', isUnique: true, isPrimary: true, method: 'CLUSTERED' };
  const partial = { name: 'ix', where: '([no]>(1))' };
  const unique = { name: 'uq_sku', isUnique: true, isConstraint: true };
  const columnstore = { name: 'cs', method: 'NONCLUSTERED COLUMNSTORE', isIncluded: true };
  const schema = await read(
    relations([{ localName: 'lines' }, { localName: 'orders', namespace: 'sales' }]),
    columns([
      { name: 'no', typeName: 'int' },
      { name: 'order_id', typeName: 'int' },
      { name: 'sku', typeName: 'varchar', length: 10, isNullable: true },
    ]),
    responseOf(indexesQuery, [
      index(1, { ...key, keyOrdinal: 1, columnNumber: 2 }),
      index(1, { ...key, keyOrdinal: 2, columnNumber: 1 }),
      index(2, { ...unique, keyOrdinal: 1, columnNumber: 3 }),
      index(3, { ...partial, keyOrdinal: 1, columnNumber: 1, isDescending: true }),
      index(3, { ...partial, columnNumber: 3, isIncluded: true }),
      index(4, { ...columnstore, columnNumber: 3 }),
    ]),
    responseOf(foreignKeysQuery, [
      {
        relation: 1,
        id: 9,
        name: 'fk_order',
        columnNumber: 2,
        namespace: 'sales',
        localName: 'orders',
        referencedColumn: 'id',
        onUpdate: 0,
        onDelete: 1,
      },
    ]),
    responseOf(checksQuery, [
      { relation: 1, name: 'ck_no', definition: '([no]>(0) AND ([no]<(10)))' },
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
    relations([
      { localName: 'v', isView: 1, definition: 'CREATE VIEW v AS SELECT 1 AS a' },
      { localName: 'prices', temporalType: 2 },
      { localName: 'prices_history', temporalType: 1 },
    ]),
  );
  expect(schema.views).toMatchObject([{ name: 'v', kind: 'view', definition: 'SELECT 1 AS a' }]);
  expect(schema.tables.map(({ options }) => options)).toEqual([
    { temporal: 'system_versioned' },
    { temporal: 'history' },
  ]);
});

test('a table is qualified if another table has the same name with a dot', async () => {
  const schema = await read(
    relations([
      { localName: 'a.b' },
      { localName: 'b', namespace: 'a' },
      { localName: 'c', namespace: 'DBO' },
    ]),
  );
  expect(schema.tables.map(({ name }) => name)).toEqual(['dbo.a.b', 'a.b', 'c']);
});

test('a foreign key to a table that the login may not see is left out', async () => {
  const schema = await read(
    relations([{ localName: 't' }]),
    columns([{ name: 'a', typeName: 'int' }]),
    responseOf(foreignKeysQuery, [{ relation: 1, id: 9, name: 'fk', columnNumber: 1 }]),
  );
  expect(schema.tables[0]?.foreignKeys).toEqual([]);
});
