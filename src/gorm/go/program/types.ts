/** The types of Go, with what GORM inspects by reflection. */
import type { FunctionDeclaration, TypeDeclaration } from '../syntax/syntax.ts';

export type GoType =
  | BasicType
  | PointerType
  | ListType
  | StructType
  | OpaqueType
  | NamedType
  | UnknownType;

export type BasicName =
  | 'bool'
  | `${'' | 'u'}int${'' | '8' | '16' | '32' | '64'}`
  | 'uintptr'
  | `float${'32' | '64'}`
  | `complex${'64' | '128'}`
  | 'string';

export interface BasicType {
  readonly form: 'basic';
  readonly name: BasicName;
}

export interface PointerType {
  readonly form: 'pointer';
  readonly to: GoType;
}

export interface ListType {
  readonly form: 'slice' | 'array';
  readonly of: GoType;
}

export interface StructType {
  readonly form: 'struct';
  readonly fields: readonly StructField[];
}

export interface StructField {
  readonly name: string;
  readonly type: GoType;
  readonly tag: string;
  readonly isEmbedded: boolean;
  readonly offset: number;
}

/** A type that GORM never maps to a column. */
export interface OpaqueType {
  readonly form: 'map' | 'func' | 'chan' | 'interface';
  /** The type of a map's elements, where it was read. */
  readonly of?: GoType;
}

/** A declared type. Each has one object. A generic type has one for each list of type arguments. */
export interface NamedType {
  readonly form: 'named';
  /** The name in reflection: `Entity[int64]`. */
  readonly name: string;
  readonly packageName: string;
  readonly declaration: TypeDeclaration;
  readonly underlying: () => GoType;
  readonly methods: ReadonlyMap<string, FunctionDeclaration>;
  /** The type arguments by type parameter. */
  readonly bindings: ReadonlyMap<string, GoType>;
}

/** A type of a package whose source is not available. */
export interface UnknownType {
  readonly form: 'unknown';
  /** The name in the source: `accounts.User`. */
  readonly name: string;
  /** The path of the package. Empty if the file does not import it. */
  readonly path: string;
  /** The first type argument: `time.Time` of `optional.Value[time.Time]`. */
  readonly argument?: GoType;
}

export function basic(name: BasicName): BasicType {
  return { form: 'basic', name };
}

/** The underlying type, which is never a named type. */
export function underlyingOf(type: GoType): Exclude<GoType, NamedType> {
  let found = type;
  for (let i = 0; found.form === 'named' && i < 100; i++) found = found.underlying();
  return found.form === 'named' ? { form: 'interface' } : found;
}

/** The type that a chain of pointers points to. */
export function withoutPointers(type: GoType): GoType {
  let found = type;
  for (let i = 0; i < maxPointers; i++) {
    const pointer = underlyingOf(found);
    if (pointer.form !== 'pointer') return found;
    found = pointer.to;
  }
  return found;
}

/** `type P *P` points to itself. */
const maxPointers = 100;

/** The element's type, without slices, arrays and pointers. */
export function elementOf(type: GoType): GoType {
  let found = withoutPointers(type);
  for (let i = 0; i < maxPointers; i++) {
    const list = underlyingOf(found);
    if (list.form !== 'slice' && list.form !== 'array') return found;
    found = withoutPointers(list.of);
  }
  return found;
}

/** Whether two types are identical. Types without a name are so if their parts are. */
export function isSameType(one: GoType, other: GoType): boolean {
  if (one === other) return true;
  if (one.form === 'pointer') return other.form === 'pointer' && isSameType(one.to, other.to);
  if (one.form === 'slice' || one.form === 'array')
    return other.form === one.form && isSameType(one.of, other.of);
  return (
    (one.form === 'basic' || one.form === 'unknown') &&
    other.form === one.form &&
    one.name === other.name
  );
}

export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** Formats a type: `*[]models.User`. */
export function typeText(type: GoType): string {
  switch (type.form) {
    case 'basic':
    case 'unknown':
      return type.name;
    case 'named':
      return type.packageName === '' ? type.name : `${type.packageName}.${type.name}`;
    case 'pointer':
      return `*${typeText(type.to)}`;
    case 'slice':
    case 'array':
      return `[]${typeText(type.of)}`;
    case 'struct':
      return 'struct';
    default:
      return type.form;
  }
}
