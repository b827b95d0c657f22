/** A type in DDL, as information_schema spells it: https://dev.mysql.com/doc/refman/8.4/en/data-types.html */
import {
  accept,
  acceptOne,
  expect,
  takeGroup,
  takeName,
  takeToken,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { readString } from '../../../sql/expression/read-literal.ts';
import { quoteText } from '../dialect/ddl.ts';
import { columnType } from '../dialect/types.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { TypeReading } from '../../../sql/ddl/ddl-rules.ts';

/** What other words stand for; a size that they imply is in brackets. */
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

export function takeType(cursor: Cursor): TypeReading {
  if (wordAt(cursor) === 'SERIAL') return takeSerial(cursor);
  // Those have a character set of their own, which the servers have by this name.
  const isNational = /^(?:NATIONAL|NCHAR|NVARCHAR)$/.test(wordAt(cursor));
  const name = takeTypeName(cursor);
  const sized =
    name === 'enum' || name === 'set' ? takeMembers(cursor, name) : takeSizes(cursor, name);
  const { marks, characterSet } = takeMarks(cursor);
  const spelled = `${sized.replace(/^(float|double)\(.*\)$/, '$1')}${marks}`;
  const type = columnType(spelled.replace(' zerofill', ''));
  const national = isNational && characterSet === '' ? ' character set utf8mb3' : characterSet;
  return { type, nativeType: `${sized}${marks}${national}` };
}

/** `BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE`; the key comes with AUTO_INCREMENT. */
function takeSerial(cursor: Cursor): TypeReading {
  cursor.at += 1;
  const nativeType = 'bigint unsigned';
  return {
    type: columnType(nativeType),
    nativeType,
    column: { nullable: false, autoIncrement: true },
  };
}

function takeTypeName(cursor: Cursor): string {
  accept(cursor, 'NATIONAL');
  const word = wordAt(cursor);
  const name = Object.hasOwn(synonyms, word) ? synonyms[word]! : word.toLowerCase();
  if (!plainNames.has(name.replace(/\(.*/, ''))) throw unexpected(cursor, 'a type');
  takeToken(cursor, 'a type');
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

/** `int(11)`; of a text or blob, the size only tells which. */
function takeSizes(cursor: Cursor, name: string): string {
  if (wordAt(cursor) !== '(') return usualSize(name);
  const text = takeGroup(cursor).replaceAll(/\s+/g, '');
  if (!/^\d+(?:,\d+)?$/.test(text)) {
    cursor.at -= 2;
    throw unexpected(cursor, 'a size');
  }
  if (name === 'text' || name === 'blob') {
    const size = Number(text);
    return `${textSizes.find(([, most]) => size <= most)?.[0] ?? ''}${name}`;
  }
  if (name === 'float' && !text.includes(',')) return Number(text) > 24 ? 'double' : 'float';
  if (name === 'year') return name;
  return `${name.replace(/\(.*/, '')}(${text})`;
}

function usualSize(name: string): string {
  const sizes: Readonly<Record<string, string>> = {
    bit: 'bit(1)',
    char: 'char(1)',
    binary: 'binary(1)',
    decimal: 'decimal(10,0)',
  };
  return sizes[name] ?? name;
}

function takeMembers(cursor: Cursor, name: string): string {
  expect(cursor, '(');
  const members: string[] = [];
  do members.push(takeMember(cursor));
  while (accept(cursor, ','));
  expect(cursor, ')');
  return `${name}(${members.join(',')})`;
}

/** A member's trailing blanks are none of it. */
function takeMember(cursor: Cursor): string {
  const { text, lexical } = cursor;
  const token = takeToken(cursor, 'a text');
  const literal =
    token.kind === 'string' ? readString(text.slice(token.start, token.end), lexical) : undefined;
  if (literal?.kind !== 'text') {
    cursor.at -= 1;
    throw unexpected(cursor, 'a text');
  }
  return quoteText(literal.value.replace(/ +$/, ''));
}

interface Marks {
  readonly marks: string;
  readonly characterSet: string;
}

/** UNSIGNED and ZEROFILL, character sets and their short names. */
function takeMarks(cursor: Cursor): Marks {
  let marks = '';
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
    if (word === undefined) return { marks: orderedMarks(marks), characterSet };
    if (word === 'UNSIGNED' || word === 'ZEROFILL') marks += ` ${word.toLowerCase()}`;
    else if (word !== 'SIGNED') characterSet += takeCharacterSet(cursor, word);
  }
}

/** ZEROFILL makes a number unsigned. */
function orderedMarks(marks: string): string {
  if (marks.includes('zerofill')) return ' unsigned zerofill';
  return marks.includes('unsigned') ? ' unsigned' : '';
}

const shortNames: Readonly<Record<string, string>> = {
  ASCII: ' character set latin1',
  UNICODE: ' character set ucs2',
  BYTE: ' byte',
  BINARY: ' binary',
};

function takeCharacterSet(cursor: Cursor, word: string): string {
  if (Object.hasOwn(shortNames, word)) return shortNames[word]!;
  if (word !== 'CHARSET') expect(cursor, 'SET');
  accept(cursor, '=');
  return ` character set ${takeName(cursor, 'a character set')}`;
}
