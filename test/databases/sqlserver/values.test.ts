import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readParameter } from '../../../src/databases/sqlserver/dialect/read-parameter.ts';
import { placeholder, toParameters } from '../../../src/databases/sqlserver/dialect/values.ts';
import { nativeColumn } from './native-column.ts';
import type { Parameter } from '../../../src/databases/sqlserver/dialect/values.ts';
import type { Value } from '../../../src/model/values.ts';

/** The declared type and the sent value of a parameter for a column of that type. */
function sent(nativeType: string, value: Value): Parameter {
  const text = placeholder(1, nativeColumn('c', nativeType).type);
  return toParameters(text, [value])[0]!;
}

describe('a parameter is declared as its column', () => {
  test.each<readonly [nativeType: string, value: Value, declared: string]>([
    ['bit', true, 'bit'],
    ['tinyint', 255n, 'tinyint'],
    ['smallint', 1n, 'smallint'],
    ['int', 1n, 'int'],
    ['bigint', 1n, 'bigint'],
    ['decimal(10,2)', '12345678.25', 'decimal(10,2)'],
    ['decimal(10,2)', '1.234', 'decimal(38,3)'],
    ['decimal(10,2)', '123456789', 'decimal(38,0)'],
    ['numeric(5,0)', '12345', 'decimal(5,0)'],
    ['money', '12.3456', 'money'],
    ['money', '922337203685477.5807', 'decimal(38,4)'],
    ['smallmoney', '1.5', 'smallmoney'],
    ['real', 0.1, 'real'],
    ['float', 0.1, 'float'],
    ['varchar(20)', 'abc', 'varchar(8000)'],
    ['char(20)', 'abc', 'varchar(8000)'],
    ['varchar(20)', 'ä', 'nvarchar(4000)'],
    ['varchar(max)', 'a'.repeat(8001), 'varchar(max)'],
    ['nvarchar(20)', 'abc', 'nvarchar(4000)'],
    ['nvarchar(max)', 'a'.repeat(4001), 'nvarchar(max)'],
    ['ntext', 'a', 'nvarchar(4000)'],
    ['uniqueidentifier', '6fa459ea-ee8a-4ca4-894e-db77e160355e', 'uniqueidentifier'],
    ['date', '2026-01-31', 'date'],
    ['time(7)', '13:05:00.1234567', 'time'],
    ['datetime', '2026-01-31T13:05:00.123', 'datetime'],
    ['datetime', '2026-01-31T13:05:00.1234', 'datetime2'],
    ['smalldatetime', '2026-01-31T13:05:00', 'datetime2'],
    ['datetime2(7)', '2026-01-31T13:05:00.1234567', 'datetime2'],
    ['varbinary(max)', Buffer.from([1]), 'varbinary(8000)'],
    ['image', Buffer.alloc(8001), 'varbinary(max)'],
    ['timestamp', Buffer.alloc(8), 'varbinary(8000)'],
    ['xml', '<a/>', 'nvarchar(4000)'],
    ['sql_variant', 5n, 'bigint'],
    ['sql_variant', 'x', 'nvarchar(4000)'],
    ['int', null, 'int'],
    ['varchar(20)', null, 'varchar(8000)'],
    ['varbinary(20)', null, 'varbinary(8000)'],
    ['nvarchar(20)', null, 'nvarchar(4000)'],
  ])('%s, %o: %s', (nativeType, value, declared) => {
    expect(sent(nativeType, value).declared).toBe(declared);
  });

  test('or converted at its placeholder', () => {
    const formatted = (type: string): string => placeholder(3, nativeColumn('c', type).type);
    expect(formatted('datetimeoffset(7)')).toBe('CAST(@p3 AS datetimeoffset)');
    expect(formatted('hierarchyid')).toBe('CAST(@p3 AS hierarchyid)');
    expect(formatted('geography')).toBe('CAST(@p3 AS geography)');
    expect(placeholder(3, undefined)).toBe('@p3');
  });
});

describe('a number', () => {
  test.each([
    ['1e3', '1000'],
    ['1.5e-3', '0.0015'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-00012.500', '-12.5'],
    ['+7', '7'],
    ['0', '0'],
  ])('%s is sent as %s', (text, value) => {
    expect(sent('decimal(38,10)', text).sent).toEqual({ as: 'text', value });
  });

  test('with any number of digits is sent unchanged, with a type that keeps them', () => {
    const decimals = fc.record({
      digits: fc.bigInt({ min: 1n - 10n ** 38n, max: 10n ** 38n - 1n }),
      scale: fc.integer({ min: 0, max: 38 }),
    });
    fc.assert(
      fc.property(decimals, ({ digits, scale }) => {
        const { declared, sent: sentParameter } = sent('decimal(10,2)', `${digits}e-${scale}`);
        const [whole = '', fraction = ''] = String(sentParameter.value).replace('-', '').split('.');
        const stored = BigInt(whole + fraction.padEnd(scale, '0'));
        expect(stored).toBe(digits < 0n ? -digits : digits);
        const [, precision, declaredScale] = /^decimal\((\d+),(\d+)\)$/.exec(declared) ?? [];
        expect(fraction.length).toBeLessThanOrEqual(Number(declaredScale));
        expect(whole.replace(/^0$/, '').length).toBeLessThanOrEqual(
          Number(precision) - Number(declaredScale),
        );
      }),
    );
  });

  test.each(['NaN', 'Infinity', '', '.', '1e40', '1'.repeat(39)])('%s is rejected', (text) => {
    expect(() => sent('decimal(38,10)', text)).toThrow(
      expect.objectContaining({ code: 'invalid_value' }) as Error,
    );
  });

  test('that is NaN is rejected in a float', () => {
    for (const value of [NaN, Infinity, -Infinity])
      expect(() => sent('float', value)).toThrow('SQL Server cannot store');
  });

  test('keeps the sign of zero', () => {
    expect(Object.is(sent('float', -0).sent.value, -0)).toBe(true);
  });

  test('other than 0 and 1 is not sent as a bit', () => {
    expect(sent('bit', 1n).declared).toBe('bit');
    expect(() => sent('bit', 2n)).toThrow(
      expect.objectContaining({ code: 'invalid_value' }) as Error,
    );
  });

  test('beyond 64 bits is sent as a decimal', () => {
    expect(sent('sql_variant', 2n ** 64n).declared).toBe('decimal(38,0)');
  });
});

describe('the parameters of a statement', () => {
  test('are found by their numbers', () => {
    const [first, second] = toParameters('SELECT @p2/*int*/, @p1/*varchar*/', ['a', 5n]);
    expect(first?.declared).toBe('varchar(8000)');
    expect(second?.declared).toBe('int');
  });

  test('must all be used', () => {
    expect(() => toParameters('SELECT @p1', [1n, 2n])).toThrow('takes no parameter @p2');
    expect(() => toParameters('SELECT @p12', [1n])).toThrow('takes no parameter @p1');
  });
});

describe('a text of a parameter', () => {
  test.each<readonly [nativeType: string, text: string, values: readonly Value[]]>([
    ['int', '12', [12n]],
    ['int', '2147483648', []],
    ['tinyint', '-1', []],
    ['int', '1.5', []],
    ['int', '', []],
    ['bit', 'true', [true]],
    ['bit', '0', [false]],
    ['bit', '2', []],
    ['decimal(10,2)', '1.505', ['1.505']],
    ['decimal(10,2)', 'x', []],
    ['decimal(10,2)', '1e50', []],
    ['float', '1e3', [1000]],
    ['float', '1e999', []],
    ['real', '1e300', []],
    ['nvarchar(20)', '', ['']],
    ['uniqueidentifier', 'x', []],
    ['date', '2026-01-31', ['2026-01-31']],
    ['date', '2026-01-31T00:00', []],
    ['time(7)', '13:05', ['13:05']],
    ['time(7)', '1 pm', []],
    ['datetime2(7)', '2026-01-31 13:05:00.25', ['2026-01-31 13:05:00.25']],
    ['datetime2(7)', '2026-01-31T13:05:00Z', []],
    ['datetimeoffset(7)', '2026-01-31T13:05:00Z', ['2026-01-31T13:05:00Z']],
    ['varbinary(10)', '0x0aFF', [Buffer.from([10, 255])]],
    ['varbinary(10)', 'AQI', [Buffer.from([1, 2])]],
    ['varbinary(10)', '€', []],
    ['sql_variant', '12', [12n, '12']],
    ['sql_variant', '1.5', [1.5, '1.5']],
    ['sql_variant', 'x', ['x']],
    ['hierarchyid', '/1/', ['/1/']],
    ['hierarchyid', '', []],
  ])('for %s: %s is %o', (nativeType, text, values) => {
    expect(readParameter(text, nativeColumn('c', nativeType))).toEqual(values);
  });
});
