import { storedAs } from '../../../model/values/stored-value.ts';
import type { ColumnInfo, ColumnType } from '../../../model/schema.ts';

/** A type as the catalog and the protocol report it. */
export interface NativeType {
  /** In lower case. */
  readonly name: string;
  /** In bytes; -1 for `(max)`. */
  readonly length: number;
  readonly precision: number;
  readonly scale: number;
}

/** The neutral type. It carries the native name where parameters must be declared with it. */
export function columnType(native: NativeType): ColumnType {
  const type = types[native.name]?.(native) ?? { kind: 'other', name: native.name };
  return namesToKeep.has(native.name) ? Object.assign(type, { native: native.name }) : type;
}

/** The native name that a neutral type carries, if any. */
export function nativeTypeName(type: ColumnType): string | undefined {
  return 'native' in type && typeof type.native === 'string' ? type.native : undefined;
}

const namesToKeep: ReadonlySet<string> = new Set([
  ...['varchar', 'char', 'text', 'ntext', 'image', 'xml'],
  ...['money', 'smallmoney', 'datetime', 'smalldatetime', 'timestamp'],
]);

type ReadType = (native: NativeType) => ColumnType;

const integer =
  (bits: 16 | 32 | 64): ReadType =>
  () => ({ kind: 'integer', bits });

const text =
  (bytesEach: number, fixed: boolean): ReadType =>
  ({ length }) => ({ kind: 'text', ...lengthOf(length, bytesEach), ...(fixed ? { fixed } : {}) });

const binary =
  (fixed: boolean): ReadType =>
  ({ length }) => ({ kind: 'binary', ...lengthOf(length, 1), ...(fixed ? { fixed } : {}) });

const decimal: ReadType = ({ precision, scale }) => ({ kind: 'decimal', precision, scale });

const timeType =
  (kind: 'time' | 'timestamp', zone: boolean): ReadType =>
  ({ scale }) => ({ kind, precision: scale, ...(zone ? { zone } : {}) });

function lengthOf(bytes: number, bytesEach: number): { readonly length?: number } {
  return bytes === -1 ? {} : { length: bytes / bytesEach };
}

const types: Readonly<Record<string, ReadType>> = {
  bit: () => ({ kind: 'boolean' }),
  tinyint: () => ({ kind: 'integer', bits: 8, unsigned: true }),
  smallint: integer(16),
  int: integer(32),
  bigint: integer(64),
  decimal,
  numeric: decimal,
  money: () => ({ kind: 'decimal', precision: 19, scale: 4 }),
  smallmoney: () => ({ kind: 'decimal', precision: 10, scale: 4 }),
  real: () => ({ kind: 'float', bits: 32 }),
  float: () => ({ kind: 'float', bits: 64 }),
  char: text(1, true),
  varchar: text(1, false),
  nchar: text(2, true),
  nvarchar: text(2, false),
  sysname: text(2, false),
  text: () => ({ kind: 'text' }),
  ntext: () => ({ kind: 'text' }),
  xml: () => ({ kind: 'other', name: 'xml' }),
  json: () => ({ kind: 'json' }),
  uniqueidentifier: () => ({ kind: 'uuid' }),
  date: () => ({ kind: 'date' }),
  time: timeType('time', false),
  datetime: () => storedAs({ kind: 'timestamp', precision: 3 }, { ticks: '300th of a second' }),
  smalldatetime: () => storedAs({ kind: 'timestamp', precision: 0 }, { ticks: 'minute' }),
  datetime2: timeType('timestamp', false),
  datetimeoffset: timeType('timestamp', true),
  binary: binary(true),
  varbinary: binary(false),
  image: () => ({ kind: 'binary' }),
  timestamp: binary(true),
  sql_variant: () => ({ kind: 'untyped' }),
};

/** The type in T-SQL: `nvarchar(100)`, `decimal(18,2)`, `varbinary(max)`. */
export function sqlTypeName({ name, length, precision, scale }: NativeType): string {
  if (/^n(?:var)?char$/.test(name)) return `${name}(${length === -1 ? 'max' : length / 2})`;
  if (/^(?:var)?(?:char|binary)$/.test(name)) return `${name}(${length === -1 ? 'max' : length})`;
  if (name === 'decimal' || name === 'numeric') return `${name}(${precision},${scale})`;
  return /^(?:time|datetime2|datetimeoffset)$/.test(name) ? `${name}(${scale})` : name;
}

const clrNames: ReadonlySet<string> = new Set(['hierarchyid', 'geography', 'geometry']);

/** CLR types, whose values are read and written as text. */
export function isClr(type: ColumnType): type is Extract<ColumnType, { kind: 'other' }> {
  return type.kind === 'other' && clrNames.has(type.name);
}

/** A result column as the protocol describes it. */
export interface WireColumn {
  readonly colName: string;
  /** 80 for a rowversion. */
  readonly userType: number;
  readonly type: { readonly name: string };
  /** In bytes; 65,535 for `(max)`. */
  readonly dataLength: number | undefined;
  readonly precision: number | undefined;
  readonly scale: number | undefined;
  readonly udtInfo: { readonly typeName: string } | undefined;
}

export function wireColumnInfo(column: WireColumn): ColumnInfo {
  const { dataLength = 0, precision = 0, scale = 0 } = column;
  const length = dataLength === 65_535 ? -1 : dataLength;
  const native = { name: wireName(column), length, precision, scale };
  const info = { name: column.colName, type: columnType(native), nativeType: sqlTypeName(native) };
  return native.name === 'sql_variant' ? { ...info, dynamic: true } : info;
}

const rowVersion = 80;

function wireName({ type, dataLength = 0, userType, udtInfo }: WireColumn): string {
  if (userType === rowVersion) return 'timestamp';
  const name = sizedNames[type.name]?.[dataLength] ?? wireNames[type.name];
  return name ?? udtInfo?.typeName.toLowerCase() ?? type.name.toLowerCase();
}

/** Types that the protocol distinguishes by their length in bytes. */
const sizedNames: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  IntN: { 1: 'tinyint', 2: 'smallint', 4: 'int', 8: 'bigint' },
  FloatN: { 4: 'real', 8: 'float' },
  MoneyN: { 4: 'smallmoney', 8: 'money' },
  DateTimeN: { 4: 'smalldatetime', 8: 'datetime' },
};

const wireNames: Readonly<Record<string, string>> = {
  BitN: 'bit',
  DecimalN: 'decimal',
  NumericN: 'numeric',
  Variant: 'sql_variant',
  Null: 'sql_variant',
};
