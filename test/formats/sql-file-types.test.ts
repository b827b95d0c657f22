/** Values of a script for columns of SQLite, which store what the database of the script would round or convert. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSql } from '../../src/formats/sql/read.ts';
import { databaseKinds } from '../databases/registered-databases.ts';
import { column, readAll, sourceOf, table } from './run-reader.ts';
import type { ColumnType } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/values.ts';

const choices = databaseKinds.map(({ dialect, language, dataScript, expressions }) => ({
  name: dialect.name,
  language,
  dataScript: { ...dataScript, times: expressions?.times },
}));
const foreignDialects = ['postgres', 'mysql', 'sqlserver'] as const;

interface Script {
  readonly dialect: string;
  readonly type: ColumnType;
}

/** The value that is stored in a column that the file declares; `rejected` for an error. */
async function valueOf(expression: string, { dialect, type }: Script): Promise<Value | undefined> {
  const tables = [table('t', [column('v', type, { dynamic: true, fileType: type })])];
  const source = sourceOf(`INSERT INTO t (v) VALUES (${expression});`, { name: 'f.sql' });
  const { rows, errors, failure } = await readAll(tables, (reading) =>
    readSql(source, reading, { dialect, ownDialect: 'sqlite', choices, ddl: 'applied' }),
  );
  if (failure !== undefined) throw failure as Error;
  return errors.length > 0 ? 'rejected' : rows[0]?.values['v'];
}

const quotes = fc.constantFrom('', "'");
const dialects = fc.constantFrom(...foreignDialects);

test('rejects numbers that an integer column would round', async () => {
  await fc.assert(
    fc.asyncProperty(dialects, quotes, fc.nat(999), fc.nat(99), async (...parts) => {
      const [dialect, quote, whole, decimals] = parts;
      const text = `${quote}${whole}.${String(decimals).padStart(2, '0')}${quote}`;
      const value = await valueOf(text, { dialect, type: { kind: 'integer', bits: 32 } });
      expect(value === 'rejected').toBe(decimals !== 0);
      if (value !== 'rejected') expect(Number(value)).toBe(whole);
    }),
    { numRuns: 30 },
  );
});

test('rejects numbers with more decimals than their column', async () => {
  await fc.assert(
    fc.asyncProperty(dialects, quotes, fc.nat(9999), fc.nat(4), async (...parts) => {
      const [dialect, quote, decimals, scale] = parts;
      const digits = `12.${String(decimals).padStart(4, '0')}`;
      const type: ColumnType = { kind: 'decimal', precision: 9, scale };
      const value = await valueOf(`${quote}${digits}${quote}`, { dialect, type });
      expect(value === 'rejected').toBe(Number(Number(digits).toFixed(scale)) !== Number(digits));
    }),
    { numRuns: 30 },
  );
});

const time: ColumnType = { kind: 'time' };
const timestamp: ColumnType = { kind: 'timestamp' };

test.each([
  ["'3:04 PM'", time],
  ["'2020-01-01 24:00:00'", timestamp],
  ["'2020-01-01 00:00:00 Europe/Berlin'", timestamp],
] as const)('rejects the time %s, which the database would convert', async (expression, type) => {
  for (const dialect of foreignDialects)
    expect(await valueOf(expression, { dialect, type })).toBe('rejected');
});

test.each([
  ["'-23:59:59'", time],
  ["'23:59:59.5+02:00'", time],
  ["'2020-01-01 23:59:59.123'", timestamp],
  ["'2020-01-01T03:04:05Z'", timestamp],
  ["'0044-03-15 00:00:00 BC'", timestamp],
] as const)('stores the time %s unchanged', async (expression, type) => {
  const stored = expression.slice(1, -1);
  expect(await valueOf(expression, { dialect: 'postgres', type })).toBe(stored);
});

test('reads a time without colons as MySQL does, and rejects it elsewhere', async () => {
  expect(await valueOf("'1112'", { dialect: 'mysql', type: time })).toBe('00:11:12');
  expect(await valueOf("'1112'", { dialect: 'sqlserver', type: time })).toBe('rejected');
});

test('stores a boolean in a text column as the database of the script does', async () => {
  const type: ColumnType = { kind: 'text' };
  expect(await valueOf('TRUE', { dialect: 'postgres', type })).toBe('true');
  expect(await valueOf('TRUE', { dialect: 'mysql', type })).toBe('1');
});

test('decodes bytes for a text column where strings are bytes', async () => {
  const type: ColumnType = { kind: 'text' };
  expect(await valueOf('0xC3A9', { dialect: 'mysql', type })).toBe('é');
  // UTF-16 in a column of the type nvarchar, another encoding in one of the type varchar.
  expect(await valueOf('0x41', { dialect: 'sqlserver', type })).toEqual(Buffer.from('A'));
});

test('joins the halves of a character in escapes of PostgreSQL', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (text) => {
      const units = Array.from({ length: text.length }, (_, i) =>
        text.charCodeAt(i).toString(16).padStart(4, '0'),
      );
      const script = { dialect: 'postgres', type: { kind: 'text' } as const };
      const [c, ampersand] = ['u', ''].map((letter) => units.map((unit) => `\\${letter}${unit}`).join('')); // prettier-ignore
      expect(await valueOf(`E'${c}'`, script)).toBe(text);
      expect(await valueOf(`U&'${ampersand}'`, script)).toBe(text);
    }),
    { numRuns: 50 },
  );
});
