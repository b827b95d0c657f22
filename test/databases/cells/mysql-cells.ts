import * as fc from 'fast-check';
import { bytes, decimals, documents, doubles, hexOf, texts, wholeNumbers } from './texts.ts';
import { documentAfter } from './native-cells.ts';
import type { NativeCells } from './native-cells.ts';
import type { Literals } from './texts.ts';

const of = (...values: readonly string[]): Literals =>
  fc.constantFrom(...values.map((text) => `'${text}'`));

const anyText = (maxLength?: number, charset = 'utf8mb4'): Literals =>
  texts(maxLength).map((text) => `CONVERT(X'${hexOf(text)}' USING ${charset})`);

const binary = (maxLength: number): Literals => bytes(maxLength).map((hex) => `X'${hex}'`);
const numbers = fc.oneof(decimals, wholeNumbers());
const times = of('-838:59:59.000000', '00:00:00.000001', '838:59:59', '23:59:59.999999', '-00:00:01', '100:00:00'); // prettier-ignore
const dates = of('0001-01-01', '9999-12-31', '2024-02-29', '0000-00-00', '2026-00-00', '2026-01-00', '0000-01-01'); // prettier-ignore
const datetimes = of('2026-01-31 13:05:00.123456', '9999-12-31 23:59:59', '0000-00-00 00:00:00', '2026-00-00 00:00:00', '0001-01-01 00:00:00.5', '1000-01-01 00:00:00'); // prettier-ignore
const timestamps = of('2026-01-31 13:05:00.5', '1970-01-02 00:00:01', '2038-01-18 03:14:07.999999', '0000-00-00 00:00:00', '2026-03-29 02:30:00', '2026-10-25 01:30:00'); // prettier-ignore
const floats = fc.oneof(doubles, of('1e30', '0.1'));
const bits = (length: number): Literals =>
  fc
    .bigInt(0n, 2n ** BigInt(length) - 1n)
    .map((value) => `b'${value.toString(2).padStart(length, '0')}'`);
const json: Literals = documents.map((text) => `CONVERT(X'${hexOf(text)}' USING utf8mb4)`);
const integerTypes = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint'];

export const mysqlCells: NativeCells = {
  setUp: 'ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci',
  types: [
    ...integerTypes.flatMap((type) => [
      { type, values: wholeNumbers() },
      { type: `${type} unsigned`, values: wholeNumbers() },
    ]),
    { type: 'tinyint(1)', values: fc.constantFrom('0', '1', '2', '-1', '127') },
    { type: 'int(5) unsigned zerofill', values: fc.constantFrom('0', '7', '123456', '4294967295') },
    { type: 'decimal(10,2)', values: numbers },
    { type: 'decimal(65,30)', values: numbers },
    { type: 'decimal(8,3) unsigned zerofill', values: numbers },
    { type: 'decimal(20,0)', values: numbers },
    { type: 'float', values: floats },
    { type: 'float(7,3)', values: floats },
    { type: 'double', values: floats },
    { type: 'double unsigned', values: floats },
    { type: 'double(20,5)', values: floats },
    { type: 'bit(1)', values: bits(1) },
    { type: 'bit(9)', values: bits(9) },
    { type: 'bit(64)', values: bits(64) },
    { type: 'char(8)', values: anyText(8) },
    { type: 'varchar(30)', values: anyText(30) },
    { type: 'varchar(200)', values: anyText() },
    { type: 'varchar(20) CHARACTER SET latin1', values: anyText(20, 'latin1') },
    { type: 'varchar(20) CHARACTER SET utf16', values: anyText(20, 'utf16') },
    { type: 'text CHARACTER SET ucs2', values: anyText(200, 'ucs2') },
    { type: 'varchar(20) COLLATE utf8mb4_bin', values: anyText(20) },
    { type: 'tinytext', values: anyText(60) },
    { type: 'text', values: anyText() },
    { type: 'mediumtext', values: anyText(40_000) },
    { type: 'longtext', values: anyText() },
    { type: 'binary(8)', values: binary(8) },
    { type: 'varbinary(40)', values: binary(40) },
    { type: 'tinyblob', values: binary(60) },
    { type: 'blob', values: binary(60) },
    { type: 'longblob', values: binary(60) },
    { type: "enum('a','it''s','b,c','','1','0','NULL',' x','é😀','\\\\N')", values: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '9', '10') },
    // The server itself does not distinguish a set with only the empty member from the empty set.
    { type: "set('x','it''s','é','1','NULL')", values: fc.constantFrom('0', '1', '2', '3', '4', '5', '9', '31') },
    { type: 'date', values: dates },
    { type: 'time', values: times },
    { type: 'time(6)', values: times },
    { type: 'datetime', values: datetimes },
    { type: 'datetime(6)', values: datetimes },
    { type: 'timestamp NULL', values: timestamps },
    { type: 'timestamp(6) NULL', values: timestamps },
    { type: 'year', values: of('1901', '2155', '0000', '2026') },
    { type: 'json', values: json },
    { type: 'longtext CHECK (json_valid(?))', values: json },
    { type: 'uuid', values: of('00112233-4455-6677-8899-aabbccddeeff', '00000000-0000-0000-0000-000000000000') },
    { type: 'inet4', values: of('10.0.0.1', '0.0.0.0') },
    { type: 'inet6', values: of('::1', '::ffff:1.2.3.4', 'fe80::1') },
  ], // prettier-ignore
  show: (name, type) => {
    if (/^(?:float|double)/.test(type)) return `CAST(${name} + 0e0 AS CHAR)`;
    if (type.startsWith('bit')) return `BIN(${name} + 0)`;
    if (/^(?:enum|set)/.test(type)) return `CAST(${name} + 0 AS CHAR)`;
    if (/char|text|json/.test(type)) return `HEX(CONVERT(${name} USING utf8mb4))`;
    return /binary|blob/.test(type) ? `HEX(${name})` : `CAST(${name} AS CHAR)`;
  },
  create: (table, columns) =>
    `CREATE TABLE ${table} (id int AUTO_INCREMENT PRIMARY KEY, ${columns.map((column) => column.replace('?', column.split(' ')[0]!)).join(', ')})`,
  set: ({ table, id, name, literal }) =>
    `SET sql_mode = 'ALLOW_INVALID_DATES', time_zone = '+00:00'; UPDATE IGNORE ${table} SET ${name} = ${literal} WHERE id = ${id}`,
  isLost: (losses, { type, before, after }) => {
    if (after === null) return losses.has('empty_text') && before === emptyText(type);
    return type.includes('json') && documentAfter(losses, textOf(before)) === textOf(after);
  },
};

const textOf = (hex: string): string => Buffer.from(hex, 'hex').toString();

/** Labels of enums and members of sets are shown as numbers. */
function emptyText(type: string): string {
  if (type.startsWith('set')) return '0';
  return type.startsWith('enum') ? '4' : '';
}
