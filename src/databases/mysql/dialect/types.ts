import { storedAs } from '../../../model/stored-value.ts';
import type { ColumnInfo, ColumnType } from '../../../model/schema.ts';

/** Parses a type as information_schema reports it: `bigint(20) unsigned`, `enum('a','b')`. */
export function columnType(spelled: string): ColumnType {
  if (spelled === 'tinyint(1)') return { kind: 'boolean' };
  const [, name = '', inside, after = ''] = /^(\w+)(?:\((.*)\))?(.*)$/s.exec(spelled) ?? [];
  const unsigned = after.includes('unsigned');
  return types[name]?.({ inside: inside ?? '', unsigned }) ?? { kind: 'other', name };
}

interface Spelling {
  /** The text between the parentheses. */
  readonly inside: string;
  readonly unsigned: boolean;
}

type ReadType = (spelling: Spelling) => ColumnType;

const is =
  (type: ColumnType): ReadType =>
  () =>
    type;

const integer =
  (bits: 8 | 16 | 24 | 32 | 64): ReadType =>
  ({ unsigned }) => ({ kind: 'integer', bits, ...(unsigned ? { unsigned } : {}) });

const sized =
  (kind: 'text' | 'binary', fixed: boolean): ReadType =>
  ({ inside }) => ({ kind, length: Number(inside || 1), ...(fixed ? { fixed } : {}) });

const moment =
  (kind: 'time' | 'timestamp', zone: boolean): ReadType =>
  ({ inside }) => ({ kind, precision: Number(inside || 0), ...(zone ? { zone } : {}) });

/** `float(7,2)` rounds to two decimals. */
const float =
  (bits: 32 | 64): ReadType =>
  ({ inside }) => {
    const decimals = inside.split(',')[1];
    const type = { kind: 'float', bits } as const;
    return decimals === undefined ? type : storedAs(type, { decimals: Number(decimals) });
  };

const types: Readonly<Record<string, ReadType>> = {
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
  time: moment('time', false),
  datetime: moment('timestamp', false),
  timestamp: moment('timestamp', true),
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
  const nativeType = fieldSpelling(field);
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
  const signs = field.flags & (unsignedFlag | enumFlag | setFlag);
  const own = `${field.extendedTypeName ?? ''}:${field.extendedFormat ?? ''}`;
  const driver = `${field.isGeometry === true ? 'g' : ''}${field.isVector === true ? 'v' : ''}`;
  return `${field.columnType}:${columnLength}:${decimals}:${characterSet}:${signs}:${own}:${driver}`;
}

function fieldType(field: WireField, nativeType: string): ColumnType {
  if (nativeType === 'null') return { kind: 'untyped' };
  if (nativeType === 'enum' || nativeType === 'set') return { kind: 'text' };
  return columnType(nativeType);
}

function fieldSpelling(field: WireField): string {
  if (field.extendedTypeName !== undefined) return field.extendedTypeName;
  if (field.isGeometry === true) return 'geometry';
  if (field.isVector === true) return 'vector';
  if ((field.flags & enumFlag) !== 0) return 'enum';
  if ((field.flags & setFlag) !== 0) return 'set';
  return (
    spellings[field.columnType]?.(field) ??
    (field.characterSet === binaryCharacterSet ? 'longblob' : 'longtext')
  );
}

type Spell = (field: WireField) => string;

const whole =
  (name: string): Spell =>
  ({ flags }) =>
    (flags & unsignedFlag) === 0 ? name : `${name} unsigned`;

const fractional =
  (name: string): Spell =>
  ({ decimals }) =>
    decimals > 0 && decimals <= 6 ? `${name}(${decimals})` : name;

const spellings: Readonly<Record<number, Spell>> = {
  [wireTypes.decimal]: decimalSpelling,
  [wireTypes.newdecimal]: decimalSpelling,
  [wireTypes.tiny]: (field) =>
    field.columnLength === 1 && (field.flags & unsignedFlag) === 0
      ? 'tinyint(1)'
      : whole('tinyint')(field),
  [wireTypes.short]: whole('smallint'),
  [wireTypes.int24]: whole('mediumint'),
  [wireTypes.long]: whole('int'),
  [wireTypes.longlong]: whole('bigint'),
  [wireTypes.float]: () => 'float',
  [wireTypes.double]: () => 'double',
  [wireTypes.null]: () => 'null',
  [wireTypes.year]: () => 'year',
  [wireTypes.date]: () => 'date',
  [wireTypes.newdate]: () => 'date',
  [wireTypes.time]: fractional('time'),
  [wireTypes.datetime]: fractional('datetime'),
  [wireTypes.timestamp]: fractional('timestamp'),
  [wireTypes.bit]: ({ columnLength }) => `bit(${columnLength})`,
  [wireTypes.json]: () => 'json',
  [wireTypes.vector]: () => 'vector',
};

/** `columnLength` includes the sign and the decimal point. */
function decimalSpelling({ columnLength, decimals, flags }: WireField): string {
  const signs = (decimals > 0 ? 1 : 0) + ((flags & unsignedFlag) === 0 ? 1 : 0);
  return `decimal(${columnLength - signs},${decimals})`;
}
