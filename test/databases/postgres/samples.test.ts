/** Sample dumps, loaded by the native client, compared with PostgreSQL's own catalog. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openPostgres } from '../../../src/databases/postgres/database.ts';
import { loadDump } from '../../servers/load-postgres-dump.ts';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import type { Schema, Table } from '../../../src/model/schema.ts';
import type { TestDatabase } from '../../servers/postgres.ts';
import type { Database } from '../registered-databases.ts';

const folder = join(import.meta.dirname, '../../../../shared/samples/sql');

interface ExpectedSchema {
  readonly dialect: string;
  readonly files: readonly string[];
  readonly tables: readonly ExpectedTable[];
  readonly enums: readonly {
    readonly schema: string;
    readonly name: string;
    readonly values: readonly string[];
  }[];
}

interface ExpectedTable {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly ExpectedColumn[];
  readonly primary_key: readonly string[] | null;
  readonly foreign_keys: readonly ExpectedForeignKey[] | null;
  readonly unique: readonly (readonly string[])[] | null;
  readonly checks: number;
  readonly indexes: number;
  readonly comment: string | null;
  readonly row_count?: number;
}

interface ExpectedColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly identity: string | null;
  readonly generated: string | null;
}

interface ExpectedForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly ref_schema: string;
  readonly ref_table: string;
  readonly ref_columns: readonly string[];
  readonly on_delete: string;
  readonly on_update: string;
}

const actions: Readonly<Record<string, string>> = {
  a: 'no action',
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};

function publicName(schema: string, name: string): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}

function expectedTable(facts: ExpectedTable): object {
  return {
    name: publicName(facts.schema, facts.name),
    kind: facts.kind,
    columns: facts.columns.map(({ name, type, nullable }) => ({ name, type, nullable })),
    defaults: Object.fromEntries(
      facts.columns.filter((c) => c.default !== null).map((c) => [c.name, c.default]),
    ),
    primaryKey: facts.primary_key ?? [],
    foreignKeys: (facts.foreign_keys ?? [])
      .map((key) => ({
        name: key.name,
        columns: key.columns,
        table: publicName(key.ref_schema, key.ref_table),
        referencedColumns: key.ref_columns,
        onDelete: actions[key.on_delete],
        onUpdate: actions[key.on_update],
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    checks: facts.checks,
    indexes: facts.indexes,
    comment: facts.comment ?? undefined,
  };
}

function foundTable(table: Table): object {
  const keys = table.primaryKey === undefined ? 0 : 1;
  return {
    name: table.name,
    kind: table.kind,
    columns: table.columns.map(({ name, nativeType, nullable }) => ({
      name,
      type: nativeType,
      nullable,
    })),
    defaults: Object.fromEntries(
      table.columns.filter((c) => c.default !== undefined).map((c) => [c.name, c.default]),
    ),
    primaryKey: table.primaryKey?.columns ?? [],
    foreignKeys: table.foreignKeys
      .map(({ name, columns, table: target, referencedColumns, onDelete, onUpdate }) => ({
        name,
        columns,
        table: target,
        referencedColumns,
        onDelete,
        onUpdate,
      }))
      .toSorted((a, b) => String(a.name).localeCompare(String(b.name))),
    checks: table.checks.length,
    indexes: table.indexes.length + keys,
    comment: table.comment,
  };
}

const samples: readonly (readonly [string, ExpectedSchema])[] = existsSync(
  join(folder, 'facts.json'),
)
  ? Object.entries(
      JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as Record<
        string,
        ExpectedSchema
      >,
    ).filter(([, { dialect }]) => dialect === 'postgres')
  : [];

usePostgres();

test('the samples are there', (context) => {
  if (samples.length === 0) context.skip('../shared/samples/sql is not there');
  expect(samples.length).toBeGreaterThan(10);
});

describe.each(samples)('%s', (_name, facts) => {
  let server: TestDatabase;
  let database: Database;
  let schema: Schema;

  beforeAll(async () => {
    server = await createTestDatabase();
    for (const file of facts.files)
      await loadDump(server.url, readFileSync(join(folder, file), 'utf8'));
    database = await openPostgres({ url: server.url, readOnly: true, create: false });
    schema = await database.introspect();
  });

  afterAll(async () => {
    await database?.close();
    await server?.drop();
  });

  test('has the tables and views of the catalog, down to every key', () => {
    const found = [...schema.tables, ...schema.views].map(foundTable);
    const byName = (a: object, b: object): number =>
      JSON.stringify(a).localeCompare(JSON.stringify(b));
    expect(found.toSorted(byName)).toEqual(facts.tables.map(expectedTable).toSorted(byName));
  });

  test('has the unique keys', () => {
    for (const { schema: namespace, name, unique } of facts.tables) {
      const table = schema.tables.find(
        (candidate) => candidate.name === publicName(namespace, name),
      );
      const constraints = table?.indexes.filter((index) => index.constraint === true) ?? [];
      const columns = constraints.map((index) => index.parts.map((part) => part.column));
      expect(columns.map(String).toSorted()).toEqual((unique ?? []).map(String).toSorted());
    }
  });

  test('has the enums', () => {
    const enums = schema.enums.map(({ namespace, name, values }) => ({
      schema: namespace,
      name,
      values,
    }));
    expect(enums).toEqual(facts.enums);
  });

  test('has all rows, all of which can be read', async () => {
    for (const { schema: namespace, name, row_count } of facts.tables) {
      const table = [...schema.tables, ...schema.views].find(
        (candidate) => candidate.name === publicName(namespace, name),
      );
      if (table === undefined || row_count === undefined) continue;
      const { dialect } = database;
      const expressions = table.columns.map((column) =>
        dialect.selectExpression(dialect.quoteName(column.name), column),
      );
      const text = `SELECT ${expressions.join(', ')} FROM ${dialect.tableName(table)}`;
      let rows = 0;
      const { batches } = await database.stream({ text, params: [], columns: table.columns });
      for await (const batch of batches) rows += batch.length;
      expect([table.name, rows]).toEqual([table.name, row_count]);
    }
  });
});
