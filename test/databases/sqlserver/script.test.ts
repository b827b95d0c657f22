import { describe, expect, test } from 'vitest';
import { sqlserverScript } from '../../../src/databases/sqlserver/dialect/script.ts';
import { columnOf, tableOf } from '../../sql/neutral-schema.ts';
import type { ColumnType } from '../../../src/model/schema.ts';
import type { Value } from '../../../src/model/values.ts';

const literalOf = (value: Value, type: ColumnType = { kind: 'text' }): string =>
  sqlserverScript.literal(columnOf('v', type))(value);

const float: ColumnType = { kind: 'float', bits: 64 };

describe('a literal of T-SQL', () => {
  test.each<readonly [title: string, value: Value, type: ColumnType, literal: string]>([
    ['NULL', null, { kind: 'text' }, 'NULL'],
    ['text', "O'Brien 😀", { kind: 'text' }, "N'O''Brien 😀'"],
    ['lines', 'a\r\nb', { kind: 'text' }, "N'a\r\nb'"],
    [
      'a backslash before a line break',
      'a\\\nb',
      { kind: 'text' },
      "CAST(N'a\\' AS nvarchar(max)) + N'\nb'",
    ],
    ['a line of GO', 'a\n go\nb', { kind: 'text' }, "CAST(N'a\n g' AS nvarchar(max)) + N'o\nb'"],
    ['GO within a line', 'a GO', { kind: 'text' }, "N'a GO'"],
    ["a variable of sqlcmd's", '$(x)', { kind: 'text' }, "CAST(N'$' AS nvarchar(max)) + N'(x)'"],
    ['a zero character', 'a\0b', { kind: 'text' }, "CAST(N'a' AS nvarchar(max)) + NCHAR(0) + N'b'"],
    ['half a pair', '\ud83d!', { kind: 'text' }, "CAST(NCHAR(55357) AS nvarchar(max)) + N'!'"],
    ['a whole number', 5, { kind: 'integer', bits: 32 }, '5'],
    ['a large number', -(2n ** 63n), { kind: 'integer', bits: 64 }, '-9223372036854775808'],
    [
      'a decimal, as text',
      '12345678901234567890.10',
      { kind: 'decimal' },
      "N'12345678901234567890.10'",
    ],
    ['a float', 0.1, float, '0.1e0'],
    ['a float with an exponent', 1e21, float, '1e+21'],
    ['the negative zero', -0, float, '-0e0'],
    ['true', true, { kind: 'boolean' }, '1'],
    ['bytes', Buffer.from([0, 255]), { kind: 'binary' }, '0x00ff'],
    ['no bytes', Buffer.from([]), { kind: 'binary' }, '0x'],
    [
      'a moment',
      '2026-01-31T13:05:00.1234567',
      { kind: 'timestamp' },
      "N'2026-01-31T13:05:00.1234567'",
    ],
    ['a place', '/1/', { kind: 'other', name: 'hierarchyid' }, "CAST(N'/1/' AS hierarchyid)"],
    ['an integer of any type', 5n, { kind: 'untyped' }, 'CAST(CAST(5 AS bigint) AS sql_variant)'],
    ['a float of any type', 5, { kind: 'untyped' }, 'CAST(CAST(5e0 AS float) AS sql_variant)'],
  ])('is exact: %s', (_what, value, type, literal) => {
    expect(literalOf(value, type)).toBe(literal);
  });

  test('does not exist for a value that is not a number in T-SQL', () => {
    expect(() => literalOf(NaN, float)).toThrow('SQL Server cannot store NaN.');
  });
});

describe('a script of T-SQL', () => {
  const columns = [columnOf('id', { kind: 'integer', bits: 32 }, { autoIncrement: true })];

  test('inserts explicit identity values', () => {
    const target = { table: tableOf('a]b', columns), columns };
    expect(sqlserverScript.tableFrame(target)).toEqual({
      begin: ['SET IDENTITY_INSERT [a]]b] ON'],
      end: ['SET IDENTITY_INSERT [a]]b] OFF'],
    });
    expect(sqlserverScript.insertInto(target)).toBe('INSERT INTO [a]]b] ([id]) VALUES');
  });

  test('does not change settings for tables without an identity column', () => {
    const plain = [columnOf('v', { kind: 'text' })];
    expect(sqlserverScript.tableFrame({ table: tableOf('t', plain), columns: plain })).toEqual({
      begin: [],
      end: [],
    });
  });

  test('never has more rows in an INSERT than the server accepts', () => {
    expect(sqlserverScript.maxRows).toBeLessThanOrEqual(1000);
  });
});
