import { expect, test } from 'vitest';
import { expressionsOf } from '../../src/databases/all.ts';
import { mysqlDialect } from '../../src/databases/mysql/dialect/dialect.ts';
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts';
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts';
import { rankDialects } from '../../src/sql/detect-dialect.ts';
import { translateSchema } from '../../src/sql/translate-schema.ts';
import { columnOf, schemaOf, tableOf } from './neutral-schema.ts';
import type { LexicalRules } from '../../src/portable/lexer/lexer.ts';
import type { Schema } from '../../src/model/schema.ts';
import { databaseKinds } from '../databases/registered-databases.ts';
import type { Dialect } from '../databases/registered-databases.ts';

const translate = (
  schema: Schema,
  from: Dialect,
  to: Dialect,
): ReturnType<typeof translateSchema> =>
  translateSchema(schema, { from: expressionsOf(from), to: expressionsOf(to), ddl: to.ddl });

test('expressions that cannot be translated are left out, each with a warning', () => {
  const table = tableOf(
    'a',
    [
      columnOf('b', { kind: 'text' }, { default: "md5('x')", collation: 'C' }),
      columnOf('c', { kind: 'text' }, { generated: { expression: 'md5(b)', stored: true } }),
    ],
    {
      checks: [{ expression: "b ~ '^x'" }, { expression: "b <> ''" }],
      indexes: [
        { name: 'i', unique: false, parts: [{ expression: 'md5(b)' }] },
        { name: 'j', unique: false, parts: [{ expression: 'lower(b)' }], where: 'b IS NOT NULL' },
      ],
    },
  );
  const view = { ...tableOf('v', []), kind: 'view' as const, definition: 'SELECT 1' };
  const { schema, warnings } = translate(
    schemaOf([table], { views: [view] }),
    postgresDialect,
    sqliteDialect,
  );
  expect(warnings).toHaveLength(6);
  expect(schema.views).toEqual([]);
  const [translatedTable] = schema.tables;
  expect(translatedTable?.columns).toEqual([
    columnOf('b', { kind: 'text' }),
    { ...columnOf('c', { kind: 'text' }), nullable: true, generatedInFile: true },
  ]);
  expect(translatedTable?.checks).toEqual([{ expression: `"b" <> ''` }]);
  expect(translatedTable?.indexes).toMatchObject([
    { name: 'j', parts: [{ expression: 'lower("b")' }], where: '"b" IS NOT NULL' },
  ]);
});

test('duplicate names are made unique, and namespaces become part of names in databases without them', () => {
  const index = { name: 'k', unique: false, parts: [{ column: 'a' }] };
  const column = columnOf('a', { kind: 'integer', bits: 32 });
  const one = tableOf('one', [column], {
    indexes: [index],
    checks: [{ name: 'K', expression: 'a > 0' }],
  });
  const two = tableOf('s.two', [column], { localName: 'two', namespace: 's', indexes: [index] });
  const { schema, warnings } = translate(schemaOf([one, two]), postgresDialect, mysqlDialect);
  expect(schema.tables.map(({ localName, namespace }) => [localName, namespace])).toEqual([
    ['one', undefined],
    ['s.two', undefined],
  ]);
  expect(schema.tables[0]?.checks[0]?.name).toBe('one_K');
  expect(schema.tables[1]?.indexes[0]?.name).toBe('s.two_k');
  expect(warnings).toHaveLength(2);
});

test('the dialect of a text is detected; without evidence it is that of the target database', () => {
  const candidates = databaseKinds.map(({ dialect, ddlReader, dataScript }) => ({
    name: dialect.name,
    hints: ddlReader.dialectHints,
    comments: dataScript.proofs.comments,
  }));
  const lexicalOf = (name: string): LexicalRules =>
    databaseKinds.find(({ dialect }) => dialect.name === name)!.language.lexical;
  const firstCandidate = (text: string, targetName: string): string | undefined =>
    rankDialects(text, candidates, { name: targetName, lexical: lexicalOf(targetName) })[0]?.name;
  expect(
    firstCandidate('CREATE TABLE `a` (id INT UNSIGNED AUTO_INCREMENT) ENGINE=InnoDB', 'sqlite'),
  ).toBe('mysql');
  expect(firstCandidate("CREATE TABLE a (id serial, b text DEFAULT ''::text)", 'mysql')).toBe(
    'postgres',
  );
  expect(firstCandidate('CREATE TABLE [dbo].[a] ([id] int IDENTITY(1,1))\nGO\n', 'postgres')).toBe(
    'sqlserver',
  );
  expect(
    firstCandidate(
      'PRAGMA foreign_keys=OFF; CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT)',
      'mysql',
    ),
  ).toBe('sqlite');
  for (const text of [
    'CREATE TABLE a (id int)',
    '-- for mysql, not sqlite, as in postgres: ENGINE=InnoDB\nCREATE TABLE a (d datetime)',
    "CREATE TABLE a (t text DEFAULT 'it is AUTO_INCREMENT, ENGINE=InnoDB')",
  ])
    for (const { name } of candidates) expect(firstCandidate(text, name)).toBe(name);
});
