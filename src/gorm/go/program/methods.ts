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

/** The method with this name in the method set of a pointer to the type. */
export function findMethod(type: GoType, name: string): FoundMethod | undefined {
  if (type.form === 'basic') return undefined;
  const seenTypes = new Set<GoType>();
  let level: readonly GoType[] = [type];
  let mayBeHidden = false;
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth++) {
    mayBeHidden ||= level.some(isWithoutSource);
    const found = level.flatMap((one) => ownMethod(one, name));
    // Several of one depth hide each other.
    const isField = level.some((one) => hasField(one, name));
    if (found.length > 0)
      return found.length > 1 || isField ? undefined : { ...found[0]!, mayBeHidden };
    if (isField) return undefined;
    level.forEach((one) => seenTypes.add(one));
    level = level.flatMap(embeddedTypes).filter((one) => !seenTypes.has(one));
  }
  return undefined;
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

const embeddedByStruct = new WeakMap<StructType, readonly GoType[]>();

function embeddedTypes(type: GoType): readonly GoType[] {
  const struct = underlyingOf(type);
  if (struct.form !== 'struct') return [];
  const known = embeddedByStruct.get(struct);
  if (known !== undefined) return known;
  const embedded = struct.fields
    .filter((field) => field.isEmbedded)
    .map((field) => withoutPointers(field.type));
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
