/**
 * Literal defaults of random types, imported into each other database: INSERT DEFAULT VALUES stores the
 * same value there, or a warning names the column.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importText } from './import-job.ts';
import { makeDatabaseOrReason } from './kit/harness.ts';
import { databasesUnderTest } from './kit/databases-under-test.ts';
import type { KitDatabase, DatabaseUnderTest } from './kit/database-under-test.ts';

const numRuns = process.env['STUDIO_TEST_LONG'] ? 15 : 2;
const tablesPerFile = 40;

const integers = fc.oneof(
  fc.integer({ min: -3, max: 130 }),
  fc.constantFrom(0, 69, 70, 99, 255, 256, 2020, 32_768, -32_768),
).map(String); // prettier-ignore
const greatIntegers = fc.constantFrom('9007199254740993', '9223372036854775807', '-9223372036854775808', '9223372036854775808', '18446744073709551615'); // prettier-ignore
const decimals = fc.oneof(
  fc.tuple(fc.integer({ min: -999, max: 999 }), fc.nat(99_999)).map(([a, b]) => `${a}.${b}`),
  fc.constantFrom('0.1', '1.10', '-0.005', '1e3', '1.5e-2', '12345678901234567890.12', '1234567890.1234567', '.5', '5.'), // prettier-ignore
);
const quoted = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  texts.map((text) => `'${text.replaceAll("'", "''")}'`);
const numbers = fc.oneof(integers, greatIntegers, decimals, quoted(integers), quoted(decimals));
const texts = quoted(fc.constantFrom('', 'a', 'ab', 'ab ', "it's", 'é', '😀', 'abcdef', '1', '1.50', 'true', '{}', '%', 'x,y')); // prettier-ignore
const clocks = quoted(fc.constantFrom('12:30:00', '23:59:59', '00:00:00', '-25:00:00', '25:00:00', '838:59:59', '24:00:00', '12:30', '12:30:00.5', '12:30:00.123456')); // prettier-ignore
const days = quoted(fc.constantFrom('2020-01-02', '0001-01-01', '9999-12-31', '1969-12-31', '20200102', '2020-1-2')); // prettier-ignore
const instants = quoted(fc.constantFrom('2020-01-02 03:04:05', '1969-12-31 23:00:00', '2040-01-01 00:00:00', '9999-12-31 23:59:59', '2020-01-02 03:04:05.678', '2020-01-02', '2020-01-02T03:04:05')); // prettier-ignore
const bits = fc.constantFrom("b'1'", "b'101'", "b'00000101'", "b'0'", '5', '1', "b'111111111'");
const hex = fc.constantFrom('', '00', '61', '00ff27', '616263646566');

type Typed = readonly [type: string, literals: fc.Arbitrary<string>];

/** Types of each database with literals that may fit. */
const types: Readonly<Record<string, readonly Typed[]>> = {
  mysql: [
    ...['tinyint', 'tinyint unsigned', 'smallint', 'int', 'bigint', 'bigint unsigned', 'decimal(5,2)', 'decimal(30,10)', 'decimal(65,30)', 'decimal(3)', 'float', 'double', 'float(7,2)'].map((type): Typed => [type, numbers]), // prettier-ignore
    ['year', fc.oneof(integers, quoted(integers))],
    ['tinyint(1)', fc.constantFrom('0', '1', '2', "'1'", 'true')],
    ...['varchar(5)', 'char(5)', 'char(1)'].map((type): Typed => [type, fc.oneof(texts, integers, decimals)]), // prettier-ignore
    ["enum('a','ab','x,y')", texts],
    ["set('a','ab','x')", quoted(fc.constantFrom('', 'a', 'a,x', 'b'))],
    ['time', clocks],
    ['time(3)', clocks],
    ['date', days],
    ['datetime', instants],
    ['datetime(6)', instants],
    ['timestamp', instants],
    ...['bit(1)', 'bit(8)', 'bit(3)'].map((type): Typed => [type, bits]),
    ...['binary(3)', 'varbinary(6)'].map((type): Typed => [type, fc.oneof(hex.map((text) => `x'${text}'`), texts)]), // prettier-ignore
  ],
  postgres: [
    ...['smallint', 'int', 'bigint', 'numeric', 'numeric(5,2)', 'numeric(30,10)', 'numeric(3,-2)', 'numeric(3,5)', 'real', 'double precision'].map((type): Typed => [type, numbers]), // prettier-ignore
    ['boolean', fc.constantFrom('true', 'false', "'t'", "'no'", "'1'")],
    ...['varchar(5)', 'char(5)', 'char(1)', 'text'].map((type): Typed => [type, texts]),
    ['time', clocks],
    ['time(3)', clocks],
    ['date', days],
    ['timestamp', instants],
    ['timestamp(0)', instants],
    ['timestamptz', instants],
    ...['bit(1)', 'bit(8)', 'bit(3)', 'varbit(8)'].map((type): Typed => [type, fc.constantFrom("b'1'", "b'101'", "b'00000101'", "b'0'")]), // prettier-ignore
    ['bytea', hex.map((text) => String.raw`'\x${text}'`)],
    ['uuid', quoted(fc.constantFrom('00112233-4455-6677-8899-aabbccddeeff', '00112233-4455-6677-8899-AABBCCDDEEFF'))], // prettier-ignore
    ['json', quoted(fc.constantFrom('{}', '{"a": 1.50}', 'null', '[1, 2]'))],
  ],
  sqlite: [
    ...['INTEGER', 'BIGINT', 'REAL', 'DECIMAL(5,2)', 'NUMERIC', 'BOOLEAN'].map((type): Typed => [type, numbers]), // prettier-ignore
    ...['TEXT', 'VARCHAR(5)', 'CHAR(5)'].map((type): Typed => [type, fc.oneof(texts, integers)]),
    ['DATE', days],
    ['TIME', clocks],
    ['TIMESTAMP', instants],
    ['BLOB', hex.map((text) => `x'${text}'`)],
  ],
};

/** Selects the value as text. */
const asText: Readonly<Record<string, (type: string) => string>> = {
  mysql: (type) => {
    if (type.startsWith('bit')) return 'BIN(c + 0)';
    if (type.startsWith('float')) return 'CAST(c + 0e0 AS CHAR)';
    return /bin|blob/.test(type) ? 'HEX(c)' : 'CAST(c AS CHAR)';
  },
  postgres: (type) => {
    if (type === 'real') return 'c::float8::text';
    return type === 'bytea' ? "encode(c, 'hex')" : 'c::text';
  },
  sqlite: () => "CASE typeof(c) WHEN 'blob' THEN hex(c) WHEN 'real' THEN printf('%!.17g', c) ELSE CAST(c AS TEXT) END", // prettier-ignore
};

const insertDefaults: Readonly<Record<string, (table: string) => string>> = {
  mysql: (table) => `INSERT INTO ${table} () VALUES ()`,
  postgres: (table) => `INSERT INTO ${table} DEFAULT VALUES`,
  sqlite: (table) => `INSERT INTO ${table} DEFAULT VALUES`,
};

/** The value that an inserted row has; an error if it cannot be inserted. */
async function stored(
  database: KitDatabase,
  { name }: DatabaseUnderTest,
  { table, type }: { readonly table: string; readonly type: string },
): Promise<unknown> {
  try {
    await database.run(insertDefaults[name]!(table));
    const [row] = await database.query(`SELECT ${asText[name]!(type)} AS v FROM ${table}`);
    return row?.[0];
  } catch (error) {
    return error;
  }
}

/** The same text for equal values of the type. */
function normalized(value: unknown, type: string): unknown {
  if (value === null || typeof value === 'object') return value;
  const text = String(value);
  if (/^bit|^varbit/.test(type))
    return text
      .replace('true', '1')
      .replace('false', '0')
      .replace(/^0+(?=.)/, '');
  if (/^bool|tinyint\(1\)/i.test(type)) return text.replace('true', '1').replace('false', '0');
  if (/int|dec|num|year/i.test(type)) return plainNumber(text);
  if (/^(?:real|float)/.test(type)) return Math.fround(Number(text));
  if (/real|double/i.test(type)) return Number.isNaN(Number(text)) ? text : Number(text);
  if (/^bin|blob|bytea|varbin/i.test(type)) return text.toLowerCase();
  // A date in a TIMESTAMP of SQLite is its midnight elsewhere.
  if (/^time|date/i.test(type))
    return text.replace('T', ' ').replace(/^([\d-]{10})$/, /^(?:timestamp|datetime)/i.test(type) ? '$1 00:00:00' : '$1').replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '').replace(/\+00(?::00)?$/, '').replace(/(^| )(\d\d:\d\d)$/, '$1$2:00'); // prettier-ignore
  if (/^char/i.test(type)) return text.trimEnd();
  return /json/.test(type) ? JSON.stringify(JSON.parse(text)) : text;
}

function plainNumber(text: string): string {
  if (/e/i.test(text)) return plainNumber(Number(text).toFixed(10));
  const withoutZeros = text.replace(/^(-?)0+(?=\d)/, '$1');
  return /\./.test(withoutZeros)
    ? withoutZeros
        .replace(/0+$/, '')
        .replace(/\.$/, '')
        .replace(/^(-?)\./, '$10.')
    : withoutZeros;
}

interface TableWithDefault {
  readonly table: string;
  readonly type: string;
  readonly statement: string;
  readonly value: unknown;
}

/** The tables that the source's own client creates and that take a row, with the value of the row. */
async function createWithClient(
  database: KitDatabase,
  from: DatabaseUnderTest,
  defaults: readonly (readonly [type: string, literal: string])[],
): Promise<readonly TableWithDefault[]> {
  const createdTables: TableWithDefault[] = [];
  for (const [i, [type, literal]] of defaults.entries()) {
    const table = `t${i}`;
    const statement = `CREATE TABLE ${table} (c ${type} DEFAULT ${literal})`;
    await database.run(`DROP TABLE IF EXISTS ${table}`);
    const isCreated = await database.run(statement).then(() => true, () => false); // prettier-ignore
    if (!isCreated) continue;
    const value = await stored(database, from, { table, type });
    if (!(value instanceof Error)) createdTables.push({ table, type, statement, value });
  }
  return createdTables;
}

const databases = databasesUnderTest.filter(({ name }) => Object.hasOwn(types, name));
const pairs = databases.flatMap((from) =>
  databases
    .filter((to) => to !== from)
    .map((to): [string, DatabaseUnderTest, DatabaseUnderTest] => [
      `from ${from.name} to ${to.name}`,
      from,
      to,
    ]),
);

describe('literal defaults', () => {
  test.each(pairs)(
    '%s',
    async (_pair, from, to) => {
      const [source, target] = [await makeDatabaseOrReason(from), await makeDatabaseOrReason(to)];
      if (typeof source === 'string' || typeof target === 'string') throw new Error('no database');
      const one = fc
        .constantFrom(...types[from.name]!)
        .chain(([type, literals]) => literals.map((literal) => [type, literal] as const));
      const check = async (defaults: readonly (readonly [string, string])[]): Promise<void> => {
        const createdTables = await createWithClient(source, from, defaults);
        const script = createdTables.map(({ statement }) => `${statement};`).join('\n');
        for (const { table } of createdTables) await target.run(`DROP TABLE IF EXISTS ${table}`);
        const order = { url: target.url, parameters: { dialect: from.dialect.name } };
        const { warnings } = await importText('d.sql', script, order);
        const losses = [];
        for (const each of createdTables) {
          const isNamed = warnings.some((text) => new RegExp(String.raw`\b${each.table}\b`).test(text)); // prettier-ignore
          if (isNamed) continue;
          const value = await stored(target, to, await targetType(target, to, each.table));
          if (
            value instanceof Error ||
            normalized(value, each.type) !== normalized(each.value, each.type)
          )
            // prettier-ignore
            losses.push(`${each.statement}: ${String(each.value)} → ${String(value)}`);
        }
        expect(losses).toEqual([]);
      };
      try {
        const files = fc.array(one, { minLength: tablesPerFile, maxLength: tablesPerFile });
        await fc.assert(fc.asyncProperty(files, check), { numRuns, endOnFailure: true });
      } finally {
        await source.drop();
        await target.drop();
      }
    },
    600_000,
  );
});

/** The table with the type that its column has in the target. */
async function targetType(
  database: KitDatabase,
  { name }: DatabaseUnderTest,
  table: string,
): Promise<{ readonly table: string; readonly type: string }> {
  const queries: Readonly<Record<string, string>> = {
    mysql: `SELECT COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '${table}'`,
    postgres: `SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum = 1`,
    sqlite: `SELECT type FROM pragma_table_info('${table}')`,
  };
  const [row] = await database.query(queries[name]!);
  return { table, type: String(row?.[0]) };
}
