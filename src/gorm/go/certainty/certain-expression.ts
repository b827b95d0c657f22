/**
 * The part of Go's expressions whose evaluation here is certain to give Go's result. Everything else may be evaluated
 * too, but its result is reported as uncertain.
 */
import { mayGetOtherValue } from './changing-variables.ts';
import { unquote } from '../syntax/literals.ts';
import { parseExpression, typeNamedBy } from '../syntax/expression.ts';
import type { Expression } from '../syntax/expression.ts';
import type { GoPackage, Program } from '../program/program.ts';
import type {
  FunctionDeclaration,
  GoFile,
  Receiver,
  TypeExpression,
  ValueDeclaration,
} from '../syntax/syntax.ts';

/** The type of a certain expression. */
export type CertainType =
  /** A string of ASCII characters. */
  | 'string'
  /** A string with other characters, whose length and order differ from JavaScript's. */
  | 'unicode string'
  /** A constant of a named type, or the DataType of a field. */
  | 'named string'
  /** A constant of a named type without methods, which package fmt prints as it is. */
  | 'named text'
  /** The type that the driver chooses for a field. GORM uses it too if it gets no other one. */
  | 'type of the driver'
  | 'int'
  | 'bool'
  | 'strings'
  | 'map of strings'
  | 'map of unicode strings'
  | 'map of ints'
  | 'map of bools'
  | ArgumentType;

/** What GORM passes to a method. */
export type ArgumentType = '*gorm.DB' | '*schema.Field' | '*schema.Schema' | 'schema.Namer';

/** Where the names of an expression are looked up. */
export interface CertainNames {
  readonly file: GoFile;
  readonly program: Program;
  /** Undefined types are those of variables that are not certain. */
  readonly locals: ReadonlyMap<string, CertainType | undefined>;
  /** The result of a call of a declared function with arguments of these types. */
  readonly resultOf: (
    called: FunctionDeclaration,
    args: readonly (CertainType | undefined)[],
  ) => CertainType | undefined;
  readonly receiver?: Receiver | undefined;
}

type FormOf<Form extends Expression['form']> = Extract<Expression, { readonly form: Form }>;
type Found = CertainType | undefined;

/** Undefined for an expression whose value is not certain. */
export function certainTypeOf(expression: Expression, names: CertainNames): Found {
  switch (expression.form) {
    case 'string':
      return stringType(expression.text);
    case 'number':
      return /^(?:0|[1-9]\d{0,8})$/.test(expression.text) ? 'int' : undefined;
    case 'name':
      return typeOfName(expression.text, names);
    case 'selector':
      return typeOfSelector(expression, names);
    case 'binary':
      return typeOfBinary(expression, names);
    case 'unary':
      return typeOfUnary(expression, names);
    case 'index':
      return typeOfIndex(expression, names);
    case 'slice':
      return typeOfSlice(expression, names);
    case 'literal':
      return typeOfLiteral(expression, names);
    case 'call':
      return typeOfCall(expression, names);
    default:
      return undefined;
  }
}

/** Escapes of bytes may be no valid UTF-8. */
function stringType(text: string): Found {
  const value = unquote(text);
  if (value === undefined || (text.startsWith('"') && /\\(?:x|[0-7])/.test(text))) return undefined;
  return /^\p{ASCII}*$/u.test(value) ? 'string' : 'unicode string';
}

/** Whether a method belongs to one of the known packages, whose methods are part of this program, and tested. */
export function isOfKnownPackage({ file }: FunctionDeclaration, program: Program): boolean {
  return !program.packages.includes(program.packageOf(file));
}

/** Whether the name is Go's own, such as `len`, and not declared in the function, file or package. */
export function isPredeclared(
  name: string,
  {
    file,
    program,
    locals,
  }: Pick<CertainNames, 'file' | 'program'> & { readonly locals: ReadonlyMap<string, unknown> },
): boolean {
  const { types, values, functions } = program.packageOf(file);
  return (
    !locals.has(name) &&
    !types.has(name) &&
    !values.has(name) &&
    !functions.has(name) &&
    !file.imports.has(name) &&
    file.dotImports.length === 0
  );
}

function typeOfName(name: string, names: CertainNames): Found {
  const { file, program, locals } = names;
  if (locals.has(name)) return locals.get(name);
  if (/^(?:true|false)$/.test(name)) return isPredeclared(name, names) ? 'bool' : undefined;
  if (/^(?:nil|iota)$/.test(name)) return undefined;
  const declared = program.packageOf(file).values.get(name);
  return declared === undefined ? undefined : typeOfValue(declared, names);
}

const typesOfValues = new WeakMap<ValueDeclaration, { readonly type: Found }>();

/** The type of a constant, or of a variable that never changes. */
function typeOfValue(declared: ValueDeclaration, names: CertainNames): Found {
  const known = typesOfValues.get(declared);
  if (known !== undefined) return known.type;
  // Undefined while it is determined: a value that depends on itself is not certain.
  typesOfValues.set(declared, { type: undefined });
  const type = readTypeOfValue(declared, names);
  typesOfValues.set(declared, { type });
  return type;
}

function readTypeOfValue(declared: ValueDeclaration, { program, resultOf }: CertainNames): Found {
  if (declared.value === undefined) return undefined;
  const names = { file: declared.file, program, resultOf, locals: new Map<string, Found>() };
  const type = certainTypeOf(parseExpression(declared.value), names);
  const hasElements = type === 'strings' || type?.startsWith('map of ') === true;
  if (type === undefined || mayGetOtherValue(declared, hasElements, program)) return undefined;
  return declared.type === undefined ? type : declaredType(declared.type, type, names);
}

/** The type of a value that is declared with a type. */
export function declaredType(declared: TypeExpression, type: Found, names: CertainNames): Found {
  if (declared.form !== 'name' || declared.qualifier !== undefined) return undefined;
  if (isBasic(declared, names)) return isSame(declared.name, type) ? type : undefined;
  const { types, methods } = names.program.packageOf(names.file);
  const named = types.get(declared.name);
  const isOfStrings =
    named?.isAlias === false &&
    named.parameters.length === 0 &&
    named.type.form === 'name' &&
    named.type.name === 'string' &&
    isBasic(named.type, { ...names, file: named.file });
  if (!isOfStrings || type !== 'string') return undefined;
  return methods.has(declared.name) ? 'named string' : 'named text';
}

function isSame(name: string, type: Found): boolean {
  return name === type || (name === 'string' && type === 'unicode string');
}

/** The type of a parameter, a result or a variable: `string`, `int` or `bool`. */
export function basicType(type: TypeExpression | undefined, names: CertainNames): Found {
  return type !== undefined && isBasic(type, names)
    ? ((type as { readonly name: string }).name as CertainType)
    : undefined;
}

function isBasic(type: TypeExpression, names: CertainNames): boolean {
  if (type.form !== 'name' || type.qualifier !== undefined) return false;
  return /^(?:string|int|bool)$/.test(type.name) && isPredeclared(type.name, names);
}

const databaseParts = /^(?:Dialector|Config)$/;
const fieldMembers: Readonly<Record<string, CertainType>> = {
  ...{ Name: 'string', DBName: 'string' },
  ...{ Comment: 'unicode string', DefaultValue: 'unicode string' },
  ...{ Size: 'int', Precision: 'int', Scale: 'int', PrimaryKey: 'bool', AutoIncrement: 'bool' },
  DataType: 'named string',
  ...{ NotNull: 'bool', Unique: 'bool', HasDefaultValue: 'bool' },
  ...{ TagSettings: 'map of unicode strings', Schema: '*schema.Schema' },
};

function typeOfSelector({ of, name }: FormOf<'selector'>, names: CertainNames): Found {
  const imported = importedBy(of, names);
  if (imported !== undefined) {
    const declared = imported.values.get(name);
    return declared === undefined ? undefined : typeOfValue(declared, names);
  }
  const type = certainTypeOf(of, names);
  if (type === '*gorm.DB') return databaseParts.test(name) ? type : undefined;
  if (type === '*schema.Schema') return /^(?:Name|Table)$/.test(name) ? 'string' : undefined;
  return type === '*schema.Field' && Object.hasOwn(fieldMembers, name)
    ? fieldMembers[name]
    : undefined;
}

function importedBy(of: Expression, { file, program, locals }: CertainNames) {
  if (of.form !== 'name' || locals.has(of.text)) return undefined;
  const isVariable = program.packageOf(file).values.has(of.text);
  return isVariable ? undefined : program.importedAs(file, of.text);
}

function typeOfBinary(
  { operator, left, right }: FormOf<'binary'>,
  names: CertainNames,
): CertainType | undefined {
  const a = certainTypeOf(left, names);
  const b = certainTypeOf(right, names);
  if (a === undefined || b === undefined) return undefined;
  const areStrings = isString(a) && isString(b);
  if (operator === '+' && areStrings) return a === 'string' ? b : a;
  if (operator === '==' || operator === '!=')
    return areStrings || areNamed(a, b) || (a === b && (a === 'int' || a === 'bool'))
      ? 'bool'
      : undefined;
  if (operator === '&&' || operator === '||') return a === 'bool' && b === 'bool' ? a : undefined;
  if (/^[<>]=?$/.test(operator))
    return a === b && (a === 'int' || a === 'string') ? 'bool' : undefined;
  return /^[-+*/%]$/.test(operator) && a === 'int' && b === 'int' ? 'int' : undefined;
}

/** Two constants of one named type, or one and a constant without a type. */
function areNamed(a: Found, b: Found): boolean {
  const types = [a, b];
  return types.some(isNamedString) && types.every((type) => withoutName(type) === 'string');
}

/** Whether it is a constant of a named type. */
export function isNamedString(type: Found): boolean {
  return type === 'named string' || type === 'named text';
}

export function withoutName(type: Found): Found {
  return isNamedString(type) ? 'string' : type;
}

function isString(type: Found): boolean {
  return type === 'string' || type === 'unicode string';
}

function typeOfUnary({ operator, of }: FormOf<'unary'>, names: CertainNames): Found {
  const type = certainTypeOf(of, names);
  if (operator === '!') return type === 'bool' ? type : undefined;
  return operator === '-' && type === 'int' ? type : undefined;
}

const elementTypes: Readonly<Record<string, CertainType>> = {
  'map of strings': 'string',
  'map of unicode strings': 'unicode string',
  'map of ints': 'int',
  'map of bools': 'bool',
};

function typeOfIndex({ of, at }: FormOf<'index'>, names: CertainNames): Found {
  const type = certainTypeOf(of, names) ?? '';
  const key = certainTypeOf(at, names);
  if (type === 'strings') return key === 'int' ? 'string' : undefined;
  return key === 'string' && Object.hasOwn(elementTypes, type) ? elementTypes[type] : undefined;
}

function typeOfSlice({ of, from, to }: FormOf<'slice'>, names: CertainNames): Found {
  const isInt = (bound: Expression | undefined): boolean =>
    bound === undefined || certainTypeOf(bound, names) === 'int';
  return certainTypeOf(of, names) === 'string' && isInt(from) && isInt(to) ? 'string' : undefined;
}

/** `[]string{…}`, `map[string]string{…}` */
function typeOfLiteral({ type, elements }: FormOf<'literal'>, names: CertainNames): Found {
  if ((type.form !== 'slice' && type.form !== 'map') || type.of === undefined) return undefined;
  const isMap = type.form === 'map';
  const of = basicType(type.of, names);
  const isCertain = elements.every(
    ({ key, value }) =>
      certainTypeOf(value, names) === of &&
      (isMap
        ? key?.form === 'string' && certainTypeOf(key, names) === 'string'
        : key === undefined && of === 'string'),
  );
  if (of === undefined || !isCertain) return undefined;
  return isMap ? (`map of ${of}s` as CertainType) : 'strings';
}

/** By the functions of packages: the types of their arguments, and of the result. A text is a string of any characters. */
const libraryFunctions: Readonly<Record<string, readonly [args: string, result: CertainType]>> = {
  'strings.HasPrefix': ['text,text', 'bool'],
  'strings.HasSuffix': ['text,text', 'bool'],
  'strings.Contains': ['text,text', 'bool'],
  'strings.EqualFold': ['string,string', 'bool'],
  'strings.TrimPrefix': ['string,string', 'string'],
  'strings.TrimSuffix': ['string,string', 'string'],
  'strings.TrimSpace': ['string', 'string'],
  'strings.ToLower': ['string', 'string'],
  'strings.ToUpper': ['string', 'string'],
  'strings.Join': ['strings,string', 'string'],
  'strings.ReplaceAll': ['string,string,string', 'string'],
  'strconv.Itoa': ['int', 'string'],
};

function typeOfCall({ of, args }: FormOf<'call'>, names: CertainNames): Found {
  const types = args.map((arg) => certainTypeOf(arg, names));
  if (of.form === 'name') return typeOfNamedCall(of.text, types, names);
  if (of.form !== 'selector') return undefined;
  if (of.of.form === 'name' && !names.locals.has(of.of.text)) {
    const path = names.file.imports.get(of.of.text);
    if (path === 'fmt') return formatType(of.name, args, types);
    const [expected, result] = libraryFunctions[`${path}.${of.name}`] ?? [];
    const areTexts = types.length === 2 && types.every(isString);
    if (expected === 'text,text') return areTexts ? result : undefined;
    if (expected !== undefined) return types.join() === expected ? result : undefined;
  }
  const called = importedBy(of.of, names)?.functions.get(of.name) ?? methodOf(of, names);
  if (called !== undefined) return names.resultOf(called, types);
  const type = certainTypeOf(of.of, names);
  if (type === '*gorm.DB' && of.name === 'Name' && args.length === 0) return 'string';
  if (type === '*gorm.DB' && of.name === 'DataTypeOf' && types.join() === '*schema.Field')
    return 'type of the driver';
  return type === 'schema.Namer' && of.name === 'TableName' && types.join() === 'string'
    ? 'string'
    : undefined;
}

function typeOfNamedCall(name: string, types: readonly Found[], names: CertainNames): Found {
  if (names.locals.has(name)) return undefined;
  const called = names.program.packageOf(names.file).functions.get(name);
  if (called !== undefined) return names.resultOf(called, types);
  if (!isPredeclared(name, names)) return undefined;
  const [type] = types;
  if (name === 'len') return /^(?:string|strings|map of .*)$/.test(type ?? '') ? 'int' : undefined;
  if (name === 'string') return isNamedString(type) ? 'string' : isString(type) ? type : undefined;
  return undefined;
}

/** The method of `T{}.Method()`, `(&T{}).Method()`, `new(T).Method()` or `receiver.Method()`, if the type itself declares it. */
function methodOf({ of, name }: FormOf<'selector'>, names: CertainNames) {
  const { receiver, program, file } = names;
  const isReceiver = of.form === 'name' && of.text === receiver?.name && receiver.name !== '_';
  if (isReceiver && receiver.parameters.length === 0)
    return program.packageOf(file).methods.get(receiver.type)?.get(name);
  const type = emptyType(of, names);
  if (type?.form !== 'name' || names.locals.has(type.qualifier ?? type.name)) return undefined;
  const home: GoPackage | undefined =
    type.qualifier === undefined
      ? names.program.packageOf(names.file)
      : names.program.importedAs(names.file, type.qualifier);
  const declared = home?.types.get(type.name);
  if (declared === undefined || declared.isAlias || declared.parameters.length > 0)
    return undefined;
  return home?.methods.get(type.name)?.get(name);
}

/** The type of `T{}`, `&T{}` or `new(T)`. */
function emptyType(expression: Expression, names: CertainNames): TypeExpression | undefined {
  if (expression.form === 'call') {
    const isNew =
      expression.of.form === 'name' && expression.of.text === 'new' && isPredeclared('new', names);
    return isNew && expression.args.length === 1 ? typeNamedBy(expression.args[0]!) : undefined;
  }
  const isPointer = expression.form === 'unary' && expression.operator === '&';
  const literal = isPointer ? expression.of : expression;
  return literal.form === 'literal' && literal.elements.length === 0 ? literal.type : undefined;
}

/** `fmt.Sprintf` with `%s`, `%d` and `%v`, and `fmt.Sprint` of strings. */
function formatType(name: string, args: readonly Expression[], types: readonly Found[]): Found {
  const values = name === 'Sprintf' ? types.slice(1) : types;
  const isText = (type: Found): boolean => isString(type) || type === 'named text';
  if (values.some((type) => !isText(type) && type !== 'int')) return undefined;
  const result = types.includes('unicode string') ? 'unicode string' : 'string';
  if (name === 'Sprint') return values.every(isString) || values.length === 1 ? result : undefined;
  const [format] = args;
  if (name !== 'Sprintf' || format?.form !== 'string' || !isString(types[0])) return undefined;
  const verbs = (unquote(format.text) ?? '').replaceAll('%%', '').match(/%.?/g) ?? [];
  const fits = verbs.every((verb, i) =>
    verb === '%s' ? isText(values[i]) : verb === '%d' ? values[i] === 'int' : verb === '%v',
  );
  return fits && verbs.length === values.length ? result : undefined;
}
