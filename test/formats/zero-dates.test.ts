import { expect, test } from 'vitest';
import { createZeroDates } from '../../src/formats/sql/insert/zero-dates.ts';
import { columnOf } from '../sql/neutral-schema.ts';
import type { ColumnType } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/values.ts';
import type { SqlValue } from '../../src/formats/sql/values/literals.ts';

const date: ColumnType = { kind: 'date' };
const timestamp: ColumnType = { kind: 'timestamp' };
const time: ColumnType = { kind: 'time' };

interface Options {
  readonly nullable?: boolean;
  readonly isOwnDialect?: boolean;
  readonly dynamic?: boolean;
}

/** The value that is imported and the warnings. */
function imported(
  type: ColumnType,
  text: string,
  { nullable = true, isOwnDialect = false, dynamic = false }: Options = {},
): { readonly value: Value; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const convert = createZeroDates(
    { dataScript: { hasZeroDates: true }, isOwnDialect },
    { warn: (warning) => void warnings.push(warning(1)) },
  );
  const read = (value: SqlValue): Value => (value.kind === 'text' ? value.raw : null);
  const column = columnOf('c', type, { nullable, dynamic });
  return { value: convert(column, read)({ kind: 'text', raw: text }), warnings };
}

test.each([
  [date, '0000-00-00'],
  [timestamp, '0000-00-00 00:00:00'],
  [timestamp, '0000-00-00 00:00:00.000000'],
])('a zero date in a nullable column becomes NULL, with a warning: %j %s', (type, text) => {
  expect(imported(type, text)).toEqual({
    value: null,
    warnings: ['1 zero date of column "c" became NULL, because the database has none.'],
  });
  expect(() => imported(type, text, { nullable: false })).toThrow(/Column "c".*NOT NULL/);
});

test.each([
  [date, '2000-00-00'],
  [date, '2000-01-00'],
  [timestamp, '2000-00-01 10:00:00'],
  [time, '25:00:00'],
  [time, '24:00:01'],
  [time, '838:59:59'],
  [time, '-01:00:00'],
])('a value that the database does not have is rejected: %j %s', (type, text) => {
  expect(() => imported(type, text)).toThrow(`Column "c"`);
  expect(() => imported(type, text)).toThrow(JSON.stringify(text));
});

test.each([
  [date, '2000-01-01'],
  [timestamp, '2000-10-10 00:00:00'],
  [time, '23:59:59'],
  [time, '24:00:00'],
  [{ kind: 'text' } as const, '0000-00-00'],
])('other values stay: %j %s', (type, text) => {
  expect(imported(type, text)).toEqual({ value: text, warnings: [] });
});

test.each([{ isOwnDialect: true }, { dynamic: true }])(
  'they stay where the database has them: %j',
  (options) => {
    expect(imported(date, '0000-00-00', options)).toEqual({ value: '0000-00-00', warnings: [] });
    expect(imported(time, '25:00:00', options)).toEqual({ value: '25:00:00', warnings: [] });
  },
);
