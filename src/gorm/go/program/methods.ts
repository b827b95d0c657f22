/** Finds methods by Go's rules: those of the type itself, then those of embedded types, the shallowest first. */
import { underlyingOf, withoutPointers } from './types.ts';
import type { GoType, NamedType, StructType } from './types.ts';
import type { FunctionDeclaration, TypeExpression } from '../syntax/syntax.ts';

export interface FoundMethod {
  readonly method: FunctionDeclaration;
  /** The type that declares it. */
  readonly of: NamedType;
  /** An embedded interface, or a type without source, may have a method of that name which comes before it. */
  readonly mayBeHidden: boolean;
}

const maxDepth = 20;

/** The types of one depth of embedding, and whether several paths of that length lead to them. */
type Level = ReadonlyMap<GoType, boolean>;

/** The method with this name in the method set of a pointer to the type. */
export function findMethod(type: GoType, name: string): FoundMethod | undefined {
  if (type.form === 'basic') return undefined;
  const seenTypes = new Set<GoType>();
  let level: Level = new Map([[type, false]]);
  let mayBeHidden = false;
  for (let depth = 0; level.size > 0 && depth < maxDepth; depth++) {
    const types = [...level.keys()];
    mayBeHidden ||= types.some(isWithoutSource);
    const found = types.flatMap((one) => ownMethod(one, name));
    // Several of one depth hide each other.
    const isHidden =
      found.length > 1 ||
      found.some(({ of }) => level.get(of) === true) ||
      types.some((one) => hasField(one, name));
    if (isHidden) return undefined;
    if (found.length > 0) return { ...found[0]!, mayBeHidden };
    types.forEach((one) => seenTypes.add(one));
    level = levelBelow(level, seenTypes);
  }
  return undefined;
}

function levelBelow(level: Level, seenTypes: ReadonlySet<GoType>): Level {
  const below = new Map<GoType, boolean>();
  for (const [type, isAmbiguous] of level) {
    for (const embedded of embeddedIn(type))
      if (!seenTypes.has(embedded.type))
        below.set(embedded.type, isAmbiguous || below.has(embedded.type));
  }
  return below;
}

/** Whether the call of a promoted method on a zero value of the type dereferences an embedded pointer, which is nil. */
export function isCalledOnNil(type: GoType, { method, of }: FoundMethod): boolean {
  let level: readonly Path[] = [{ type, isPointer: false, passesPointer: false }];
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth++) {
    const path = level.find((one) => one.type === of);
    if (path !== undefined)
      return path.passesPointer || (path.isPointer && method.receiver?.isPointer !== true);
    // The method would be ambiguous if several paths of one length led to its type.
    level = [...new Map(level.flatMap(embeddedPaths).map((one) => [one.type, one])).values()];
  }
  return false;
}

/** A type that is reached through embedded fields. */
interface Path {
  readonly type: GoType;
  /** Whether the last field is a pointer. */
  readonly isPointer: boolean;
  /** Whether another field is a pointer. */
  readonly passesPointer: boolean;
}

function embeddedPaths({ type, isPointer, passesPointer }: Path): readonly Path[] {
  return embeddedIn(type).map((embedded) => ({
    ...embedded,
    passesPointer: passesPointer || isPointer,
  }));
}

/** An interface, or a type of a package that is not available. */
function isWithoutSource(type: GoType): boolean {
  const { form } = underlyingOf(type);
  return form === 'interface' || form === 'unknown';
}

function ownMethod(type: GoType, name: string): readonly Omit<FoundMethod, 'mayBeHidden'>[] {
  if (type.form !== 'named') return [];
  const method = type.methods.get(name);
  return method === undefined ? [] : [{ method, of: type }];
}

function hasField(type: GoType, name: string): boolean {
  const struct = underlyingOf(type);
  return struct.form === 'struct' && struct.fields.some((field) => field.name === name);
}

/** The type of an embedded field, without pointers. */
type Embedded = Pick<Path, 'type' | 'isPointer'>;

const embeddedByStruct = new WeakMap<StructType, readonly Embedded[]>();

function embeddedIn(type: GoType): readonly Embedded[] {
  const struct = underlyingOf(type);
  if (struct.form !== 'struct') return [];
  const known = embeddedByStruct.get(struct);
  if (known !== undefined) return known;
  const embedded = struct.fields
    .filter((field) => field.isEmbedded)
    .map((field) => ({
      type: withoutPointers(field.type),
      isPointer: field.type.form === 'pointer',
    }));
  embeddedByStruct.set(struct, embedded);
  return embedded;
}

/** `Value() (driver.Value, error)`. */
export function findValuer(type: GoType): FoundMethod | undefined {
  const found = findMethod(type, 'Value');
  if (found === undefined) return undefined;
  const { parameters, results, file } = found.method;
  const [value, error] = results;
  const hasSignature =
    parameters.length === 0 &&
    results.length === 2 &&
    isNamed(value, 'Value') &&
    isNamed(error, 'error');
  if (!hasSignature || value?.form !== 'name') return undefined;
  const driver = 'database/sql/driver';
  const { dotImports } = file;
  if (value.qualifier === undefined) return dotImports.includes(driver) ? found : undefined;
  return (file.imports.get(value.qualifier) ?? driver) === driver ? found : undefined;
}

/** `TableName() string` and the like: a method without parameters that returns a string. */
export function findStringMethod(type: GoType, name: string): FoundMethod | undefined {
  const found = findMethod(type, name);
  if (found === undefined) return undefined;
  const { parameters, results } = found.method;
  return parameters.length === 0 && results.length === 1 && isNamed(results[0], 'string')
    ? found
    : undefined;
}

/** `TableName(schema.Namer) string`. */
export function findNamerMethod(type: GoType): FoundMethod | undefined {
  const found = findMethod(type, 'TableName');
  if (found === undefined) return undefined;
  const { parameters, results } = found.method;
  const [namer] = parameters;
  const hasSignature =
    parameters.length === 1 &&
    namer?.isVariadic === false &&
    isImported(namer.type, found.method, 'schema.Namer');
  return hasSignature && results.length === 1 && isNamed(results[0], 'string') ? found : undefined;
}

/** `GormDBDataType(*gorm.DB, *schema.Field) string`. */
export function findDbTypeMethod(type: GoType): FoundMethod | undefined {
  const found = findMethod(type, 'GormDBDataType');
  if (found === undefined) return undefined;
  const { parameters, results } = found.method;
  const [database, field] = parameters;
  const hasSignature =
    parameters.length === 2 &&
    isPointerTo(database?.type, found.method, 'gorm.DB') &&
    isPointerTo(field?.type, found.method, 'schema.Field');
  return hasSignature && results.length === 1 && isNamed(results[0], 'string') ? found : undefined;
}

function isPointerTo(
  type: TypeExpression | undefined,
  method: FunctionDeclaration,
  name: string,
): boolean {
  return type?.form === 'pointer' && isImported(type.to, method, name);
}

/** Whether the type is that of a package of GORM, such as `schema.Field` of gorm.io/gorm/schema. */
function isImported(
  type: TypeExpression,
  { file }: FunctionDeclaration,
  qualifiedName: string,
): boolean {
  const [packageName, name = ''] = qualifiedName.split('.');
  if (type.form !== 'name' || type.name !== name) return false;
  const path = type.qualifier === undefined ? undefined : file.imports.get(type.qualifier);
  const isOfPackage = (one: string): boolean => one.endsWith(`/${packageName}`);
  return path === undefined ? file.dotImports.some(isOfPackage) : isOfPackage(path);
}

/** Whether the type is a serializer: `Scan` and `Value` with context, field, destination and value. */
export function isSerializer(type: GoType): boolean {
  return ['Scan', 'Value'].every((name) => findMethod(type, name)?.method.parameters.length === 4);
}

function isNamed(type: TypeExpression | undefined, name: string): boolean {
  return type?.form === 'name' && type.name === name;
}
