/** Resolves types in the source to their declarations. */
import { basic, isExported, typeText } from './types.ts';
import type { BasicName, GoType, NamedType, StructField } from './types.ts';
import type { GoPackage, Program } from './program.ts';
import type {
  FieldDeclaration,
  GoFile,
  NamedExpression,
  TypeDeclaration,
  TypeExpression,
} from '../syntax/syntax.ts';

/** The context of a type in the source. */
export interface Scope {
  readonly program: Program;
  readonly file: GoFile;
  /** The type arguments, by type parameter. */
  readonly bindings: ReadonlyMap<string, GoType>;
}

export function resolveType(type: TypeExpression, scope: Scope): GoType {
  switch (type.form) {
    case 'name':
      return resolveName(type, scope);
    case 'pointer':
      return { form: 'pointer', to: resolveType(type.to, scope) };
    case 'slice':
    case 'array':
      return { form: type.form, of: resolveType(type.of, scope) };
    case 'struct':
      return { form: 'struct', fields: type.fields.flatMap((field) => resolveField(field, scope)) };
    default:
      return type.of === undefined
        ? { form: type.form }
        : { form: type.form, of: resolveType(type.of, scope) };
  }
}

function resolveField(field: FieldDeclaration, scope: Scope): readonly StructField[] {
  const type = resolveType(field.type, scope);
  const { tag, offset } = field;
  if (field.names.length > 0)
    return field.names.map((name) => ({ name, type, tag, offset, isEmbedded: false }));
  return [{ name: embeddedName(field.type), type, tag, offset, isEmbedded: true }];
}

/** The name of an embedded field is that of its type, without package and type arguments. */
function embeddedName(type: TypeExpression): string {
  if (type.form === 'pointer') return embeddedName(type.to);
  return type.form === 'name' ? type.name : '';
}

const basicNames: ReadonlySet<string> = new Set(
  (
    'bool int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 ' +
    'complex64 complex128 string'
  ).split(' '),
);

const predeclaredNames: ReadonlyMap<string, GoType> = new Map<string, GoType>([
  ['byte', basic('uint8')],
  ['rune', basic('int32')],
  ['any', { form: 'interface' }],
  ['error', { form: 'interface' }],
  ['comparable', { form: 'interface' }],
]);

function resolveName(type: NamedExpression, scope: Scope): GoType {
  const { name, qualifier } = type;
  if (qualifier !== undefined) return resolveQualified(type, scope);
  const bound = scope.bindings.get(name);
  if (bound !== undefined) return bound;
  const ownPackage = scope.program.packageOf(scope.file);
  const declaration = ownPackage.types.get(name);
  if (declaration !== undefined) return instantiate(declaration, { type, scope, from: ownPackage });
  if (basicNames.has(name)) return basic(name as BasicName);
  return predeclaredNames.get(name) ?? resolveDotImported(type, scope);
}

function resolveDotImported(type: NamedExpression, scope: Scope): GoType {
  for (const from of scope.program.dotImportsOf(scope.file)) {
    const declaration = from.types.get(type.name);
    if (declaration !== undefined) return instantiate(declaration, { type, scope, from });
  }
  return { form: 'unknown', name: type.name, path: '' };
}

function resolveQualified(type: NamedExpression, scope: Scope): GoType {
  const { name, qualifier = '' } = type;
  const from = scope.program.importedAs(scope.file, qualifier);
  const declaration = from?.types.get(name);
  if (from !== undefined && declaration !== undefined)
    return instantiate(declaration, { type, scope, from });
  const path = scope.file.imports.get(qualifier) ?? '';
  const [argument] = type.args;
  return {
    form: 'unknown',
    name: `${qualifier}.${name}`,
    path,
    ...(argument === undefined ? {} : { argument: resolveType(argument, scope) }),
  };
}

interface TypeUse {
  readonly type: NamedExpression;
  readonly scope: Scope;
  readonly from: GoPackage;
}

const maxNameLength = 2000;
const maxTypes = 100_000;

function instantiate(declaration: TypeDeclaration, { type, scope, from }: TypeUse): GoType {
  const args = type.args.map((arg) => resolveType(arg, scope));
  const bindings = new Map(
    declaration.parameters.map((parameter, i) => [parameter, args[i] ?? unbound(parameter)]),
  );
  const declarationScope: Scope = { program: scope.program, file: declaration.file, bindings };
  if (declaration.isAlias) return resolveAlias(declaration, declarationScope);
  const name = nameOf(declaration, args);
  if (name.length > maxNameLength || ++scope.program.workDone.types > maxTypes)
    return { form: 'unknown', name: declaration.name, path: '' };
  const namedTypes = scope.program.namedTypes(from);
  const found = namedTypes.get(name);
  if (found !== undefined) return found;
  const newType = declare(declaration, { name, from, declarationScope });
  namedTypes.set(name, newType);
  return newType;
}

function unbound(parameter: string): GoType {
  return { form: 'unknown', name: parameter, path: '' };
}

const resolving = new Set<TypeDeclaration>();

/** An alias of itself is invalid. */
function resolveAlias(declaration: TypeDeclaration, scope: Scope): GoType {
  if (resolving.has(declaration)) return { form: 'unknown', name: declaration.name, path: '' };
  resolving.add(declaration);
  try {
    return resolveType(declaration.type, scope);
  } finally {
    resolving.delete(declaration);
  }
}

function nameOf(declaration: TypeDeclaration, args: readonly GoType[]): string {
  return args.length === 0
    ? declaration.name
    : `${declaration.name}[${args.map(typeText).join(',')}]`;
}

function declare(
  declaration: TypeDeclaration,
  {
    name,
    from,
    declarationScope,
  }: { readonly name: string; readonly from: GoPackage; readonly declarationScope: Scope },
): NamedType {
  let underlying: GoType | undefined;
  return {
    form: 'named',
    name,
    packageName: from.name,
    declaration,
    underlying: () => (underlying ??= resolveType(declaration.type, declarationScope)),
    methods: from.methods.get(declaration.name) ?? new Map(),
    bindings: declarationScope.bindings,
  };
}

/** A declared type without type arguments, by its declaration. */
export function declaredType(declaration: TypeDeclaration, program: Program): GoType {
  const type: NamedExpression = {
    form: 'name',
    name: declaration.name,
    qualifier: undefined,
    args: [],
  };
  const scope: Scope = { program, file: declaration.file, bindings: new Map() };
  return instantiate(declaration, { type, scope, from: program.packageOf(declaration.file) });
}

/** Whether the field is exported. */
export function isVisible(field: StructField): boolean {
  return isExported(field.name);
}
