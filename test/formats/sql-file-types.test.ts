/** Values of a script for columns of SQLite, which store what the database of the script would round or convert. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnType } from '../../src/databases/sqlserver/dialect/types.ts';
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
  /** The type in the file. */
  readonly type: ColumnType;
  /** The type of the column, if it is another one. */
  readonly column?: ColumnType;
}

/** The value that is stored in a column that the file declares; `rejected` for an error. */
async function valueOf(
  expression: string,
  { dialect, type, column: storedType = type }: Script,
): Promise<Value | undefined> {
  const tables = [table('t', [column('v', storedType, { dynamic: true, fileType: type })])];
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

const zonedTime: ColumnType = { kind: 'time', zone: true };
const zonedTimestamp: ColumnType = { kind: 'timestamp', zone: true };

test.each([
  ['mysql', "'-23:59:59'", time],
  ['postgres', "'23:59:59.5+02:00'", zonedTime],
  ['postgres', "'2020-01-01 23:59:59.123'", timestamp],
  ['postgres', "'2020-01-02T03:04:05Z'", zonedTimestamp],
  ['postgres', "'0044-03-15 00:00:00 BC'", timestamp],
  ['mysql', "'0000-00-00 00:00:00'", timestamp],
] as const)('stores the time of %s %s unchanged', async (dialect, expression, type) => {
  expect(await valueOf(expression, { dialect, type })).toBe(expression.slice(1, -1));
});

test.each([
  ["'2020-02-30 00:00:00'", timestamp],
  ["'0000-00-00 00:00:00'", timestamp],
  ["'2020-01-02 03:04:05+05'", timestamp],
  ["'2020-01-02+05'", timestamp],
  ["'03:04:05+05'", time],
  ["'2020-01-02 03:04:05'", { kind: 'date' }],
  ["'2020-01-02 03:04:05.6'", { kind: 'timestamp', precision: 0 }],
  ["'{1}'", { kind: 'json' }],
  ["'101'", { kind: 'bits', length: 2 }],
  ["'12abc'", { kind: 'decimal' }],
  ['12345.6', { kind: 'decimal', precision: 5, scale: 1 }],
  ["'125e-3'", { kind: 'decimal', precision: 5, scale: 2 }],
  ['2147483648', { kind: 'integer', bits: 32 }],
] as const)('rejects %s, which PostgreSQL rejects or changes', async (expression, type) => {
  expect(await valueOf(expression, { dialect: 'postgres', type })).toBe('rejected');
});

test.each([
  ['datetime', "'2020-01-02T03:04:05.007'", 'stored'],
  ['datetime', "'2020-01-02T03:04:05.008'", 'rejected'],
  ['smalldatetime', "'2020-01-02T03:04:00'", 'stored'],
  ['smalldatetime', "'2020-01-02T03:04:05'", 'rejected'],
] as const)('for %s of SQL Server, %s is %s', async (name, expression, outcome) => {
  const type = columnType({ name, length: 8, precision: 0, scale: 3 });
  const value = await valueOf(expression, { dialect: 'sqlserver', type });
  expect(value).toBe(outcome === 'stored' ? expression.slice(1, -1) : 'rejected');
});

test('rejects texts that are longer than their type, in characters or units of UTF-16', async () => {
  await fc.assert(
    fc.asyncProperty(dialects, fc.string({ unit: 'grapheme' }), fc.nat(8), async (...parts) => {
      const [dialect, text, length] = parts;
      const type: ColumnType = { kind: 'text', length };
      const literal = `N'${text.replaceAll("'", "''").replaceAll('\\', '')}'`;
      const plain = literal.slice(2, -1).replaceAll("''", "'");
      // PostgreSQL reads N'…' as character(n).
      const stored = dialect === 'postgres' ? plain.replace(/ +$/, '') : plain;
      const size = dialect === 'sqlserver' ? stored.length : [...stored].length;
      expect(await valueOf(literal, { dialect, type })).toBe(size > length ? 'rejected' : stored);
    }),
    { numRuns: 50 },
  );
});

test('removes the blanks at the end of CHAR, and pads BINARY', async () => {
  const char: ColumnType = { kind: 'text', length: 2, fixed: true };
  await fc.assert(
    fc.asyncProperty(
      dialects,
      fc.constantFrom('', 'a', ' a', 'ab', 'a\t'),
      fc.nat(4),
      async (...parts) => {
        const [dialect, text, blanks] = parts;
        const literal = `'${text}${' '.repeat(blanks)}'`;
        expect(await valueOf(literal, { dialect, type: char })).toBe(text);
        const varying: ColumnType = { kind: 'text', length: 9 };
        expect(await valueOf(literal, { dialect, type: varying })).toBe(literal.slice(1, -1));
      },
    ),
    { numRuns: 40 },
  );
  expect(await valueOf("'a b'", { dialect: 'postgres', type: char })).toBe('rejected');
  const binary: ColumnType = { kind: 'binary', length: 3, fixed: true };
  expect(await valueOf("X'01'", { dialect: 'mysql', type: binary })).toEqual(
    Buffer.from([1, 0, 0]),
  );
  expect(await valueOf("X'01020304'", { dialect: 'mysql', type: binary })).toBe('rejected');
});

test('stores UUIDs and sets as their database writes them', async () => {
  const [uuid, set] = [{ kind: 'uuid' }, { kind: 'set', values: ['a', 'b'] }] as const;
  const upper = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';
  expect(await valueOf(`'{${upper}}'`, { dialect: 'postgres', type: uuid })).toBe(upper.toLowerCase()); // prettier-ignore
  expect(await valueOf(`'${upper.toLowerCase()}'`, { dialect: 'sqlserver', type: uuid })).toBe(upper); // prettier-ignore
  expect(await valueOf("'b,a,b'", { dialect: 'mysql', type: set })).toBe('a,b');
  expect(await valueOf("'a,c'", { dialect: 'mysql', type: set })).toBe('rejected');
});

test.each(["b'101'", "'\\x05'", '0x05', '5'])(
  'stores the bits %s of MySQL as digits',
  async (bits) => {
    const literal = bits.replace('\\x05', '\u0005');
    const type: ColumnType = { kind: 'bits', length: 4 };
    expect(await valueOf(literal, { dialect: 'mysql', type, column: { kind: 'text' } })).toBe(
      '0101',
    );
  },
);

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
