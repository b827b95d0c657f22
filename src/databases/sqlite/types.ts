import { affinityOf } from './affinity.ts';
import type { ColumnType } from '../../model/schema.ts';

type Sizes = readonly number[];
type ReadType = (sizes: Sizes) => ColumnType;

/**
 * What a declared type says of its column. SQLite heeds only the affinity in it; the rest is the
 * author's word, kept for editors and other databases. A type without affinity of its own
 * (`''`, ANY in a STRICT table) is untyped; those of REAL affinity, and no others, are floats.
 */
export function columnType(declared: string, strict = false): ColumnType {
  const affinity = affinityOf(declared, strict);
  const { name, sizes } = parseDeclared(declared);
  if (affinity === 'blob')
    return name === '' || name === 'ANY' ? { kind: 'untyped' } : sized('binary', sizes);
  if (affinity === 'real') return { kind: 'float', bits: name === 'FLOAT4' ? 32 : 64 };
  if (strict) return affinity === 'integer' ? integer(64) : { kind: 'text' };
  const unsigned = /\bUNSIGNED\b/.test(name);
  const plain = name
    .replaceAll(/\b(?:UNSIGNED|SIGNED|ZEROFILL)\b/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const type = namedTypes.get(plain)?.(sizes) ?? byAffinity(affinity, declared, sizes);
  return unsigned && type.kind === 'integer' ? { ...type, unsigned } : type;
}

/** A result's column tells its declared type, but not whether its table is STRICT: only there is ANY untyped. */
export function resultType(declared: string): ColumnType {
  return columnType(declared, declared.toUpperCase() === 'ANY');
}

function byAffinity(
  affinity: 'integer' | 'text' | 'numeric',
  declared: string,
  sizes: Sizes,
): ColumnType {
  if (affinity === 'integer') return integer(64);
  return affinity === 'text' ? sized('text', sizes) : { kind: 'other', name: declared };
}

/** `decimal (10, 2) unsigned` is DECIMAL UNSIGNED of 10 and 2. */
function parseDeclared(declared: string): { readonly name: string; readonly sizes: Sizes } {
  const [, before = '', inside = '', after = ''] =
    /^([^(]*)(?:\(([^)]*)\)?)?(.*)$/s.exec(declared) ?? [];
  const sizes = inside.split(',').map((part) => Number.parseInt(part, 10));
  const name = `${before} ${after}`.toUpperCase().replaceAll(/\s+/g, ' ').trim();
  return { name, sizes: sizes.filter((size) => size >= 0) };
}

function integer(bits: 8 | 16 | 24 | 32 | 64): ColumnType {
  return { kind: 'integer', bits };
}

function sized(kind: 'text' | 'binary', [length]: Sizes, fixed = false): ColumnType {
  return { kind, ...(length === undefined ? {} : { length }), ...(fixed ? { fixed } : {}) };
}

function decimal([precision, scale]: Sizes): ColumnType {
  if (precision === undefined) return { kind: 'decimal' };
  return { kind: 'decimal', precision, ...(scale === undefined ? {} : { scale }) };
}

function moment(kind: 'time' | 'timestamp', [precision]: Sizes, zone = false): ColumnType {
  return { kind, ...(precision === undefined ? {} : { precision }), ...(zone ? { zone } : {}) };
}

const is =
  (type: ColumnType): ReadType =>
  () =>
    type;

const named: readonly (readonly [names: string, read: ReadType])[] = [
  ['BOOLEAN, BOOL', is({ kind: 'boolean' })],
  ['TINYINT, INT1, BIT', is(integer(8))],
  ['SMALLINT, INT2, SMALLSERIAL, YEAR', is(integer(16))],
  ['MEDIUMINT, INT3', is(integer(24))],
  ['INT, INT4, SERIAL', is(integer(32))],
  ['INTEGER, BIGINT, INT8, BIG INT, BIGSERIAL', is(integer(64))],
  [
    'DECIMAL, NUMERIC, FLOATING POINT, DEC, FIXED, NUMBER, NUM, MONEY, SMALLMONEY, CURRENCY',
    decimal,
  ],
  [
    'CHAR, CHARACTER, NCHAR, NATIONAL CHARACTER, NATIVE CHARACTER, BPCHAR',
    (sizes) => sized('text', sizes, sizes.length > 0),
  ],
  ['STRING', (sizes) => sized('text', sizes)],
  ['UUID, GUID, UNIQUEIDENTIFIER', is({ kind: 'uuid' })],
  ['DATE', is({ kind: 'date' })],
  ['TIME, TIME WITHOUT TIME ZONE', (sizes) => moment('time', sizes)],
  ['TIMETZ, TIME WITH TIME ZONE', (sizes) => moment('time', sizes, true)],
  [
    'DATETIME, TIMESTAMP, TIMESTAMP WITHOUT TIME ZONE, DATETIME2, SMALLDATETIME',
    (sizes) => moment('timestamp', sizes),
  ],
  [
    'TIMESTAMPTZ, TIMESTAMP WITH TIME ZONE, DATETIMEOFFSET',
    (sizes) => moment('timestamp', sizes, true),
  ],
  ['INTERVAL', is({ kind: 'interval' })],
  ['JSON', is({ kind: 'json' })],
  ['JSONB', is({ kind: 'json', binary: true })],
  ['BINARY', (sizes) => sized('binary', sizes, sizes.length > 0)],
  ['VARBINARY, BYTEA, IMAGE', (sizes) => sized('binary', sizes)],
];

const namedTypes: ReadonlyMap<string, ReadType> = new Map(
  named.flatMap(([names, read]) =>
    names.split(', ').map((name): [string, ReadType] => [name, read]),
  ),
);
