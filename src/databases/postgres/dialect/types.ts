import { storedAs } from '../../../model/values/stored-value.ts';
import type { ColumnType } from '../../../model/schema.ts';
import type { IntervalField } from '../../../model/values/stored-value.ts';

/**
 * Additional information about a native type, stored in its ColumnType. `money`: values are cast to
 * numeric. `ordered`: a type of kind `other` whose `=` and `<` an index supports.
 */
export type NativeTag = 'money' | 'ordered';

/**
 * A type without comparison operators, whose values are compared as another type (regclass as oid), but
 * whose texts only the type itself parses. Both are qualified SQL names.
 */
export interface BorrowedOrder {
  /** The type itself. */
  readonly qualifiedName: string;
  /** The type by which it is compared. */
  readonly family: string;
}

export function borrowedOrder(type: ColumnType): BorrowedOrder | undefined {
  return 'borrowed' in type ? (type.borrowed as BorrowedOrder) : undefined;
}

export function nativeTag(type: ColumnType): unknown {
  return 'native' in type ? type.native : undefined;
}

/** A type from pg_type. */
export interface CatalogType {
  readonly oid: number;
  readonly name: string;
  /** Whether it is in pg_catalog, so that its name identifies it. */
  readonly builtin: boolean;
  /** typtype: b(ase), c(omposite), d(omain), e(num), p(seudo), r(ange), m(ultirange). */
  readonly kind: string;
  /** The element type's oid of an array; otherwise 0. */
  readonly element: number;
  /** The base type's oid of a domain; otherwise 0. */
  readonly base: number;
  readonly baseModifier: number;
  /** The SQL name, without a modifier. */
  readonly typeName: string;
  /** The labels of an enum. */
  readonly labels: readonly string[];
  /** Whether it has a default B-tree operator class. */
  readonly ordered: boolean;
  /** The qualified SQL name. */
  readonly qualified: string;
  /** The type whose B-tree operators it uses, if it has none. */
  readonly family?: string;
}

/** A cache of types by oid, which maps them to neutral types. */
export interface TypeCatalog {
  knows(oid: number): boolean;
  add(types: readonly CatalogType[]): void;
  columnType(oid: number, modifier: number): ColumnType;
  /** The SQL name, without a modifier. */
  nativeType(oid: number): string;
}

export function createTypeCatalog(): TypeCatalog {
  const types = new Map<number, CatalogType>();

  const columnType = (oid: number, modifier: number): ColumnType => {
    const builtin = builtinNames.get(oid);
    if (builtin !== undefined)
      return builtinType(builtin, modifier) ?? { kind: 'other', name: builtin };
    const type = types.get(oid);
    return type === undefined ? { kind: 'other', name: 'unknown' } : fromCatalog(type, modifier);
  };

  const fromCatalog = (type: CatalogType, modifier: number): ColumnType => {
    if (type.base !== 0) return columnType(type.base, type.baseModifier);
    if (type.element !== 0) return { kind: 'array', of: columnType(type.element, modifier) };
    if (type.kind === 'e') return { kind: 'enum', values: type.labels, name: type.name };
    const knownType = type.builtin ? builtinType(type.name, modifier) : extensionType(type.name);
    return knownType ?? otherType(type);
  };

  const nativeType = (oid: number): string => {
    const name = builtinNames.get(oid);
    return name === undefined
      ? (types.get(oid)?.typeName ?? 'unknown')
      : (builtinTypeNames[name] ?? name);
  };

  return {
    knows: (oid) => builtinNames.has(oid) || types.has(oid),
    add: (more) => {
      for (const type of more) types.set(type.oid, type);
    },
    columnType,
    nativeType,
  };
}

function otherType({ name, ordered, qualified: qualifiedName, family }: CatalogType): ColumnType {
  const type = { kind: 'other', name } as const;
  if (!ordered && family !== undefined)
    return Object.assign(withNativeTag(type, 'ordered'), { borrowed: { qualifiedName, family } });
  return ordered ? withNativeTag(type, 'ordered') : type;
}

export function withNativeTag<T extends ColumnType>(type: T, native: NativeTag): T {
  return Object.assign(type, { native });
}

/** Types of extensions that are texts. */
export function extensionType(name: string): ColumnType | undefined {
  return name === 'citext' ? { kind: 'text' } : undefined;
}

/** Common built-in types by oid, which is the same on every server. */
const builtinNames: ReadonlyMap<number, string> = new Map([
  [16, 'bool'],
  [17, 'bytea'],
  [18, 'char'],
  [19, 'name'],
  [20, 'int8'],
  [21, 'int2'],
  [23, 'int4'],
  [25, 'text'],
  [26, 'oid'],
  [114, 'json'],
  [700, 'float4'],
  [701, 'float8'],
  [790, 'money'],
  [1042, 'bpchar'],
  [1043, 'varchar'],
  [1082, 'date'],
  [1083, 'time'],
  [1114, 'timestamp'],
  [1184, 'timestamptz'],
  [1186, 'interval'],
  [1266, 'timetz'],
  [1560, 'bit'],
  [1562, 'varbit'],
  [1700, 'numeric'],
  [2950, 'uuid'],
  [3802, 'jsonb'],
]);

/** SQL names that differ from the internal name. */
const builtinTypeNames: Readonly<Record<string, string>> = {
  bool: 'boolean',
  char: '"char"',
  int8: 'bigint',
  int2: 'smallint',
  int4: 'integer',
  float4: 'real',
  float8: 'double precision',
  bpchar: 'character',
  varchar: 'character varying',
  time: 'time without time zone',
  timestamp: 'timestamp without time zone',
  timestamptz: 'timestamp with time zone',
  timetz: 'time with time zone',
  varbit: 'bit varying',
};

/** The neutral type by internal name; the modifier -1 means none. */
export function builtinType(name: string, modifier: number): ColumnType | undefined {
  return Object.hasOwn(builtinTypes, name) ? builtinTypes[name]?.(modifier) : undefined;
}

/** The SQL name of a built-in type by its internal name, without sizes. */
export function builtinTypeName(name: string): string {
  return Object.hasOwn(builtinTypeNames, name) ? builtinTypeNames[name]! : name;
}

const builtinTypes: Readonly<Record<string, (modifier: number) => ColumnType>> = {
  bool: () => ({ kind: 'boolean' }),
  int2: () => ({ kind: 'integer', bits: 16 }),
  int4: () => ({ kind: 'integer', bits: 32 }),
  int8: () => ({ kind: 'integer', bits: 64 }),
  oid: () => ({ kind: 'integer', bits: 32, unsigned: true }),
  numeric: numericType,
  money: () => withNativeTag({ kind: 'decimal', precision: 19, scale: 2 }, 'money'),
  float4: () => ({ kind: 'float', bits: 32 }),
  float8: () => ({ kind: 'float', bits: 64 }),
  text: () => ({ kind: 'text' }),
  name: () => storedAs({ kind: 'text' }, { bytes: 63 }),
  char: () => storedAs({ kind: 'text' }, { bytes: 1 }),
  varchar: (modifier) => ({ kind: 'text', ...lengthOf(modifier) }),
  bpchar: (modifier) => ({ kind: 'text', ...lengthOf(modifier), fixed: true }),
  uuid: () => ({ kind: 'uuid' }),
  date: () => ({ kind: 'date' }),
  time: (modifier) => ({ kind: 'time', ...precisionOf(modifier) }),
  timetz: (modifier) => ({ kind: 'time', ...precisionOf(modifier), zone: true }),
  timestamp: (modifier) => ({ kind: 'timestamp', ...precisionOf(modifier) }),
  timestamptz: (modifier) => ({ kind: 'timestamp', ...precisionOf(modifier), zone: true }),
  interval: intervalType,
  json: () => ({ kind: 'json' }),
  jsonb: () => ({ kind: 'json', binary: true }),
  bytea: () => ({ kind: 'binary' }),
  bit: (modifier) => ({ kind: 'bits', ...(modifier < 0 ? {} : { length: modifier }) }),
  varbit: (modifier) => ({
    kind: 'bits',
    ...(modifier < 0 ? {} : { length: modifier }),
    varying: true,
  }),
};

/** Modifiers of character types and numeric include a header of four bytes (VARHDRSZ). */
const modifierHeader = 4;

function lengthOf(modifier: number): { length?: number } {
  return modifier < modifierHeader ? {} : { length: modifier - modifierHeader };
}

function precisionOf(modifier: number): { precision?: number } {
  return modifier < 0 ? {} : { precision: modifier };
}

/** The precision is in the upper 16 bits, the scale in 11 bits, signed since version 15. */
function numericType(modifier: number): ColumnType {
  if (modifier < modifierHeader) return { kind: 'decimal' };
  const packed = modifier - modifierHeader;
  return {
    kind: 'decimal',
    precision: (packed >> 16) & 0xffff,
    scale: ((packed & 0x7ff) ^ 0x400) - 0x400,
  };
}

const anyPrecision = 0xffff;
const anyFields = 0x7fff;

/** Fields in ascending order, by their bits in a modifier (`INTERVAL_MASK` in the server's source). */
const fieldBits: readonly (readonly [number, IntervalField | undefined])[] = [
  [1 << 12, undefined],
  [1 << 11, 'minute'],
  [1 << 10, 'hour'],
  [1 << 3, 'day'],
  [1 << 1, 'month'],
  [1 << 2, 'year'],
];

/** The fields are in the upper 16 bits, the precision in the lower ones. */
function intervalType(modifier: number): ColumnType {
  const type = { kind: 'interval' } as const;
  if (modifier < 0) return type;
  const precision = modifier & 0xffff;
  const fields = (modifier >> 16) & anyFields;
  const lowest =
    fields === anyFields ? undefined : fieldBits.find(([bit]) => (fields & bit) !== 0)?.[1];
  return storedAs(type, {
    ...(precision === anyPrecision ? {} : { decimals: precision }),
    ...(lowest === undefined ? {} : { lowestField: lowest }),
  });
}
