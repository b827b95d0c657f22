/** Values, as far as the sources alone determine them. */
import { basic, underlyingOf } from '../program/types.ts';
import type { GoType, NamedType } from '../program/types.ts';
import type { Scope } from '../program/resolve-type.ts';
import type { FunctionDeclaration } from '../syntax/syntax.ts';

export type Value =
  | { readonly kind: 'constant'; readonly value: ConstantValue; readonly type?: GoType }
  | { readonly kind: 'nil' }
  /** The zero value of a type that is not basic. */
  | { readonly kind: 'zero'; readonly type: GoType }
  /** An unknown value of a type. */
  | { readonly kind: 'typed'; readonly type: GoType }
  /** A slice, array or map with known elements. */
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly type: GoType }
  | {
      readonly kind: 'map';
      readonly entries: ReadonlyMap<ConstantValue, Value>;
      readonly type: GoType;
    }
  /** A struct with known members, such as the *schema.Field that GORM passes to a method. */
  | { readonly kind: 'members'; readonly of: ReadonlyMap<string, Value> }
  /** A strings.Builder. Its text is undefined once something unknown was written. */
  | { readonly kind: 'builder'; text: string | undefined }
  /** The *gorm.DB, or the naming strategy, that GORM passes to a method. */
  | { readonly kind: 'database' | 'namer' }
  | { readonly kind: 'unknown' };

export type ConstantValue = string | bigint | number | boolean;

/** The context in which an expression is evaluated. */
export interface Env {
  readonly scope: Scope;
  readonly locals: Map<string, Value>;
  /** The result of `db.Dialector.Name()`. */
  readonly driver: string;
  readonly iota?: number;
  /** The depth of nested calls. */
  readonly depth: number;
  readonly call: CallFunction;
}

/** The values that a call of a declared function returns. */
export type CallFunction = (declared: FunctionDeclaration, call: FunctionCall) => readonly Value[];

export interface FunctionCall {
  readonly args: readonly Value[];
  readonly env: Pick<Env, 'scope' | 'driver' | 'depth'>;
  readonly receiver?: { readonly value: Value; readonly type: NamedType };
}

export const unknown: Value = { kind: 'unknown' };
export const nil: Value = { kind: 'nil' };

export function constant(value: ConstantValue, type?: GoType): Value {
  return type === undefined ? { kind: 'constant', value } : { kind: 'constant', value, type };
}

export function zeroOf(type: GoType): Value {
  const underlying = underlyingOf(type);
  if (underlying.form === 'interface') return nil;
  if (underlying.form === 'unknown' && underlying.name === 'strings.Builder')
    return { kind: 'builder', text: '' };
  if (underlying.form !== 'basic') return { kind: 'zero', type };
  if (underlying.name === 'string') return constant('', type);
  if (underlying.name === 'bool') return constant(false, type);
  return constant(/^(?:float|complex)/.test(underlying.name) ? 0 : 0n, type);
}

/** The type of a value. Undefined if it is unknown. */
export function typeOfValue(value: Value): GoType | undefined {
  if ('type' in value && value.kind !== 'constant') return value.type;
  if (value.kind !== 'constant') return undefined;
  if (value.type !== undefined) return value.type;
  if (typeof value.value === 'string') return basic('string');
  if (typeof value.value === 'boolean') return basic('bool');
  return basic(typeof value.value === 'bigint' ? 'int' : 'float64');
}

/** An unknown value of a type. The dynamic type in an interface is unknown too. */
export function unknownOf(type: GoType | undefined): Value {
  return type === undefined || underlyingOf(type).form === 'interface'
    ? unknown
    : { kind: 'typed', type };
}

/** A constant without a type gets its default type when a variable gets it. */
export function variableOf(value: Value): Value {
  if (value.kind !== 'constant' || value.type !== undefined) return value;
  return convert(value, typeOfValue(value)!);
}

/** What a variable contains after an assignment: it keeps its type. */
export function assignTo(old: Value | undefined, value: Value): Value {
  const type = old === undefined ? undefined : typeOfValue(old);
  if (type === undefined || value.kind !== 'constant') return variableOf(value);
  return underlyingOf(type).form === 'basic' ? convert(value, type) : variableOf(value);
}

export function convert(value: Value, type: GoType): Value {
  const underlying = underlyingOf(type);
  if (value.kind === 'nil') return zeroOf(type);
  if (underlying.form === 'interface') return value;
  if (value.kind === 'zero') return { kind: 'zero', type };
  if (value.kind === 'list' || value.kind === 'map') return { ...value, type };
  if (value.kind !== 'constant' || underlying.form !== 'basic') return unknownOf(type);
  const converted = convertConstant(value.value, underlying.name);
  return converted === undefined ? unknownOf(type) : constant(converted, type);
}

/** A number that is no code point, or half of a surrogate pair, becomes U+FFFD: https://go.dev/ref/spec#Conversions */
function characterOf(value: bigint): string {
  const isCharacter = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value <= 0xdfffn);
  return String.fromCodePoint(isCharacter ? Number(value) : 0xfffd);
}

function convertConstant(value: ConstantValue, to: string): ConstantValue | undefined {
  if (to === 'string') return typeof value === 'bigint' ? characterOf(value) : textOnly(value);
  if (to === 'bool') return typeof value === 'boolean' ? value : undefined;
  if (typeof value !== 'bigint' && typeof value !== 'number') return undefined;
  if (/^(?:float|complex)/.test(to)) return finiteOnly(Number(value));
  const integer = typeof value === 'bigint' ? value : integerOnly(value);
  return integer === undefined || !isInRange(integer, to) ? undefined : integer;
}

/** Beyond its range, the value of a variable wraps around, and a constant does not compile. */
function isInRange(value: bigint, type: string): boolean {
  const bits = Number(/\d+$/.exec(type)?.[0] ?? 64);
  if (type.startsWith('u')) return BigInt.asUintN(bits, value) === value;
  return BigInt.asIntN(bits, value) === value;
}

function textOnly(value: ConstantValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function finiteOnly(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function integerOnly(value: number): bigint | undefined {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
}
