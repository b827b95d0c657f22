/** Columns, tables and comments that GORM or gofmt would change are skipped, left out or rewritten. */
import { describe, expect, test } from 'vitest';

import { mysqlDialect } from '../../src/databases/mysql/dialect/dialect.ts';
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts';
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts';
import { sqlserverDialect } from '../../src/databases/sqlserver/dialect/dialect.ts';
import { parseFloatText } from '../../src/gorm/go/syntax/literals.ts';
import { columnOf, schemaOf, tableOf } from '../sql/neutral-schema.ts';
import { dialects, goOf } from './write-models.ts';
import type { Column, ColumnType } from '../../src/model/schema.ts';
import type { Dialect } from '../databases/registered-databases.ts';

const int: ColumnType = { kind: 'integer', bits: 32 };
const id = columnOf('id', int, { nativeType: 'int' });

/** The names of the columns that AutoMigrate skips, each with what it would alter. */
function skipped(dialect: Dialect, columns: readonly Column[]): readonly string[] {
  const table = tableOf('t', [id, ...columns], { primaryKey: { columns: ['id'] } });
  return goOf(schemaOf([table]), dialect).warnings.map((warning) =>
    warning.replace(/^.*skips (\S+) .* alter (.*) at every run\.$/, '$1: $2'),
  );
}

test('PostgreSQL: columns of domains are skipped, and those of their base types are not', () => {
  const decimal: ColumnType = { kind: 'decimal', precision: 10, scale: 2 };
  const mood: ColumnType = { kind: 'enum', name: 'My mood', values: ['a'] };
  const inet: ColumnType = { kind: 'other', name: 'inet' };
  const text: ColumnType = { kind: 'text' };
  const columns: readonly [string, ColumnType, string, boolean][] = [
    ['a', text, 'email', true],
    ['b', text, 'text', false],
    ['c', text, 'citext', false],
    ['d', decimal, 'other.price', true],
    ['e', decimal, 'numeric(10,2)', false],
    ['f', mood, '"My mood"', false],
    ['g', mood, 'other."My mood"', false],
    ['h', mood, 'feeling', true],
    ['i', inet, 'inet', false],
    ['j', inet, 'my_inet', true],
    ['k', int, 'posint', false],
    ['l', { kind: 'interval' }, 'interval day to second(3)', false],
  ];
  const result = skipped(
    postgresDialect,
    columns.map(([name, type, nativeType]) => columnOf(name, type, { nativeType, nullable: true })),
  );
  // GORM finds quoted names of types different from those that PostgreSQL stores.
  const quoted = ['f', 'g'];
  expect(result.filter((each) => !quoted.includes(each[0] ?? ''))).toEqual(
    columns.filter(([, , , isDomain]) => isDomain).map(([name]) => `${name}: its type`),
  );
});

test('PostgreSQL: a numeric with a negative scale is skipped, because GORM reads another scale', () => {
  const type: ColumnType = { kind: 'decimal', precision: 3, scale: -2 };
  expect(skipped(postgresDialect, [columnOf('a', type, { nativeType: 'numeric(3,-2)' })])).toEqual([
    'a: its precision',
  ]);
});

describe('auto-increment columns outside the primary key', () => {
  const autoIncrement = { autoIncrement: true, nativeType: 'int' };
  test.each([
    ["nextval('t_a_seq'::regclass)", []],
    ['nextval(\'"T_a_seq"\'::regclass)', []],
    ["nextval('numbers'::regclass)", ['a: its default']],
  ])('PostgreSQL: %s', (text, expected) => {
    const column = columnOf('a', int, {
      autoIncrement: true,
      nativeType: 'integer',
      default: text,
    });
    expect(skipped(postgresDialect, [column])).toEqual(expected);
  });

  test('MySQL and SQL Server: they are skipped', () => {
    expect(skipped(mysqlDialect, [columnOf('a', int, autoIncrement)])).toEqual([
      'a: its AUTO_INCREMENT',
    ]);
    expect(skipped(sqlserverDialect, [columnOf('a', int, autoIncrement)])).toEqual([
      'a: its IDENTITY',
    ]);
  });
});

test('MySQL: the default text NULL is skipped, which GORM reads as no default', () => {
  const type: ColumnType = { kind: 'text', length: 9 };
  const column = (text: string): Column =>
    columnOf('a', type, { nativeType: 'varchar(9)', nullable: true, default: text });
  expect(skipped(mysqlDialect, [column("'NULL'")])).toEqual([
    'a: its default, which it reads as NULL,',
  ]);
  expect(skipped(mysqlDialect, [column("'null'")])).toEqual([]);
});

test('MySQL: a table with system versioning has a warning', () => {
  const table = tableOf('t', [id], { options: { temporal: 'SYSTEM VERSIONING' } });
  expect(goOf(schemaOf([table]), mysqlDialect).warnings.join('\n')).toContain(
    'AutoMigrate fails on this table: GORM does not find a table with system versioning',
  );
});

test.each(dialects)('$name: a table with a backquote in its name is left out', (dialect) => {
  const { text, warnings } = goOf(schemaOf([tableOf('a`b', [id])]), dialect);
  expect(text).not.toContain('struct');
  expect(warnings).toEqual(['The table a`b is left out: GORM cannot use its name.']);
});

test('SQLite: a column with an empty name is left out', () => {
  const { text } = goOf(schemaOf([tableOf('t', [id, columnOf('', int)])]), sqliteDialect);
  expect(text).not.toContain('column:"');
  expect(text).toContain('// The column  is left out'.replace('  ', ' '));
});

test('a number beyond float64 is rejected, as by strconv.ParseFloat', () => {
  expect(['1e999', '-1e999', `0x${'f'.repeat(300)}`, '1e308', '-inf'].map(parseFloatText)).toEqual([
    ...[undefined, undefined, undefined],
    ...[1e308, -Infinity],
  ]);
});

test.each(dialects)('$name: gofmt changes no comment', (dialect) => {
  const comment = "+build ignore\n+buildings\n``a'' b";
  const table = tableOf('t', [{ ...id, comment: '+build x' }], { comment });
  const lines = goOf(schemaOf([table]), dialect).text.split('\n');
  expect(lines.filter((line) => /^\s*\/\/ [+“]/.test(line))).toEqual([
    '// + build ignore',
    '// +buildings',
    '// “a” b',
    '\t// + build x',
  ]);
});
