/** Sample dumps, loaded by the native client, compared with the server's own catalog. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { mysql } from '../../../src/databases/mysql/kind.ts';
import { countRows } from '../../../src/sql/select.ts';
import { render } from '../../../src/sql/render.ts';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import type { Column, Schema, Table } from '../../../src/model/schema.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';
import type { Database } from '../registered-databases.ts';

const folder = join(import.meta.dirname, '../../../../shared/samples/sql');

interface ExpectedSchema {
  readonly dialect: string;
  readonly files: readonly string[];
  readonly tables: readonly ExpectedTable[];
}

interface ExpectedTable {
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly ExpectedColumn[];
  readonly primary_key: readonly string[] | null;
  readonly foreign_keys: readonly ExpectedForeignKey[] | null;
  readonly unique: readonly (readonly string[])[] | null;
  readonly comment: string | null;
  readonly row_count?: number;
}

interface ExpectedColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly extra: string | null;
}

interface ExpectedForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly ref_table: string;
  readonly ref_columns: readonly string[];
  readonly on_delete: string;
  readonly on_update: string;
}

function expectedSchemas(): readonly (readonly [string, ExpectedSchema])[] {
  if (!existsSync(join(folder, 'facts.json'))) return [];
  const all = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as Record<
    string,
    ExpectedSchema
  >;
  return Object.entries(all).filter(([, { dialect }]) => dialect === 'mysql');
}

const dumps = expectedSchemas();
const server = useMariadb();

test('the samples are there', ({ skip }) => {
  if (dumps.length === 0) skip('no samples beside the repository');
});

/** Runs `mariadb database < file`. Replaces a database name in the file by the test's. */
function load({ name, url }: TestDatabase, file: string): void {
  const { hostname, port, username, password } = new URL(url);
  const login = [
    `--host=${hostname}`,
    `--port=${port}`,
    `--user=${username}`,
    `--password=${decodeURIComponent(password)}`,
  ];
  const { status, stderr } = spawnSync(
    'mariadb',
    ['--no-defaults', ...login, '--default-character-set=utf8mb4', name],
    {
      input: renamed(readFileSync(join(folder, file), 'utf8'), name),
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
}

function renamed(text: string, database: string): string {
  const ownDatabaseName =
    /^\s*USE\s+`?(\w+)`?\s*;/im.exec(text)?.[1] ??
    /^\s*CREATE (?:DATABASE|SCHEMA) (?:IF NOT EXISTS )?`?(\w+)/im.exec(text)?.[1];
  const script = text.replaceAll(/^\s*(?:(?:DROP|CREATE) (?:DATABASE|SCHEMA)|USE)\b[^;]*;/gim, '');
  return ownDatabaseName === undefined
    ? script
    : script.replaceAll(
        new RegExp(`(?<![\\w\`])\`?${ownDatabaseName}\`?\\.(?=[\`\\w])`, 'g'),
        `${database}.`,
      );
}

function expectedTable(facts: ExpectedTable): object {
  return {
    kind: facts.kind,
    columns: facts.columns.map(({ name, type, nullable }) => ({ name, type, nullable })),
    primaryKey: facts.primary_key ?? [],
    foreignKeys: (facts.foreign_keys ?? []).toSorted(byName).map((key) => ({
      name: key.name,
      columns: key.columns,
      table: key.ref_table,
      referencedColumns: key.ref_columns,
      onDelete: key.on_delete.toLowerCase(),
      onUpdate: key.on_update.toLowerCase(),
    })),
    unique: sorted(facts.unique ?? []),
    comment: facts.kind === 'table' ? (facts.comment ?? '') : '',
  };
}

function foundTable(table: Table): object {
  return {
    kind: table.kind,
    columns: table.columns.map(({ name, nativeType, nullable }) => ({
      name,
      type: nativeType,
      nullable,
    })),
    primaryKey: table.primaryKey?.columns ?? [],
    foreignKeys: table.foreignKeys.toSorted(byName),
    unique: sorted(
      table.indexes
        .filter(({ unique }) => unique)
        .map(({ parts }) => parts.map(({ column = '' }) => column)),
    ),
    comment: table.comment ?? '',
  };
}

function byName(one: { readonly name?: string }, two: { readonly name?: string }): number {
  return (one.name ?? '') < (two.name ?? '') ? -1 : 1;
}

function sorted(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.map((list) => list.join(',')).toSorted();
}

/** `extra` and `default` as MariaDB's catalog shows them. */
function expectedTraits({ default: defaultText, extra }: ExpectedColumn): object {
  const text = extra?.toLowerCase() ?? '';
  return {
    default: defaultText === null || defaultText === 'NULL' ? undefined : defaultText,
    autoIncrement: text.includes('auto_increment') ? true : undefined,
    onUpdate: /on update (.*)/.exec(text)?.[1],
  };
}

function foundTraits({ default: defaultText, autoIncrement, onUpdate }: Column): object {
  return { default: defaultText, autoIncrement, onUpdate };
}

describe.each(dumps)('%s', (_file, facts) => {
  beforeEach(({ skip }) => {
    if (!server().isMariadb) skip('the expected values are those of MariaDB');
  });

  let ownDatabase: TestDatabase | undefined;
  let database: Database;
  let schema: Schema;

  beforeAll(async () => {
    server();
    ownDatabase = await createTestDatabase();
    for (const file of facts.files) load(ownDatabase, file);
    database = await mysql.open({ url: ownDatabase.url, readOnly: true, create: false });
    schema = await database.introspect();
  });

  afterAll(async () => {
    await database?.close();
    await ownDatabase?.drop();
  });

  const find = (name: string): Table | undefined =>
    [...schema.tables, ...schema.views].find((table) => table.name === name);

  test('has the tables and views of the server', () => {
    expect([...schema.tables, ...schema.views].map(({ name }) => name).toSorted()).toEqual(
      facts.tables.map(({ name }) => name).toSorted(),
    );
  });

  test.each(facts.tables)('$name has its columns, keys and comment', (table) => {
    expect(foundTable(find(table.name)!)).toEqual(expectedTable(table));
  });

  test.each(facts.tables.filter(({ kind }) => kind === 'table'))(
    '$name has its defaults, auto-increment and ON UPDATE',
    (table) => {
      const found = Object.fromEntries(
        find(table.name)!.columns.map((column) => [column.name, foundTraits(column)]),
      );
      expect(found).toEqual(
        Object.fromEntries(table.columns.map((column) => [column.name, expectedTraits(column)])),
      );
    },
  );

  test.each(facts.tables.filter((table) => table.row_count !== undefined))(
    '$name has its rows, with every value readable',
    async (table) => {
      const found = find(table.name)!;
      const { rows } = await database.run(
        render(database.dialect, countRows(database.dialect, found, [])),
      );
      expect(rows).toEqual([[table.row_count]]);
      const expressions = found.columns.map((column) =>
        database.dialect.selectExpression(database.dialect.quoteName(column.name), column),
      );
      const { batches } = await database.stream({
        text: `SELECT ${expressions.join(', ')} FROM ${database.dialect.tableName(found)}`,
        params: [],
        columns: found.columns,
      });
      let read = 0;
      for await (const batch of batches) read += batch.length;
      expect(read).toBe(table.row_count);
    },
  );
});
