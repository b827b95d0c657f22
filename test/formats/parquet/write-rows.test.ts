/** Parquet files as another library (hyparquet) reads them. */
import * as fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { writeParquetTable } from '../../../src/formats/parquet/write-rows.ts';
import { bytesOf, nullable, rowsOf } from '../writing.ts';
import type { Column, ColumnType } from '../../../src/model/schema.ts';
import type { Row, Value } from '../../../src/model/values.ts';

interface Raw {
  readonly fields: readonly unknown[][];
  readonly buffer: ArrayBuffer;
}

/** The stored values before the conversions of the library, which go through doubles. */
const asStored = {
  timestampFromMilliseconds: (value: bigint) => value,
  timestampFromMicroseconds: (value: bigint) => value,
  timestampFromNanoseconds: (value: bigint) => value,
  dateFromDays: (value: number) => value,
};

async function write(columns: readonly Column[], rows: readonly Row[]): Promise<ArrayBuffer> {
  const bytes = await bytesOf(writeParquetTable(rowsOf('t', columns, rows, 7)));
  return new Uint8Array(bytes).buffer;
}

async function read(columns: readonly Column[], rows: readonly Row[]): Promise<Raw> {
  const buffer = await write(columns, rows);
  const objects = await parquetReadObjects({
    file: buffer,
    parsers: asStored,
    utf8: false,
  });
  const names = columns.map(({ name }) => name);
  return { buffer, fields: objects.map((row) => names.map((name) => row[name])) };
}

interface Kind {
  readonly type: ColumnType;
  readonly values: fc.Arbitrary<Value>;
  /** The value in the file. */
  readonly stored: (value: never) => unknown;
}

const same = (value: unknown): unknown => value;
const unix = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});
const micros = fc.tuple(unix, fc.nat(999));
const bigint64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Microseconds by way of the parts of the text, as the judge of the writer. */
function microsOf(text: string): bigint {
  const [seconds = '', fraction = ''] = text.replace(/Z|\+00(?::00)?$/, '').split('.');
  return (
    BigInt(Date.parse(`${seconds.replace(' ', 'T')}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'))
  );
}

const timestamps = micros.map(
  ([at, extra]) => `${at.toISOString().slice(0, -1)}${String(extra).padStart(3, '0')}`,
);

const kinds: Readonly<Record<string, Kind>> = {
  boolean: { type: { kind: 'boolean' }, values: fc.boolean(), stored: same },
  'small integer': {
    type: { kind: 'integer', bits: 32 },
    values: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    stored: same,
  },
  integer: {
    type: { kind: 'integer', bits: 64 },
    values: fc.oneof(fc.maxSafeInteger(), bigint64).filter((value) => !Object.is(value, -0)),
    stored: (value: bigint | number) => BigInt(value),
  },
  'integer as text': {
    type: { kind: 'integer', bits: 64 },
    values: bigint64.map(String),
    stored: (text: string) => BigInt(text),
  },
  'unsigned integer': {
    type: { kind: 'integer', bits: 32, unsigned: true },
    values: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    stored: (value: number) => BigInt(value),
  },
  double: { type: { kind: 'float', bits: 64 }, values: fc.double(), stored: same },
  'double as text': {
    type: { kind: 'float', bits: 64 },
    values: fc.double().map((value) => (Object.is(value, -0) ? '-0' : String(value))),
    stored: (text: string) => Number(text),
  },
  float: { type: { kind: 'float', bits: 32 }, values: fc.float(), stored: same },
  text: { type: { kind: 'text' }, values: fc.string({ unit: 'grapheme' }), stored: same },
  json: { type: { kind: 'json' }, values: fc.json(), stored: same },
  'decimal without precision': {
    type: { kind: 'decimal' },
    values: fc.tuple(bigint64, fc.nat(1e6)).map(([whole, fraction]) => `${whole}.${fraction}`),
    stored: same,
  },
  date: {
    type: { kind: 'date' },
    values: unix.map((at) => at.toISOString().slice(0, 10)),
    stored: (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000,
  },
  timestamp: {
    type: { kind: 'timestamp', precision: 6 },
    values: timestamps.map((text) => text.replace('T', ' ')),
    stored: microsOf,
  },
  'timestamp with time zone': {
    type: { kind: 'timestamp', precision: 6, zone: true },
    values: fc
      .tuple(timestamps, fc.constantFrom('Z', '+00:00', '+00'))
      .map((parts) => parts.join('')),
    stored: microsOf,
  },
  binary: { type: { kind: 'binary' }, values: fc.uint8Array(), stored: same },
};

describe.each(Object.entries(kinds))('a column of kind %s', (_name, { type, values, stored }) => {
  test('has its values', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(values, { freq: 4 }), { maxLength: 60 }),
        async (column) => {
          const { fields } = await read(
            [nullable('v', type)],
            column.map((value) => [value]),
          );
          expect(fields.map(([value]) => value ?? null)).toEqual(
            column.map((value) => (value === null ? null : stored(value as never))),
          );
        },
      ),
    );
  });
});

test('decimals have each digit', async () => {
  const decimal = fc.integer({ min: 1, max: 38 }).chain((precision) =>
    fc.record({
      precision: fc.constant(precision),
      scale: fc.nat(precision),
      digits: fc.array(
        fc.bigInt({ min: -(10n ** BigInt(precision)) + 1n, max: 10n ** BigInt(precision) - 1n }),
        { minLength: 1 },
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(decimal, async ({ precision, scale, digits }) => {
      const text = (value: bigint): string => {
        const padded = String(value < 0n ? -value : value).padStart(scale + 1, '0');
        const at = padded.length - scale;
        return `${value < 0n ? '-' : ''}${padded.slice(0, at)}${scale === 0 ? '' : `.${padded.slice(at)}`}`;
      };
      const column = nullable('v', { kind: 'decimal', precision, scale });
      const buffer = await write(
        [column],
        digits.map((value) => [text(value)]),
      );
      const { schema } = parquetMetadata(buffer);
      expect(schema[1]).toMatchObject({ converted_type: 'DECIMAL', precision, scale });
      // The library reads decimals as doubles, so the bytes are read as they are.
      const length = schema[1]?.type_length ?? 0;
      const raw = parquetMetadata(buffer);
      raw.schema[1] = {
        name: 'v',
        type: 'FIXED_LEN_BYTE_ARRAY',
        type_length: length,
        repetition_type: 'OPTIONAL',
      };
      const rows = await parquetReadObjects({ file: buffer, metadata: raw, utf8: false });
      const found = rows.map(({ v }) =>
        BigInt.asIntN(8 * length, BigInt(`0x${Buffer.from(v as Uint8Array).toString('hex')}`)),
      );
      expect(found).toEqual(digits);
    }),
  );
});

test.each<[string, Column, Value]>([
  [
    'a text in an integer column',
    { ...nullable('v', { kind: 'integer', bits: 64 }), dynamic: true },
    'x',
  ],
  ['an integer that is too large', nullable('v', { kind: 'integer', bits: 32 }), 2 ** 31],
  ['infinity as a date', nullable('v', { kind: 'date' }), 'infinity'],
  ['a day that does not exist', nullable('v', { kind: 'date' }), '2023-02-29'],
  ['a year beyond 9999', nullable('v', { kind: 'timestamp' }), '10000-01-01T00:00:00'],
  ['NaN as a decimal', nullable('v', { kind: 'decimal', precision: 5, scale: 2 }), 'NaN'],
  ['too many decimals', nullable('v', { kind: 'decimal', precision: 5, scale: 2 }), '1.005'],
  ['another number as a boolean', nullable('v', { kind: 'boolean' }), 2],
  ['half of a surrogate pair', nullable('v', { kind: 'text' }), 'a\ud800'],
])('%s is an error that names the row', async (_name, column, value) => {
  await expect(write([column], [[null], [value]])).rejects.toMatchObject({
    code: 'invalid_value',
    message: expect.stringMatching(/^Table "t", row 2: Column "v": .* of Parquet cannot hold "/),
    details: { table: 't', row: 2, column: 'v' },
  });
});

test('values of columns without a type are texts', async () => {
  const column = { ...nullable('v', { kind: 'untyped' }), dynamic: true };
  const { fields } = await read([column], [[1n], [0.5], ['x'], [null], [new Uint8Array([1])]]);
  expect(fields.map(([value]) => value)).toEqual(['1', '0.5', 'x', null, String.raw`\x01`]);
});

test('row groups are bounded, and a table without rows has its columns', async () => {
  const columns = [nullable('id', { kind: 'integer', bits: 32 }), nullable('t')];
  const many = parquetMetadata(
    await write(
      columns,
      Array.from({ length: 45_000 }, (_, i) => [i, `t${i}`]),
    ),
  );
  expect(many.num_rows).toBe(45_000n);
  expect(many.row_groups.map((group) => group.num_rows)).toEqual([20_000n, 20_000n, 5000n]);
  const none = parquetMetadata(await write(columns, []));
  expect(none.num_rows).toBe(0n);
  expect(none.schema.slice(1).map(({ name }) => name)).toEqual(['id', 't']);
});
