/** The meaning of type names that are common to many databases. */
import type { ColumnType } from '../model/schema.ts';

export type TypeSizes = readonly number[];
type ReadType = (sizes: TypeSizes) => ColumnType;

/** Parses a type name with sizes, UNSIGNED and the like; undefined for an uncommon name. */
export function commonType(declared: string): ColumnType | undefined {
  const { name, sizes } = parseTypeName(declared);
  const unsigned = /\bUNSIGNED\b/.test(name);
  const plain = name
    .replaceAll(/\b(?:UNSIGNED|SIGNED|ZEROFILL)\b/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const type = commonTypes.get(plain)?.(sizes);
  return unsigned && type?.kind === 'integer' ? { ...type, unsigned } : type;
}

/** `decimal (10, 2) unsigned` has the name DECIMAL UNSIGNED and the sizes 10 and 2. */
export function parseTypeName(declared: string): {
  readonly name: string;
  readonly sizes: TypeSizes;
} {
  const [, before = '', inside = '', after = ''] =
    /^([^(]*)(?:\(([^)]*)\)?)?(.*)$/s.exec(declared) ?? [];
  const sizes = inside.split(',').map((part) => Number.parseInt(part, 10));
  const name = `${before} ${after}`.toUpperCase().replaceAll(/\s+/g, ' ').trim();
  return { name, sizes: sizes.filter((size) => size >= 0) };
}

function integer(bits: 8 | 16 | 24 | 32 | 64): ColumnType {
  return { kind: 'integer', bits };
}

export function sizedType(kind: 'text' | 'binary', [length]: TypeSizes, fixed = false): ColumnType {
  return { kind, ...(length === undefined ? {} : { length }), ...(fixed ? { fixed } : {}) };
}

function decimal([precision, scale]: TypeSizes): ColumnType {
  if (precision === undefined) return { kind: 'decimal' };
  return { kind: 'decimal', precision, ...(scale === undefined ? {} : { scale }) };
}

function dateTime(kind: 'time' | 'timestamp', [precision]: TypeSizes, zone = false): ColumnType {
  return { kind, ...(precision === undefined ? {} : { precision }), ...(zone ? { zone } : {}) };
}

const constant =
  (type: ColumnType): ReadType =>
  () =>
    type;

const typeNames: readonly (readonly [names: string, read: ReadType])[] = [
  ['BOOLEAN, BOOL', constant({ kind: 'boolean' })],
  ['TINYINT, INT1, BIT', constant(integer(8))],
  ['SMALLINT, INT2, SMALLSERIAL, YEAR', constant(integer(16))],
  ['MEDIUMINT, INT3', constant(integer(24))],
  ['INT, INT4, SERIAL', constant(integer(32))],
  ['INTEGER, BIGINT, INT8, BIG INT, BIGSERIAL', constant(integer(64))],
  [
    'DECIMAL, NUMERIC, FLOATING POINT, DEC, FIXED, NUMBER, NUM, MONEY, SMALLMONEY, CURRENCY',
    decimal,
  ],
  ['FLOAT4', constant({ kind: 'float', bits: 32 })],
  ['REAL, FLOAT, FLOAT8, DOUBLE, DOUBLE PRECISION', constant({ kind: 'float', bits: 64 })],
  [
    'CHAR, CHARACTER, NCHAR, NATIONAL CHARACTER, NATIVE CHARACTER, BPCHAR',
    (sizes) => sizedType('text', sizes, sizes.length > 0),
  ],
  [
    'STRING, VARCHAR, NVARCHAR, VARCHAR2, NVARCHAR2, CHARACTER VARYING, VARYING CHARACTER',
    (sizes) => sizedType('text', sizes),
  ],
  [
    'TEXT, TINYTEXT, MEDIUMTEXT, LONGTEXT, NTEXT, CLOB, CITEXT, LONG VARCHAR',
    (sizes) => sizedType('text', sizes),
  ],
  ['UUID, GUID, UNIQUEIDENTIFIER', constant({ kind: 'uuid' })],
  ['DATE', constant({ kind: 'date' })],
  ['TIME, TIME WITHOUT TIME ZONE', (sizes) => dateTime('time', sizes)],
  ['TIMETZ, TIME WITH TIME ZONE', (sizes) => dateTime('time', sizes, true)],
  [
    'DATETIME, TIMESTAMP, TIMESTAMP WITHOUT TIME ZONE, DATETIME2, SMALLDATETIME',
    (sizes) => dateTime('timestamp', sizes),
  ],
  [
    'TIMESTAMPTZ, TIMESTAMP WITH TIME ZONE, DATETIMEOFFSET',
    (sizes) => dateTime('timestamp', sizes, true),
  ],
  ['INTERVAL', constant({ kind: 'interval' })],
  ['JSON', constant({ kind: 'json' })],
  ['JSONB', constant({ kind: 'json', binary: true })],
  ['BINARY', (sizes) => sizedType('binary', sizes, sizes.length > 0)],
  ['VARBINARY, BYTEA, IMAGE', (sizes) => sizedType('binary', sizes)],
  ['BLOB, TINYBLOB, MEDIUMBLOB, LONGBLOB', (sizes) => sizedType('binary', sizes)],
];

const commonTypes: ReadonlyMap<string, ReadType> = new Map(
  typeNames.flatMap(([names, read]) =>
    names.split(', ').map((name): [string, ReadType] => [name, read]),
  ),
);
