/** Sample databases, compared with what SQLite's shell reported. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeFile, openFile, run } from './fixture.ts';
import type { Table } from '../../../src/model/schema.ts';

const samples = fileURLToPath(new URL('../../../../shared/samples/', import.meta.url));

interface ExpectedColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | null;
}

interface ExpectedTable {
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly ExpectedColumn[];
  readonly primary_key: readonly string[];
  readonly foreign_keys: readonly {
    readonly columns: readonly string[];
    readonly ref_table: string;
    readonly ref_columns: readonly string[];
    readonly on_update: string;
    readonly on_delete: string;
  }[];
  readonly unique: readonly (readonly string[])[];
  readonly row_count?: number;
}

interface ExpectedSchema {
  readonly dialect: string;
  readonly tables: readonly ExpectedTable[];
}

function readExpectedSchemas(): ReadonlyMap<string, ExpectedSchema> {
  if (!existsSync(`${samples}sql/facts.json`)) return new Map();
  const facts = JSON.parse(readFileSync(`${samples}sql/facts.json`, 'utf8')) as Record<
    string,
    ExpectedSchema
  >;
  return new Map(Object.entries(facts).filter(([, { dialect }]) => dialect === 'sqlite'));
}

const facts = readExpectedSchemas();
const names = [
  'chinook_sqlite.sql',
  'northwind_sqlite.sql',
  'sakila_sqlite_schema.sql',
  'spring-batch__schema-sqlite.sql',
  'quartznet__tables_sqlite.sql',
];

const sorted = (texts: readonly unknown[]): readonly string[] =>
  texts.map((text) => JSON.stringify(text)).toSorted();

/** A key that is the rowid holds no NULL, whatever its declaration says. */
function columnProperties({ columns, kind }: Table): readonly unknown[] {
  return columns.map(({ name, nativeType, nullable, autoIncrement, default: initial }) =>
    kind === 'view'
      ? [name, nativeType]
      : [name, nativeType, autoIncrement === true ? 'by itself' : nullable, initial ?? null],
  );
}

function tableProperties(table: Table): unknown {
  return {
    name: table.name,
    kind: table.kind,
    columns: columnProperties(table),
    key: table.primaryKey?.columns ?? [],
    foreignKeys: sorted(
      table.foreignKeys.map((key) => [
        key.columns,
        key.table.toLowerCase(),
        key.referencedColumns,
        key.onUpdate,
        key.onDelete,
      ]),
    ),
    unique: sorted(
      table.indexes
        .filter(({ constraint }) => constraint)
        .map(({ parts }) => parts.map(({ column }) => column)),
    ),
  };
}

function expectedProperties(fact: ExpectedTable, table: Table): unknown {
  const alias = table.columns.find(({ autoIncrement }) => autoIncrement === true)?.name;
  return {
    name: fact.name,
    kind: fact.kind,
    columns: fact.columns.map(({ name, type, nullable, default: initial }) =>
      fact.kind === 'view'
        ? [name, type]
        : [name, type, name === alias ? 'by itself' : nullable, initial],
    ),
    key: fact.primary_key,
    foreignKeys: sorted(
      fact.foreign_keys.map((key) => [
        key.columns,
        key.ref_table.toLowerCase(),
        key.ref_columns,
        key.on_update.toLowerCase(),
        key.on_delete.toLowerCase(),
      ]),
    ),
    unique: sorted(fact.unique),
  };
}

async function expectSchema(path: string, expected: ExpectedSchema): Promise<void> {
  const database = openFile(path, { readOnly: true });
  const { tables, views } = await database.introspect();
  const found = new Map([...tables, ...views].map((table) => [table.name, table]));
  expect([...found.keys()].toSorted()).toEqual(expected.tables.map(({ name }) => name).toSorted());
  for (const fact of expected.tables) {
    const table = found.get(fact.name)!;
    expect(tableProperties(table), fact.name).toEqual(expectedProperties(fact, table));
    if (fact.row_count === undefined) continue;
    const { rows } = await run(
      database,
      `SELECT count(*) FROM ${database.dialect.tableName(table)}`,
    );
    expect(rows, fact.name).toEqual([[BigInt(fact.row_count)]]);
  }
}

describe('a sample database is introspected as SQLite reports it', () => {
  beforeEach((context) => {
    if (facts.size === 0) context.skip('the sample databases are not there');
  });

  test.each(names)('%s', async (name) => {
    const sql = readFileSync(`${samples}sql/${name}`, 'utf8').replaceAll(
      /^\s*PRAGMA journal_mode.*$/gim,
      '',
    );
    await expectSchema(makeFile(`PRAGMA synchronous = OFF; ${sql}`), facts.get(name)!);
  });

  test('chinook.sqlite', async () => {
    const path = `${samples}sqlite/chinook.sqlite`;
    const { tables } = await openFile(path, { readOnly: true }).introspect();
    expect(
      tables
        .filter(({ name }) => name !== 'sqlite_sequence')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(
      facts
        .get('chinook_sqlite.sql')!
        .tables.map(({ name }) => name)
        .toSorted(),
    );
    const tracks = tables.find(({ name }) => name === 'PlaylistTrack');
    expect(tracks?.primaryKey?.columns).toEqual(['PlaylistId', 'TrackId']);
  });
});
