import { StudioError } from '../../../model/errors.ts';
import { mysqlDdl, quoteName } from './ddl.ts';
import { geometryLiteral } from './ewkt.ts';
import { isSpatial } from './types.ts';
import { inUtc } from './values.ts';
import { isVector, vectorBytes } from './vector.ts';
import type { EncodeLiteral, ScriptDialect } from '../../../model/script-dialect.ts';
import type { Column, ColumnType } from '../../../model/schema.ts';

const { tableName } = mysqlDdl;

/** Allows values that exist in tables but that stricter modes reject or change: zero dates, February 30, 0 in AUTO_INCREMENT columns. */
const sqlMode = 'STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES';

/** Writes INSERT scripts for MySQL, MariaDB and their clients. */
export const mysqlScript: ScriptDialect = {
  literal,
  insertInto: ({ table, columns }) =>
    `INSERT INTO ${tableName(table)} (${columns.map(({ name }) => quoteName(name)).join(', ')}) VALUES`,
  maxRows: 500,
  frame: {
    begin: [
      'SET @studio_sql_mode = @@SESSION.sql_mode, @studio_time_zone = @@SESSION.time_zone',
      'SET NAMES utf8mb4',
      `SET SESSION sql_mode = '${sqlMode}'`,
      "SET SESSION time_zone = '+00:00'",
      'START TRANSACTION',
    ],
    end: [
      'COMMIT',
      'SET SESSION sql_mode = @studio_sql_mode',
      'SET SESSION time_zone = @studio_time_zone',
    ],
  },
  tableFrame: () => ({ begin: [], end: [] }),
  advanceIdentity: () => undefined,
  setNextValue: ({ table, value }) => [`ALTER TABLE ${tableName(table)} AUTO_INCREMENT = ${value}`],
  terminator: ';\n',
};

function literal({ type }: Column): EncodeLiteral {
  const textLiteral = createTextLiteral(type);
  return (value) => {
    if (value === null) return 'NULL';
    if (typeof value === 'string') return textLiteral(value);
    if (typeof value === 'boolean') return value ? '1' : '0';
    if (typeof value === 'number') return type.kind === 'float' ? double(value) : String(value);
    return typeof value === 'bigint' ? String(value) : bytes(value);
  };
}

function createTextLiteral(type: ColumnType): (text: string) => string {
  if (isSpatial(type)) return (text) => geometryLiteral(text, quoted);
  // VECTOR_TO_STRING would lose digits, and MariaDB has another function.
  if (isVector(type)) return (text) => bytes(vectorBytes(text) ?? Buffer.from(text));
  if (type.kind === 'integer' || type.kind === 'decimal')
    return (text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? text : quoted(text));
  if (type.kind === 'bits')
    return (text) => (/^[01]{1,64}$/.test(text) ? `b'${text}'` : quoted(text));
  const isZoned = type.kind === 'timestamp' && type.zone === true;
  return isZoned ? (text) => quoted(inUtc(text)) : quoted;
}

/** A literal with an exponent is a double; without one it is a decimal of up to 65 digits. */
function double(value: number): string {
  if (!Number.isFinite(value))
    throw new StudioError('invalid_value', `MySQL cannot store ${value}.`);
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return digits.includes('e') ? digits : `${digits}e0`;
}

function bytes(value: Uint8Array): string {
  return `X'${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}'`;
}

const special = /['\\\p{Cc}]/u;
const escapes: Readonly<Record<string, string>> = {
  "'": "''",
  '\\': '\\\\',
  '\0': '\\0',
  '\r': '\\r',
  '\u001a': '\\Z',
};

/** The script's sql_mode enables backslash escapes. The client would convert CR LF to LF and stop at a NUL character. */
function quoted(text: string): string {
  if (!text.isWellFormed()) {
    throw new StudioError(
      'invalid_value',
      'MySQL cannot store text with half of a surrogate pair.',
    );
  }
  return special.test(text)
    ? `'${text.replaceAll(/['\\\p{Cc}]/gu, (character) => escapes[character] ?? character)}'`
    : `'${text}'`;
}
