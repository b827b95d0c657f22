/** Determines the kind of value that GORM stores for a field: that of its type, or that of its Valuer's result. */
import { methodText } from '../go/program/method-text.ts';
import { underlyingOf, withoutPointers } from '../go/program/types.ts';
import { findStringMethod, findValuer } from '../go/program/methods.ts';
import { isValuerCertain } from '../go/certainty/certain-valuer.ts';
import { callFunction } from '../go/evaluation/call-function.ts';
import { gormSettings } from './tags.ts';
import { nil, typeOfValue, zeroOf } from '../go/evaluation/value.ts';
import type { FoundMethod } from '../go/program/methods.ts';
import type { GoType, StructType } from '../go/program/types.ts';
import type { Scope } from '../go/program/resolve-type.ts';
import type { TagSettings } from './tags.ts';
import type { Env, Value } from '../go/evaluation/value.ts';

export type FieldKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'time'
  | 'struct'
  | 'list'
  | 'bytes'
  /** A type of a package whose source is missing. */
  | 'unknown'
  /** Maps, functions, channels, interfaces, complex numbers. */
  | 'other';

export interface FieldValue {
  readonly type: GoType;
  readonly kind: FieldKind;
  readonly isValuer: boolean;
  /** The Value method, if the source does not determine what it returns. */
  readonly undetermined: string | undefined;
  /** The settings of the field's tag, and those that a Valuer's struct adds. */
  readonly settings: TagSettings;
}

/** The value that a field's type stores. The struct of a Valuer adds the settings of its own fields. */
export function fieldValue(type: GoType, scope: Scope, settings: TagSettings): FieldValue {
  const valuer = findValuer(type);
  const kind = kindOf(type, scope);
  if (valuer === undefined)
    return { type, kind, isValuer: false, undetermined: undefined, settings };
  if (findStringMethod(type, 'GormDataType') !== undefined)
    return { type, kind, isValuer: true, undetermined: undefined, settings };
  const returned = valueOfZero(type, scope);
  const returnedType = returned === undefined ? undefined : typeOfValue(returned);
  const stored = firstField(returnedType ?? type, scope, settings);
  const hasType = returned?.kind !== 'unknown' || returnedType?.form === 'basic';
  const isDetermined = hasType && isValuerCertain(valuer, scope.program);
  const undetermined = isDetermined ? undefined : methodText(valuer);
  return { ...stored, kind: kindOf(stored.type, scope), isValuer: true, undetermined };
}

/** The result of Value() for the zero value. Undefined for nil or an error. */
function valueOfZero(type: GoType, scope: Scope): Value | undefined {
  const valuer = findValuer(type);
  if (valuer === undefined) return undefined;
  const env: Pick<Env, 'scope' | 'driver' | 'depth'> = { scope, driver: '', depth: 0 };
  const receiver = { value: receiverOf(valuer), type: valuer.of };
  const [value = nil, error = nil] = callFunction(valuer.method, { args: [], env, receiver });
  return value.kind === 'nil' || error.kind === 'typed' ? undefined : value;
}

/** GORM calls the method on a pointer to the zero value, so that a pointer receiver is never nil. */
function receiverOf({ method, of }: FoundMethod): Value {
  const zero = zeroOf(of);
  const isNil = zero.kind === 'zero' && !/^(?:struct|array)$/.test(underlyingOf(of).form);
  return method.receiver?.isPointer === true && isNil
    ? { kind: 'typed', type: { form: 'pointer', to: of } }
    : zero;
}

/** Descends into the first field of a struct until the type is not a struct. Times are values themselves. */
function firstField(
  type: GoType,
  scope: Scope,
  settings: TagSettings,
): Pick<FieldValue, 'type' | 'settings'> {
  const struct = underlyingOf(type);
  if (struct.form !== 'struct' || isTime(type, scope)) return { type, settings };
  const withFields = addSettings(struct, settings);
  const [first] = struct.fields;
  return first === undefined
    ? { type, settings: withFields }
    : firstField(withoutPointers(first.type), scope, withFields);
}

function addSettings(struct: StructType, settings: TagSettings): TagSettings {
  const merged = new Map(settings);
  for (const field of struct.fields) {
    for (const [name, value] of gormSettings(field.tag)) {
      if (!merged.has(name)) merged.set(name, value);
    }
  }
  return merged;
}

function timeStruct(scope: Scope): GoType | undefined {
  const time = scope.program.importedAs(timeFile, 'time');
  const declaration = time?.types.get('Time');
  if (time === undefined || declaration === undefined) return undefined;
  const timeType = scope.program.namedTypes(time).get('Time');
  return timeType === undefined ? undefined : underlyingOf(timeType);
}

const timeFile = {
  name: '',
  text: '',
  packageName: '',
  imports: new Map([['time', 'time']]),
  dotImports: [],
  importSpecs: [],
};

/** Whether the type is time.Time or has it as its underlying type. */
function isTime(type: GoType, scope: Scope): boolean {
  const struct = timeStruct(scope);
  return struct !== undefined && underlyingOf(type) === struct;
}

function kindOf(type: GoType, scope: Scope): FieldKind {
  const underlying = underlyingOf(type);
  switch (underlying.form) {
    case 'basic':
      return basicKind(underlying.name);
    case 'struct':
      return isTime(type, scope) ? 'time' : 'struct';
    case 'slice':
    case 'array':
      return underlying.of.form === 'basic' && underlying.of.name === 'uint8' ? 'bytes' : 'list';
    case 'unknown':
      return 'unknown';
    default:
      return 'other';
  }
}

function basicKind(name: string): FieldKind {
  if (name === 'bool' || name === 'string') return name;
  if (name.startsWith('float')) return 'float';
  if (name === 'uintptr' || name.startsWith('complex')) return 'other';
  return name.startsWith('u') ? 'uint' : 'int';
}

/** The size of a field without `size:`. */
export function sizeOf(type: GoType): number {
  const underlying = underlyingOf(type);
  if (
    underlying.form !== 'basic' ||
    !/^(?:u?int|float)/.test(underlying.name) ||
    underlying.name === 'uintptr'
  )
    return 0;
  const [digits] = /\d+$/.exec(underlying.name) ?? [];
  return digits === undefined ? 64 : Number(digits);
}
