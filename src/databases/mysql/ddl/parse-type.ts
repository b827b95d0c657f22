/** Parses a type in DDL into the form that information_schema reports: https://dev.mysql.com/doc/refman/8.4/en/data-types.html */
import {
  accept,
  acceptOne,
  expect,
  parseList,
  parseName,
  parseNumber,
  consumeToken,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { readString } from '../../../sql/expression/read-literal.ts';
import { quoteText } from '../dialect/ddl.ts';
import { columnType } from '../dialect/types.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { ParsedType } from '../../../sql/ddl/ddl-rules.ts';

/** Synonyms of type names, with the size that they imply. */
const synonyms: Readonly<Record<string, string>> = {
  INTEGER: 'int',
  INT1: 'tinyint',
  INT2: 'smallint',
  INT3: 'mediumint',
  MIDDLEINT: 'mediumint',
  INT4: 'int',
  INT8: 'bigint',
  BOOL: 'tinyint(1)',
  BOOLEAN: 'tinyint(1)',
  DEC: 'decimal',
  NUMERIC: 'decimal',
  FIXED: 'decimal',
  NUMBER: 'decimal',
  REAL: 'double',
  FLOAT4: 'float',
  FLOAT8: 'double',
  CHARACTER: 'char',
  NCHAR: 'char',
  VARCHARACTER: 'varchar',
  NVARCHAR: 'varchar',
  LONG: 'mediumtext',
  CLOB: 'longtext',
  RAW: 'varbinary',
  SQL_TSI_YEAR: 'year',
  GEOMCOLLECTION: 'geometrycollection',
};

const plainNames: ReadonlySet<string> = new Set(
  (
    'bit tinyint smallint mediumint int bigint decimal float double date time datetime timestamp year ' +
    'char varchar binary varbinary tinytext text mediumtext longtext tinyblob blob mediumblob longblob ' +
    'enum set json geometry point linestring polygon multipoint multilinestring multipolygon ' +
    'geometrycollection uuid inet4 inet6 vector xmltype'
  ).split(' '),
);

export function parseType(cursor: Cursor): ParsedType {
  if (wordAt(cursor) === 'SERIAL') return parseSerial(cursor);
  // National types have the character set utf8mb3.
  const isNational = /^(?:NATIONAL|NCHAR|NVARCHAR)$/.test(wordAt(cursor));
  const name = parseTypeName(cursor);
  const sized =
    name === 'enum' || name === 'set' ? parseMembers(cursor, name) : parseSize(cursor, name);
  const { modifiers, characterSet } = parseModifiers(cursor);
  const type = columnType(`${sized}${modifiers}`.replace(' zerofill', ''));
  const national = isNational && characterSet === '' ? ' character set utf8mb3' : characterSet;
  return { type, nativeType: `${sized}${modifiers}${national}` };
}

/** SERIAL is `BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE`; AUTO_INCREMENT adds the key. */
function parseSerial(cursor: Cursor): ParsedType {
  cursor.at += 1;
  const nativeType = 'bigint unsigned';
  return {
    type: columnType(nativeType),
    nativeType,
    column: { nullable: false, autoIncrement: true },
  };
}

function parseTypeName(cursor: Cursor): string {
  accept(cursor, 'NATIONAL');
  const word = wordAt(cursor);
  const name = Object.hasOwn(synonyms, word) ? synonyms[word]! : word.toLowerCase();
  if (!plainNames.has(name.replace(/\(.*/, ''))) throw unexpected(cursor, 'a type');
  consumeToken(cursor, 'a type');
  if (name === 'double') accept(cursor, 'PRECISION');
  if (name === 'char' && acceptOne(cursor, ['VARYING', 'VARCHARACTER']) !== undefined)
    return 'varchar';
  if (word === 'LONG' && accept(cursor, 'VARBINARY')) return 'mediumblob';
  if (word === 'LONG' || word === 'CHAR') acceptOne(cursor, ['VARCHAR', 'VARCHARACTER']);
  return name;
}

const textSizes = [
  ['tiny', 255],
  ['', 65_535],
  ['medium', 16_777_215],
  ['long', Number.MAX_SAFE_INTEGER],
] as const;

/** Parses the size, as in `int(11)`. For TEXT and BLOB the size selects the type. */
function parseSize(cursor: Cursor, name: string): string {
  const needsSize = name === 'varchar' || name === 'varbinary';
  if (wordAt(cursor) !== '(' && !needsSize) return withDefaultSize(name);
  const text = parseList(cursor, (at) => parseSizeNumber(at)).join(',');
  const hasScale = /^(?:decimal|float|double)/.test(name);
  if (!(hasScale ? /^\d+(?:,\d+)?$/ : /^\d+$/).test(text) || sizelessTypes.has(name)) {
    cursor.at -= 1;
    throw unexpected(cursor, 'a size');
  }
  if (name === 'text' || name === 'blob') {
    const size = Number(text);
    return `${textSizes.find(([, maxSize]) => size <= maxSize)?.[0] ?? ''}${name}`;
  }
  if (name === 'float' && !text.includes(',')) return Number(text) > 24 ? 'double' : 'float';
  if (name === 'year') return name;
  return `${name.replace(/\(.*/, '')}(${text})`;
}

/** The digits as written. */
function parseSizeNumber(cursor: Cursor): string {
  const { text, code, at } = cursor;
  parseNumber(cursor);
  return text.slice(code[at]!.start, code[at]!.end);
}

/** Types that take no size. */
const sizelessTypes: ReadonlySet<string> = new Set(
  (
    'date point tinytext mediumtext longtext tinyblob mediumblob longblob json geometry linestring polygon ' +
    'multipoint multilinestring multipolygon geometrycollection uuid inet4 inet6 tinyint(1)'
  ).split(' '),
);

function withDefaultSize(name: string): string {
  const sizes: Readonly<Record<string, string>> = {
    bit: 'bit(1)',
    char: 'char(1)',
    binary: 'binary(1)',
    decimal: 'decimal(10,0)',
  };
  return sizes[name] ?? name;
}

function parseMembers(cursor: Cursor, name: string): string {
  expect(cursor, '(');
  const members: string[] = [];
  do members.push(parseMember(cursor));
  while (accept(cursor, ','));
  expect(cursor, ')');
  return `${name}(${members.join(',')})`;
}

/** The server removes trailing spaces of members. */
function parseMember(cursor: Cursor): string {
  const { text, lexical } = cursor;
  const token = consumeToken(cursor, 'a text');
  const literal =
    token.kind === 'string' ? readString(text.slice(token.start, token.end), lexical) : undefined;
  if (literal?.kind !== 'text') {
    cursor.at -= 1;
    throw unexpected(cursor, 'a text');
  }
  return quoteText(literal.value.replace(/ +$/, ''));
}

interface TypeModifiers {
  readonly modifiers: string;
  readonly characterSet: string;
}

/** Parses UNSIGNED and ZEROFILL, character sets and their short forms. */
function parseModifiers(cursor: Cursor): TypeModifiers {
  let modifiers = '';
  let characterSet = '';
  for (;;) {
    const word = acceptOne(cursor, [
      'SIGNED',
      'UNSIGNED',
      'ZEROFILL',
      'ASCII',
      'UNICODE',
      'BYTE',
      'BINARY',
      'CHARACTER',
      'CHARSET',
      'CHAR',
    ]);
    if (word === undefined) return { modifiers: normalizeModifiers(modifiers), characterSet };
    if (word === 'UNSIGNED' || word === 'ZEROFILL') modifiers += ` ${word.toLowerCase()}`;
    else if (word !== 'SIGNED') characterSet += parseCharacterSet(cursor, word);
  }
}

/** ZEROFILL implies UNSIGNED. */
function normalizeModifiers(modifiers: string): string {
  if (modifiers.includes('zerofill')) return ' unsigned zerofill';
  return modifiers.includes('unsigned') ? ' unsigned' : '';
}

const shortNames: Readonly<Record<string, string>> = {
  ASCII: ' character set latin1',
  UNICODE: ' character set ucs2',
  BYTE: ' byte',
  BINARY: ' binary',
};

function parseCharacterSet(cursor: Cursor, word: string): string {
  if (Object.hasOwn(shortNames, word)) return shortNames[word]!;
  if (word !== 'CHARSET') expect(cursor, 'SET');
  accept(cursor, '=');
  return ` character set ${parseName(cursor, 'a character set')}`;
}
