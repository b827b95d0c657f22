/** A type in DDL: https://learn.microsoft.com/en-us/sql/t-sql/data-types/data-types-transact-sql */
import {
  accept,
  acceptOne,
  expect,
  takeName,
  takeNumber,
  takeQualifiedName,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { columnType, spelled } from '../dialect/types.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { TypeReading } from '../../../sql/ddl/ddl-rules.ts';

const synonyms: Readonly<Record<string, string>> = {
  integer: 'int',
  dec: 'decimal',
  rowversion: 'timestamp',
  character: 'char',
  'national text': 'ntext',
};

/** What a type is where its brackets are left out: [length, precision, scale]. */
const usual: Readonly<Record<string, readonly [length: number, precision: number, scale: number]>> =
  {
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

/** Types that CREATE TYPE has made of others, by their names in small letters. */
export type AliasTypes = ReadonlyMap<string, TypeReading>;

export function takeType(cursor: Cursor, aliases: AliasTypes): TypeReading {
  const from = cursor.at;
  const name = takeTypeName(cursor);
  const known = Object.hasOwn(synonyms, name) ? synonyms[name]! : name;
  const sizes = Object.hasOwn(usual, known) ? usual[known] : undefined;
  if (sizes !== undefined) return sizedType(cursor, known, sizes);
  const alias = aliases.get(known);
  if (alias !== undefined) return alias;
  cursor.at = from;
  throw unexpected(cursor, 'a type');
}

/** A word or two; sys and the alias's own schema go without saying. */
function takeTypeName(cursor: Cursor): string {
  if (wordAt(cursor, 1) === '.')
    return (takeQualifiedName(cursor, 'a type').at(-1) ?? '').toLowerCase();
  const national = accept(cursor, 'NATIONAL') ? 'n' : '';
  const name = takeName(cursor, 'a type').toLowerCase();
  if (name === 'double' && accept(cursor, 'PRECISION')) return 'float';
  const base = /^(?:character|char)$/.test(name) ? 'char' : name;
  if (/^(?:char|nchar|binary)$/.test(base) && accept(cursor, 'VARYING'))
    return `${national}${base === 'nchar' ? 'nvarchar' : `var${base}`}`;
  return `${national}${base}`;
}

type Sizes = readonly [length: number, precision: number, scale: number];

function sizedType(cursor: Cursor, name: string, sizes: Sizes): TypeReading {
  const given = takeSizes(cursor);
  if (name === 'float' && (given[0] ?? 53) <= 24) return reading('real', [4, 0, 0]);
  return reading(name, given.length === 0 ? sizes : withSizes(name, given, sizes));
}

function reading(name: string, [length, precision, scale]: Sizes): TypeReading {
  const native = { name, length, precision, scale };
  return { type: columnType(native), nativeType: spelled(native) };
}

const bytesEach: Readonly<Record<string, number>> = { nchar: 2, nvarchar: 2 };

function withSizes(name: string, given: readonly number[], [length]: Sizes): Sizes {
  const [first = 0, second = 0] = given;
  if (/^(?:decimal|numeric)$/.test(name)) return [length, first, second];
  if (/^(?:time|datetime2|datetimeoffset)$/.test(name)) return [length, 0, first];
  return [first === -1 ? -1 : first * (bytesEach[name] ?? 1), 0, 0];
}

/** `(max)` is -1. */
function takeSizes(cursor: Cursor): readonly number[] {
  const sizes: number[] = [];
  if (!accept(cursor, '(')) return sizes;
  do {
    sizes.push(accept(cursor, 'MAX') ? -1 : takeSize(cursor));
  } while (accept(cursor, ','));
  expect(cursor, ')');
  return sizes;
}

/** A number, or an XML schema collection, which says nothing about the size. */
function takeSize(cursor: Cursor): number {
  if (cursor.code[cursor.at]?.kind === 'number') return takeNumber(cursor);
  acceptOne(cursor, ['CONTENT', 'DOCUMENT']);
  takeQualifiedName(cursor, 'a size');
  return -1;
}
