import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJsonValue } from '../../src/model/values/read-json-value.ts';
import { textReader } from '../../src/model/values/read-text-value.ts';
import type { Column, ColumnType } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/values.ts';

function columnOf(type: ColumnType, dynamic: boolean): Column {
  return {
    name: 'c',
    type,
    nativeType: type.kind,
    nullable: true,
    ...(dynamic ? { dynamic } : {}),
  };
}

function read(text: string, type: ColumnType, dynamic = false): Value {
  return textReader(columnOf(type, dynamic))(text);
}

const int64: ColumnType = { kind: 'integer', bits: 64 };
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

describe('text cells', () => {
  test.each<[ColumnType, string, Value]>([
    [int64, '42', 42],
    [int64, '-5', -5n],
    [int64, ' 7 ', 7n],
    [int64, '007', 7],
    [int64, '9007199254740993', 9007199254740993n],
    [int64, '-9223372036854775808', -9223372036854775808n],
    [int64, '1.0', 1n],
    [{ kind: 'integer', bits: 8 }, '127', 127n],
    [{ kind: 'integer', bits: 32 }, '999999999', 999999999],
    [{ kind: 'integer', bits: 64, unsigned: true }, '18446744073709551615', 18446744073709551615n],
    [
      { kind: 'decimal', precision: 30, scale: 10 },
      '12345678901234567890.10',
      '12345678901234567890.10',
    ],
    [{ kind: 'decimal' }, 'NaN', 'NaN'],
    [{ kind: 'float', bits: 64 }, '1e-3', 0.001],
    [{ kind: 'float', bits: 64 }, '-0', -0],
    [{ kind: 'float', bits: 64 }, '-Infinity', -Infinity],
    [{ kind: 'boolean' }, 'true', true],
    [{ kind: 'boolean' }, 'F', false],
    [{ kind: 'boolean' }, 'Yes', true],
    [{ kind: 'boolean' }, '0', false],
    [{ kind: 'boolean' }, '2', 2n],
    [{ kind: 'text' }, ' 1 ', ' 1 '],
    [{ kind: 'date' }, '2026-01-31', '2026-01-31'],
    [{ kind: 'timestamp' }, 'infinity', 'infinity'],
    [{ kind: 'json' }, '{"a": 1.50}', '{"a": 1.50}'],
    [{ kind: 'array', of: int64 }, '[1,null]', '[1,null]'],
    [{ kind: 'array', of: int64 }, '{1,2}', '{1,2}'],
    [{ kind: 'array', of: int64 }, '[2:3]={5,6}', '[2:3]={5,6}'],
    [{ kind: 'binary' }, String.raw`\x00FF`, bytes('00ff')],
    [{ kind: 'binary' }, String.raw`\x`, bytes('')],
    [{ kind: 'bits', length: 4 }, '0101', '0101'],
    [{ kind: 'enum', values: ['a', 'b'] }, 'b', 'b'],
    [{ kind: 'other', name: 'inet' }, '::1', '::1'],
  ])('%j: %s', (type, text, expected) => {
    expect(read(text, type)).toEqual(expected);
  });

  test.each<[ColumnType, string]>([
    [int64, ''],
    [int64, 'x'],
    [int64, '1.5'],
    [int64, '1,000'],
    [int64, '9223372036854775808'],
    [{ kind: 'integer', bits: 8 }, '128'],
    [{ kind: 'integer', bits: 8, unsigned: true }, '-1'],
    [{ kind: 'decimal', precision: 8, scale: 2 }, '1.234'],
    [{ kind: 'float', bits: 64 }, '1e999'],
    [{ kind: 'boolean' }, 'maybe'],
    [{ kind: 'boolean' }, ''],
    [{ kind: 'json' }, '{a}'],
    [{ kind: 'json' }, ''],
    [{ kind: 'array', of: int64 }, '[1'],
    [{ kind: 'binary' }, 'abc'],
    [{ kind: 'binary' }, String.raw`\x0`],
    [{ kind: 'bits' }, '012'],
    [{ kind: 'enum', values: ['a', 'b'] }, 'c'],
  ])('%j rejects %j', (type, text) => {
    expect(() => read(text, type)).toThrow(
      expect.objectContaining({ code: 'invalid_value', details: { column: 'c' } }),
    );
  });

  test.each<[ColumnType, string, Value]>([
    [int64, '42', 42],
    [int64, 'text', 'text'],
    [int64, ' 42 ', ' 42 '],
    [int64, '9007199254740993', 9007199254740993n],
    [{ kind: 'boolean' }, 'true', 1n],
    [{ kind: 'boolean' }, 'text', 'text'],
    [{ kind: 'decimal' }, '1.5', 1.5],
    [{ kind: 'float', bits: 64 }, 'Infinity', Infinity],
    [{ kind: 'text' }, '42', '42'],
    [{ kind: 'json' }, 'no JSON', 'no JSON'],
    [{ kind: 'untyped' }, '42', '42'],
    [{ kind: 'untyped' }, String.raw`\x00ff`, bytes('00ff')],
    [{ kind: 'binary' }, 'text', 'text'],
    [{ kind: 'text' }, String.raw`\x00ff`, String.raw`\x00ff`],
  ])('with a storage class per value, %j: %s', (type, text, expected) => {
    expect(read(text, type, true)).toEqual(expected);
  });

  test('a number that SQLite would change in such a column is rejected', () => {
    expect(() => read('0.1234567890123456789', { kind: 'decimal' }, true)).toThrow('exactly');
  });
});

describe('numbers have the same result as JSON strings', () => {
  const digits = fc.stringMatching(/^[+-]?\d{1,32}(\.\d{0,32})?(e[+-]?\d{1,3})?$/);
  const texts = fc.oneof(digits, fc.stringMatching(/^-?\d{1,8}\.\d{1,8}$/), fc.constant('-0.0'));
  const types: readonly ColumnType[] = [
    { kind: 'decimal' },
    { kind: 'decimal', precision: 12, scale: 2 },
    { kind: 'float', bits: 64 },
  ];

  test.each(types.flatMap((type) => [false, true].map((dynamic) => [type, dynamic] as const)))(
    '%o, of SQLite: %s',
    (type, dynamic) => {
      const returned = (work: () => Value): Value | Error => {
        try {
          return work();
        } catch (error) {
          return error as Error;
        }
      };
      fc.assert(
        fc.property(texts, (text) => {
          const node = { kind: 'string', start: 0, end: 0, value: text } as const;
          const column = columnOf(type, dynamic);
          expect(returned(() => read(text, type, dynamic))).toEqual(
            returned(() => readJsonValue({ node, text: '' }, column)),
          );
        }),
      );
    },
  );
});
