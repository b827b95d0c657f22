import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import valueParser from 'tedious/lib/value-parser.js';

import type { Metadata } from 'tedious/lib/metadata-parser.js';
import type { Value } from '../../../src/model/values.ts';

// The driver's own parser, once the studio's driver has been loaded.
beforeAll(() => import('../../../src/databases/sqlserver/driver/driver.ts'));

type Shape = Partial<Pick<Metadata, 'precision' | 'scale'>>;

function read(name: string, bytes: Uint8Array | readonly number[], shape: Shape = {}): Value {
  const buffer = Buffer.from(bytes as Uint8Array);
  const metadata = { type: { name }, ...shape } as unknown as Metadata;
  const options = { useUTC: true, lowerCaseGuids: true } as never;
  const { value, offset } = valueParser.readValue(buffer, 0, metadata, options);
  expect(offset).toBe(buffer.length);
  return value as Value;
}

/** Bytes preceded by their length in one byte. */
function counted(...parts: readonly (Uint8Array | readonly number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));
  return Buffer.concat([Buffer.from([body.length]), body]);
}

/** An unsigned number, little-endian. */
function little(value: bigint | number, bytes: number): Buffer {
  const digits = BigInt(value)
    .toString(16)
    .padStart(bytes * 2, '0');
  return Buffer.from(Buffer.from(digits, 'hex').toReversed());
}

const ticksPerSecond = 10_000_000n;
const dayTicks = 86_400n * ticksPerSecond;

/** Days since 0001-01-01. */
function daysOf(date: string): number {
  return (Date.parse(`${date}T00:00:00Z`) - Date.parse('0001-01-01T00:00:00Z')) / 86_400_000;
}

describe('decimals', () => {
  const decimal = (digits: bigint, scale: number, bytes = 16): Value =>
    read(
      'DecimalN',
      counted([digits < 0n ? 0 : 1], little(digits < 0n ? -digits : digits, bytes)),
      {
        precision: 38,
        scale,
      },
    );

  test('keep all their digits', () => {
    expect(decimal(12345678901234567890123456789012345678n, 10)).toBe(
      '1234567890123456789012345678.9012345678',
    );
    expect(decimal(1n - 10n ** 38n, 0)).toBe(`-${'9'.repeat(38)}`);
  });

  test('keep their scale', () => {
    expect(decimal(1050n, 2, 4)).toBe('10.50');
    expect(decimal(-5n, 3, 4)).toBe('-0.005');
    expect(decimal(0n, 2, 4)).toBe('0.00');
    expect(decimal(7n, 0, 8)).toBe('7');
  });

  test('of any digits and scale are read exactly', () => {
    const cases = fc.record({
      digits: fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
      scale: fc.integer({ min: 0, max: 38 }),
    });
    fc.assert(
      fc.property(cases, ({ digits, scale }) => {
        const text = String(decimal(digits, scale));
        const [whole = '', fraction = ''] = text.split('.');
        expect(fraction).toHaveLength(scale);
        expect(BigInt(whole + fraction)).toBe(digits);
        expect(text).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);
      }),
    );
  });

  test('that are incomplete are read after more data arrives', () => {
    const metadata = { type: { name: 'DecimalN' }, scale: 2 } as unknown as Metadata;
    for (const bytes of [[], [5], [5, 1, 0, 0]]) {
      expect(() => valueParser.readValue(Buffer.from(bytes), 0, metadata, {} as never)).toThrow(
        expect.objectContaining({ byteCount: bytes.length === 0 ? 1 : 6 }) as Error,
      );
    }
  });
});

describe('money', () => {
  test('keeps its four decimals', () => {
    const money = (value: bigint): Value => {
      const bytes = Buffer.alloc(8);
      bytes.writeInt32LE(Number(value >> 32n));
      bytes.writeUInt32LE(Number(value & 0xffffffffn), 4);
      return read('MoneyN', counted(bytes));
    };
    expect(money(123_456n)).toBe('12.3456');
    expect(money(2n ** 63n - 1n)).toBe('922337203685477.5807');
    expect(money(-(2n ** 63n))).toBe('-922337203685477.5808');
    expect(money(-1n)).toBe('-0.0001');
  });

  test('keeps them in four bytes too', () => {
    expect(read('SmallMoney', [0x40, 0xe2, 1, 0])).toBe('12.3456');
    expect(read('MoneyN', counted([0xff, 0xff, 0xff, 0xff]))).toBe('-0.0001');
  });
});

describe('integers', () => {
  test('of 64 bits are bigints', () => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(9_007_199_254_740_993n);
    expect(read('IntN', counted(bytes))).toBe(9_007_199_254_740_993n);
    expect(read('BigInt', bytes)).toBe(9_007_199_254_740_993n);
  });

  test('of fewer bits are numbers', () => {
    expect(read('IntN', counted([0xff, 0xff, 0xff, 0xff]))).toBe(-1);
    expect(read('IntN', counted([0xff]))).toBe(255);
    expect(read('IntN', counted([]))).toBeNull();
  });
});

describe('dates and times', () => {
  test('of datetime2 have seven decimals', () => {
    const ticks = 13n * 3600n * ticksPerSecond + 1_234_567n;
    const bytes = counted(little(ticks, 5), little(daysOf('2026-01-31'), 3));
    expect(read('DateTime2', bytes, { scale: 7 })).toBe('2026-01-31T13:00:00.1234567');
  });

  test('have no redundant zeros', () => {
    const bytes = counted(little(47_100_250, 4), little(daysOf('0001-01-01'), 3));
    expect(read('DateTime2', bytes, { scale: 3 })).toBe('0001-01-01T13:05:00.25');
    expect(read('Time', counted(little(0, 3)), { scale: 0 })).toBe('00:00:00');
    expect(read('Time', counted(little(dayTicks - 1n, 5)), { scale: 7 })).toBe('23:59:59.9999999');
    expect(read('Date', counted(little(daysOf('9999-12-31'), 3)))).toBe('9999-12-31');
  });

  test('of datetimeoffset keep their offset', () => {
    const zoned = (utc: string, ticks: bigint, minutes: number): Value => {
      const offset = Buffer.alloc(2);
      offset.writeInt16LE(minutes);
      return read('DateTimeOffset', counted(little(ticks, 5), little(daysOf(utc), 3), offset), {
        scale: 7,
      });
    };
    expect(zoned('2026-01-31', 13n * 3600n * ticksPerSecond, 120)).toBe(
      '2026-01-31T15:00:00+02:00',
    );
    expect(zoned('2026-01-31', 0n, -330)).toBe('2026-01-30T18:30:00-05:30');
    expect(zoned('2026-01-31', dayTicks - 1n, 1)).toBe('2026-02-01T00:00:59.9999999+00:01');
    expect(zoned('2026-01-31', 0n, 0)).toBe('2026-01-31T00:00:00Z');
  });

  test('of datetime have three decimals', () => {
    const days = Buffer.alloc(4);
    days.writeInt32LE(-53_690);
    expect(read('DateTimeN', counted(days, little(1, 4)))).toBe('1753-01-01T00:00:00.003');
    expect(read('DateTimeN', counted(days, little(25_919_999, 4)))).toBe('1753-01-01T23:59:59.997');
    expect(read('DateTimeN', counted(little(0, 2), little(90, 2)))).toBe('1900-01-01T01:30:00');
  });
});

describe('a sql_variant', () => {
  const variant = (type: number, properties: readonly number[], value: Uint8Array): Value => {
    const body = Buffer.from([type, properties.length, ...properties, ...value]);
    return read('Variant', Buffer.concat([little(body.length, 4), body]));
  };

  test('distinguishes integers from floats', () => {
    expect(variant(0x38, [], little(5, 4))).toBe(5n);
    expect(variant(0x30, [], little(255, 1))).toBe(255n);
    const float = Buffer.alloc(8);
    float.writeDoubleLE(5);
    expect(variant(0x3e, [], float)).toBe(5);
  });

  test('keeps decimals and timestamps exact', () => {
    expect(variant(0x6c, [10, 2], Buffer.concat([Buffer.from([1]), little(1050, 8)]))).toBe(
      '10.50',
    );
    const moment = Buffer.concat([little(1, 5), little(daysOf('2026-01-31'), 3)]);
    expect(variant(0x2a, [7], moment)).toBe('2026-01-31T00:00:00.0000001');
  });

  test('of text is text, of NULL is NULL', () => {
    expect(variant(0xe7, [0, 0, 0, 0, 0, 20, 0], Buffer.from('äb', 'ucs2'))).toBe('äb');
    expect(read('Variant', little(0, 4))).toBeNull();
  });
});
