import { storedAs } from '../../../model/values/stored-value.ts';
import type { ColumnInfo, ColumnType } from '../../../model/schema.ts';

/** Parses a type as information_schema reports it: `bigint(20) unsigned`, `enum('a','b')`. */
export function columnType(sqlType: string): ColumnType {
  if (sqlType === 'tinyint(1)') return { kind: 'boolean' };
  const [, name = '', inside, after = ''] = /^(\w+)(?:\((.*)\))?(.*)$/s.exec(sqlType) ?? [];
  const unsigned = after.includes('unsigned');
  return types[name]?.({ inside: inside ?? '', unsigned }) ?? { kind: 'other', name };
}

interface TypeArguments {
  /** The text between the parentheses. */
  readonly inside: string;
  readonly unsigned: boolean;
}

type ParseType = (typeArguments: TypeArguments) => ColumnType;

const is =
  (type: ColumnType): ParseType =>
  () =>
    type;

const integer =
  (bits: 8 | 16 | 24 | 32 | 64): ParseType =>
  ({ unsigned }) => ({ kind: 'integer', bits, ...(unsigned ? { unsigned } : {}) });

const sized =
  (kind: 'text' | 'binary', fixed: boolean): ParseType =>
  ({ inside }) => ({ kind, length: Number(inside || 1), ...(fixed ? { fixed } : {}) });

const temporal =
  (kind: 'time' | 'timestamp', zone: boolean): ParseType =>
  ({ inside }) => ({ kind, precision: Number(inside || 0), ...(zone ? { zone } : {}) });

/** `float(7,2)` rounds to two decimals. */
const float =
  (bits: 32 | 64): ParseType =>
  ({ inside }) => {
    const decimals = inside.split(',')[1];
    const type = { kind: 'float', bits } as const;
    return decimals === undefined ? type : storedAs(type, { decimals: Number(decimals) });
  };

const types: Readonly<Record<string, ParseType>> = {
  tinyint: integer(8),
  smallint: integer(16),
  mediumint: integer(24),
  int: integer(32),
  bigint: integer(64),
  year: is(storedAs({ kind: 'integer', bits: 16, unsigned: true }, { shortYears: true })),
  decimal: ({ inside }) => {
    const [precision = 10, scale = 0] = inside.split(',').map(Number);
    return { kind: 'decimal', precision, scale };
  },
  float: float(32),
  double: float(64),
  bit: ({ inside }) =>
    Number(inside) > 1 ? { kind: 'bits', length: Number(inside) } : { kind: 'boolean' },
  char: sized('text', true),
  varchar: sized('text', false),
  tinytext: is({ kind: 'text' }),
  text: is({ kind: 'text' }),
  mediumtext: is({ kind: 'text' }),
  longtext: is({ kind: 'text' }),
  binary: sized('binary', true),
  varbinary: sized('binary', false),
  tinyblob: is({ kind: 'binary' }),
  blob: is({ kind: 'binary' }),
  mediumblob: is({ kind: 'binary' }),
  longblob: is({ kind: 'binary' }),
  enum: ({ inside }) => ({ kind: 'enum', values: readMembers(inside) }),
  set: ({ inside }) => ({ kind: 'set', values: readMembers(inside) }),
  date: is({ kind: 'date' }),
  time: temporal('time', false),
  datetime: temporal('timestamp', false),
  timestamp: temporal('timestamp', true),
  json: is({ kind: 'json' }),
  uuid: is({ kind: 'uuid' }),
};

const memberEscapes: Readonly<Record<string, string>> = { '0': '\0', n: '\n', r: '\r' };

/**
 * The labels of `'a','it''s','one\\two\nlines'`. The servers escape backslashes, line ends and NUL
 * there in every sql_mode, also under NO_BACKSLASH_ESCAPES.
 */
export function readMembers(list: string): readonly string[] {
  return (list.match(/'(?:[^'\\]|''|\\.)*'/gs) ?? []).map((member) =>
    member
      .slice(1, -1)
      .replaceAll(/''|\\(.)/gs, (_pair, escaped?: string) =>
        escaped === undefined ? "'" : (memberEscapes[escaped] ?? escaped),
      ),
  );
}

const spatialNames: ReadonlySet<string> = new Set([
  'geometry',
  'point',
  'linestring',
  'polygon',
  'multipoint',
  'multilinestring',
  'multipolygon',
  'geometrycollection',
  'geomcollection',
]);

export function isSpatial(type: ColumnType): boolean {
  return type.kind === 'other' && spatialNames.has(type.name.split(' ')[0] ?? '');
}

/** A spatial type whose values must all have this SRID. */
export function withReferenceSystem(type: ColumnType, srid: number): ColumnType {
  return type.kind === 'other' ? { ...type, name: `${type.name} srid ${srid}` } : type;
}

/** The required SRID; 0 if there is none. */
export function referenceSystemOf(type: ColumnType): number {
  return type.kind === 'other' ? Number(/ srid (\d+)$/.exec(type.name)?.[1] ?? 0) : 0;
}

/** A result column as the protocol describes it. */
export interface WireField {
  /** The column's name. */
  readonly label: string;
  /** The protocol's number of the type. */
  readonly columnType: number;
  readonly columnLength: number;
  readonly flags: number;
  readonly decimals: number;
  readonly characterSet: number;
  /** The driver treats it as a blob (see `adaptFields`). */
  readonly isGeometry?: boolean;
  /** The driver treats it as a blob (see `adaptFields`). */
  readonly isVector?: boolean;
  /** MariaDB: `uuid`, `inet6`, `point` … */
  readonly extendedTypeName?: string;
  /** MariaDB: `json`. */
  readonly extendedFormat?: string;
}

/** https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html */
export const wireTypes = {
  decimal: 0,
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  null: 6,
  timestamp: 7,
  longlong: 8,
  int24: 9,
  date: 10,
  time: 11,
  datetime: 12,
  year: 13,
  newdate: 14,
  bit: 16,
  vector: 242,
  json: 245,
  newdecimal: 246,
  blob: 252,
  geometry: 255,
} as const;

const unsignedFlag = 0x20;
const enumFlag = 0x100;
const setFlag = 0x800;
export const binaryCharacterSet = 63;

/** Derives the column info of a result column from its protocol description. */
export function fieldInfo(field: WireField): ColumnInfo {
  const nativeType = fieldTypeName(field);
  if (field.extendedFormat !== 'json')
    return { name: field.label, type: fieldType(field, nativeType), nativeType };
  // MariaDB reports JSON for texts with a check, which is less strict than JSON.
  return { name: field.label, type: { kind: 'json' }, nativeType, mayHoldOtherText: true };
}

/** A fingerprint of the field types, without names and keys. */
export function fieldTypes(fields: readonly WireField[]): string {
  return fields.map(typeText).join(' ');
}

function typeText(field: WireField): string {
  const { columnLength, decimals, characterSet } = field;
  const typeFlags = field.flags & (unsignedFlag | enumFlag | setFlag);
  const extendedType = `${field.extendedTypeName ?? ''}:${field.extendedFormat ?? ''}`;
  const driver = `${field.isGeometry === true ? 'g' : ''}${field.isVector === true ? 'v' : ''}`;
  return `${field.columnType}:${columnLength}:${decimals}:${characterSet}:${typeFlags}:${extendedType}:${driver}`;
}

function fieldType(field: WireField, nativeType: string): ColumnType {
  if (nativeType === 'null') return { kind: 'untyped' };
  if (nativeType === 'enum' || nativeType === 'set') return { kind: 'text' };
  return columnType(nativeType);
}

function fieldTypeName(field: WireField): string {
  if (field.extendedTypeName !== undefined) return field.extendedTypeName;
  if (field.isGeometry === true) return 'geometry';
  if (field.isVector === true) return 'vector';
  if ((field.flags & enumFlag) !== 0) return 'enum';
  if ((field.flags & setFlag) !== 0) return 'set';
  return (
    typeNameFormatters[field.columnType]?.(field) ??
    (field.characterSet === binaryCharacterSet ? 'longblob' : 'longtext')
  );
}

type FormatTypeName = (field: WireField) => string;

const integerTypeName =
  (name: string): FormatTypeName =>
  ({ flags }) =>
    (flags & unsignedFlag) === 0 ? name : `${name} unsigned`;

const temporalTypeName =
  (name: string): FormatTypeName =>
  ({ decimals }) =>
    decimals > 0 && decimals <= 6 ? `${name}(${decimals})` : name;

const typeNameFormatters: Readonly<Record<number, FormatTypeName>> = {
  [wireTypes.decimal]: decimalTypeName,
  [wireTypes.newdecimal]: decimalTypeName,
  [wireTypes.tiny]: (field) =>
    field.columnLength === 1 && (field.flags & unsignedFlag) === 0
      ? 'tinyint(1)'
      : integerTypeName('tinyint')(field),
  [wireTypes.short]: integerTypeName('smallint'),
  [wireTypes.int24]: integerTypeName('mediumint'),
  [wireTypes.long]: integerTypeName('int'),
  [wireTypes.longlong]: integerTypeName('bigint'),
  [wireTypes.float]: () => 'float',
  [wireTypes.double]: () => 'double',
  [wireTypes.null]: () => 'null',
  [wireTypes.year]: () => 'year',
  [wireTypes.date]: () => 'date',
  [wireTypes.newdate]: () => 'date',
  [wireTypes.time]: temporalTypeName('time'),
  [wireTypes.datetime]: temporalTypeName('datetime'),
  [wireTypes.timestamp]: temporalTypeName('timestamp'),
  [wireTypes.bit]: ({ columnLength }) => `bit(${columnLength})`,
  [wireTypes.json]: () => 'json',
  [wireTypes.vector]: () => 'vector',
};

/** `columnLength` includes the sign and the decimal point. */
function decimalTypeName({ columnLength, decimals, flags }: WireField): string {
  const otherCharacters = (decimals > 0 ? 1 : 0) + ((flags & unsignedFlag) === 0 ? 1 : 0);
  return `decimal(${columnLength - otherCharacters},${decimals})`;
}
