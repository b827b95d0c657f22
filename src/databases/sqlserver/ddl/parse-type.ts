/** Parses a type in DDL: https://learn.microsoft.com/en-us/sql/t-sql/data-types/data-types-transact-sql */
import {
  accept,
  acceptOne,
  expect,
  parseList,
  parseName,
  parseNumber,
  parseQualifiedName,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { columnType, sqlTypeName } from '../dialect/types.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { ParsedType } from '../../../sql/ddl/ddl-rules.ts';

const synonyms: Readonly<Record<string, string>> = {
  integer: 'int',
  dec: 'decimal',
  rowversion: 'timestamp',
  character: 'char',
  'national text': 'ntext',
};

/** Sizes of types without parentheses: [length in bytes, precision, scale]. */
const defaultSizes: Readonly<
  Record<string, readonly [length: number, precision: number, scale: number]>
> = {
  bit: [1, 0, 0],
  tinyint: [1, 0, 0],
  smallint: [2, 0, 0],
  int: [4, 0, 0],
  bigint: [8, 0, 0],
  decimal: [0, 18, 0],
  numeric: [0, 18, 0],
  money: [8, 0, 0],
  smallmoney: [4, 0, 0],
  real: [4, 0, 0],
  float: [8, 0, 0],
  char: [1, 0, 0],
  varchar: [1, 0, 0],
  nchar: [2, 0, 0],
  nvarchar: [2, 0, 0],
  text: [16, 0, 0],
  ntext: [16, 0, 0],
  image: [16, 0, 0],
  sysname: [256, 0, 0],
  xml: [-1, 0, 0],
  json: [-1, 0, 0],
  uniqueidentifier: [16, 0, 0],
  date: [3, 0, 0],
  time: [5, 0, 7],
  datetime: [8, 0, 3],
  smalldatetime: [4, 0, 0],
  datetime2: [8, 0, 7],
  datetimeoffset: [10, 0, 7],
  binary: [1, 0, 0],
  varbinary: [1, 0, 0],
  timestamp: [8, 0, 0],
  sql_variant: [8016, 0, 0],
  hierarchyid: [892, 0, 0],
  geography: [-1, 0, 0],
  geometry: [-1, 0, 0],
};

/** Alias types of CREATE TYPE, by name in lower case. */
export type AliasTypes = ReadonlyMap<string, ParsedType>;

type Warn = (message: string) => void;

export function parseType(cursor: Cursor, aliases: AliasTypes, warn: Warn = () => {}): ParsedType {
  const from = cursor.at;
  const name = parseTypeName(cursor);
  const canonicalName = Object.hasOwn(synonyms, name) ? synonyms[name]! : name;
  const sizes = Object.hasOwn(defaultSizes, canonicalName)
    ? defaultSizes[canonicalName]
    : undefined;
  if (sizes !== undefined) return sizedType(cursor, { name: canonicalName, sizes }, warn);
  const alias = aliases.get(canonicalName);
  if (alias !== undefined) return alias;
  cursor.at = from;
  throw unexpected(cursor, 'a type');
}

/** Parses the words of a type name, and drops its schema. */
function parseTypeName(cursor: Cursor): string {
  if (wordAt(cursor, 1) === '.')
    return (parseQualifiedName(cursor, 'a type').at(-1) ?? '').toLowerCase();
  const national = accept(cursor, 'NATIONAL') ? 'n' : '';
  const name = parseName(cursor, 'a type').toLowerCase();
  if (name === 'double' && accept(cursor, 'PRECISION')) return 'float';
  const base = /^(?:character|char)$/.test(name) ? 'char' : name;
  if (/^(?:char|nchar|binary)$/.test(base) && accept(cursor, 'VARYING'))
    return `${national}${base === 'nchar' ? 'nvarchar' : `var${base}`}`;
  return `${national}${base}`;
}

type Sizes = readonly [length: number, precision: number, scale: number];

interface NamedType {
  readonly name: string;
  /** Without parentheses. */
  readonly sizes: Sizes;
}

function sizedType(cursor: Cursor, { name, sizes }: NamedType, warn: Warn): ParsedType {
  if (name === 'xml') return parseXmlType(cursor, sizes, warn);
  const most = /^(?:decimal|numeric)$/.test(name) ? 2 : sizedTypes.test(name) ? 1 : 0;
  const explicitSizes = wordAt(cursor) === '(' ? parseSizes(cursor, name) : [];
  if (explicitSizes.length > most) {
    cursor.at -= 1;
    throw unexpected(cursor, most === 0 ? `a clause, since ${name} has no size,` : '")"');
  }
  if (name === 'float' && (explicitSizes[0] ?? 53) <= 24) return parsedType('real', [4, 0, 0]);
  return parsedType(
    name,
    explicitSizes.length === 0 ? sizes : withSizes(name, explicitSizes, sizes),
  );
}

function parsedType(name: string, [length, precision, scale]: Sizes): ParsedType {
  const native = { name, length, precision, scale };
  return { type: columnType(native), nativeType: sqlTypeName(native) };
}

const bytesEach: Readonly<Record<string, number>> = { nchar: 2, nvarchar: 2 };

function withSizes(name: string, sizes: readonly number[], [length]: Sizes): Sizes {
  const [first = 0, second = 0] = sizes;
  if (/^(?:decimal|numeric)$/.test(name)) return [length, first, second];
  if (/^(?:time|datetime2|datetimeoffset)$/.test(name)) return [length, 0, first];
  return [first === -1 ? -1 : first * (bytesEach[name] ?? 1), 0, 0];
}

/** Types other than DECIMAL that may have a size. */
const sizedTypes = /^(?:float|n?char|n?varchar|(?:var)?binary|time|datetime2|datetimeoffset)$/;

/** Parses sizes in parentheses; `max` is -1. */
function parseSizes(cursor: Cursor, name: string): readonly number[] {
  const hasMaximum = /^(?:n?varchar|varbinary)$/.test(name);
  return parseList(cursor, (at) => (hasMaximum && accept(at, 'MAX') ? -1 : parseNumber(at)));
}

/** `xml (CONTENT dbo.collection)` */
function parseXmlType(cursor: Cursor, sizes: Sizes, warn: Warn): ParsedType {
  if (!accept(cursor, '(')) return parsedType('xml', sizes);
  const content = acceptOne(cursor, ['CONTENT', 'DOCUMENT']);
  const collection = parseQualifiedName(cursor, 'an XML schema collection').join('.');
  expect(cursor, ')');
  warn(`the XML schema ${content ?? ''} ${collection} is left out.`.replace('  ', ' '));
  return parsedType('xml', sizes);
}
