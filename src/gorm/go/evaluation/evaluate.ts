/** Evaluates expressions, as far as the sources alone determine their values. */
import { calculate, inType } from './arithmetic.ts';
import { parseExpression, typeNamedBy } from '../syntax/expression.ts';
import { appended, elementAt, lengthOf, literalOf, sliceOf } from './collections.ts';
import { callLibrary, callNamer } from './library-functions.ts';
import { basic, underlyingOf } from '../program/types.ts';
import { parseFloatText, parseInteger, runeOf, unquote } from '../syntax/literals.ts';
import { findMethod } from '../program/methods.ts';
import { resolveType } from '../program/resolve-type.ts';
import {
  constant,
  convert,
  nil,
  unknownOf,
  typeOfValue,
  unknown,
  variableOf,
  zeroOf,
} from './value.ts';
import type { Expression } from '../syntax/expression.ts';
import type { GoType } from '../program/types.ts';
import type { Scope } from '../program/resolve-type.ts';
import type { ValueDeclaration } from '../syntax/syntax.ts';
import type { Env, Value } from './value.ts';

type FormOf<Form extends Expression['form']> = Extract<Expression, { readonly form: Form }>;

/** The single value of an expression. */
export function evaluate(expression: Expression, env: Env): Value {
  return evaluateAll(expression, env)[0] ?? unknown;
}

/** The values of an expression: several for a call that returns several. */
export function evaluateAll(expression: Expression, env: Env): readonly Value[] {
  return expression.form === 'call' ? evaluateCall(expression, env) : [single(expression, env)];
}

function single(expression: Expression, env: Env): Value {
  switch (expression.form) {
    case 'string':
      return constant(unquote(expression.text) ?? '');
    case 'number':
      return numberOf(expression.text);
    case 'rune':
      return constant(BigInt(runeOf(expression.text) ?? 0), basic('int32'));
    case 'name':
      return variable(expression.text, env);
    case 'binary':
      return binary(expression, env);
    case 'unary':
      return unary(expression, env);
    case 'selector':
      return selector(expression, env);
    case 'index':
      return evaluateElement(expression, env)[0];
    case 'slice':
      return sliceOf(
        evaluate(expression.of, env),
        expression.from && evaluate(expression.from, env),
        expression.to && evaluate(expression.to, env),
      );
    case 'literal':
      return literal(expression, env);
    case 'typed':
      return unknownOf(resolveType(expression.type, env.scope));
    case 'conversion':
      return convert(evaluate(expression.of, env), resolveType(expression.type, env.scope));
    default:
      return unknown;
  }
}

/** The element of a list or map, and whether there is one. */
export function evaluateElement(
  { of, at }: FormOf<'index'>,
  env: Env,
): readonly [value: Value, isPresent: Value] {
  return elementAt(evaluate(of, env), evaluate(at, env));
}

function literal({ type, elements }: FormOf<'literal'>, env: Env): Value {
  return literalOf(
    resolveType(type, env.scope),
    elements.map(({ key, value }) => ({
      key: key && evaluate(key, env),
      value: evaluate(value, env),
    })),
  );
}

function numberOf(text: string): Value {
  const integer = parseInteger(text);
  if (integer !== undefined) return constant(integer);
  return finiteOrUnknown(parseFloatText(text));
}

/** Unknown for a text that is not a number or is beyond float64. */
function finiteOrUnknown(value: number | undefined): Value {
  return value !== undefined && Number.isFinite(value) ? constant(value) : unknown;
}

function variable(name: string, env: Env): Value {
  const local = env.locals.get(name);
  if (local !== undefined) return local;
  if (name === 'iota' && env.iota !== undefined) return constant(BigInt(env.iota));
  if (name === 'true' || name === 'false') return constant(name === 'true');
  if (name === 'nil') return nil;
  const declared = env.scope.program.packageOf(env.scope.file).values.get(name);
  return declared === undefined ? unknown : valueOf(declared, env);
}

const maxDepth = 30;

/** The value of a package's constant, or the initial one of its variable. Unknown if it depends on itself. */
function valueOf(declared: ValueDeclaration, env: Env): Value {
  const { program } = env.scope;
  const { values } = program;
  if (values.has(declared)) return (values.get(declared) as Value | undefined) ?? unknown;
  if (env.depth > maxDepth) return unknown;
  values.set(declared, undefined);
  const value = initialValue(declared, env);
  values.set(declared, value);
  return value;
}

function initialValue(declared: ValueDeclaration, { scope, driver, depth, call }: Env): Value {
  const declarationScope: Scope = {
    program: scope.program,
    file: declared.file,
    bindings: new Map(),
  };
  const type =
    declared.type === undefined ? undefined : resolveType(declared.type, declarationScope);
  if (declared.value === undefined) return type === undefined ? unknown : zeroOf(type);
  const { iota } = declared;
  const env: Env = {
    scope: declarationScope,
    locals: new Map(),
    driver,
    iota,
    depth: depth + 1,
    call,
  };
  const value = evaluate(parseExpression(declared.value), env);
  if (type !== undefined) return convert(value, type);
  return declared.isConstant ? value : variableOf(value);
}

function unary({ operator, of }: FormOf<'unary'>, env: Env): Value {
  const value = evaluate(of, env);
  if (operator === '&') {
    if (value.kind === 'builder') return value;
    const type = typeOfValue(value);
    return type === undefined ? unknown : { kind: 'typed', type: { form: 'pointer', to: type } };
  }
  if (operator === '*') return dereferenced(value);
  if (value.kind !== 'constant') return operator === '!' ? unknownOf(basic('bool')) : value;
  if (operator === '!') return constant(value.value !== true, value.type);
  if (operator === '+') return value;
  const isNumber = typeof value.value === 'bigint' || typeof value.value === 'number';
  if (operator === '-' && isNumber) return inType(-value.value, value.type);
  if (operator === '^' && typeof value.value === 'bigint') return inType(~value.value, value.type);
  return unknownOf(typeOfValue(value));
}

function dereferenced(value: Value): Value {
  if (value.kind === 'zero' || value.kind === 'typed')
    return value.type.form === 'pointer' ? unknownOf(value.type.to) : value;
  return value;
}

function binary({ operator, left, right }: FormOf<'binary'>, env: Env): Value {
  const a = evaluate(left, env);
  if (operator === '&&' || operator === '||')
    return logical(operator, a, () => evaluate(right, env));
  const b = evaluate(right, env);
  return /^(?:[=!<>]=|[<>])$/.test(operator) ? compare(operator, a, b) : calculate(operator, a, b);
}

function logical(operator: string, a: Value, b: () => Value): Value {
  if (a.kind !== 'constant') return unknown;
  return (a.value === true) === (operator === '&&') ? b() : a;
}

function compare(operator: string, a: Value, b: Value): Value {
  const order = orderOf(a, b);
  if (order === undefined) return unknown;
  if (operator === '==' || operator === '!=')
    return constant((order === 0) === (operator === '=='));
  if (Number.isNaN(order)) return unknown;
  return constant(
    operator.startsWith('<')
      ? order < 0 || (operator === '<=' && order === 0)
      : order > 0 || (operator === '>=' && order === 0),
  );
}

/** Below, at or above zero; NaN for unequal values without an order; undefined if the source does not determine it. */
function orderOf(a: Value, b: Value): number | undefined {
  if (a.kind === 'constant' && b.kind === 'constant')
    return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
  if (a.kind === 'nil' || b.kind === 'nil') return orderToNil(a.kind === 'nil' ? b : a);
  if (a.kind === 'zero' && b.kind === 'zero') return 0;
  return undefined;
}

/** The zero value of slices, maps, pointers and functions is nil. */
function orderToNil(value: Value): number | undefined {
  if (value.kind === 'nil') return 0;
  if (value.kind === 'zero')
    return ['struct', 'array'].includes(underlyingOf(value.type).form) ? Number.NaN : 0;
  return value.kind === 'unknown' ? undefined : Number.NaN;
}

/** `x.Field`, `package.Constant`. */
function selector({ of, name }: FormOf<'selector'>, env: Env): Value {
  const imported = of.form === 'name' ? importedPackage(of.text, env) : undefined;
  if (imported === undefined) return fieldOf(evaluate(of, env), name);
  const declared = imported.values.get(name);
  return declared === undefined ? unknown : valueOf(declared, env);
}

function importedPackage(name: string, env: Env) {
  return env.locals.has(name) ? undefined : env.scope.program.importedAs(env.scope.file, name);
}

function fieldOf(value: Value, name: string): Value {
  if (value.kind === 'database') return value;
  if (value.kind === 'members') return value.of.get(name) ?? unknown;
  if (value.kind !== 'zero' && value.kind !== 'typed') return unknown;
  const type = value.type.form === 'pointer' ? value.type.to : value.type;
  const found = findField(type, name, 0);
  if (found === undefined) return unknown;
  return value.kind === 'zero' ? zeroOf(found) : unknownOf(found);
}

function findField(type: GoType, name: string, depth: number): GoType | undefined {
  const struct = underlyingOf(type.form === 'pointer' ? type.to : type);
  if (struct.form !== 'struct' || depth > 9) return undefined;
  const ownField = struct.fields.find((field) => field.name === name);
  if (ownField !== undefined) return ownField.type;
  const embedded = struct.fields.filter((field) => field.isEmbedded);
  return embedded
    .map((field) => findField(field.type, name, depth + 1))
    .find((found) => found !== undefined);
}

function evaluateCall({ of, args }: FormOf<'call'>, env: Env): readonly Value[] {
  if (env.depth > maxDepth) return [unknown];
  const values = args.map((arg) => evaluate(arg, env));
  if (of.form === 'selector') return callSelected(of, values, env);
  if (of.form !== 'name') return [unknown];
  const declared = env.scope.program.packageOf(env.scope.file).functions.get(of.text);
  if (declared !== undefined) return env.call(declared, { args: values, env });
  if (of.text === 'new' && args[0] !== undefined) return [newOf(args[0], env)];
  if (of.text === 'len') return [lengthOf(values[0] ?? unknown)];
  if (of.text === 'append') return [appended(...values)];
  const type = resolveType(
    { form: 'name', name: of.text, qualifier: undefined, args: [] },
    env.scope,
  );
  return [type.form === 'unknown' ? unknown : convert(values[0] ?? unknown, type)];
}

/** A pointer to a zero value. */
function newOf(argument: Expression, { scope }: Env): Value {
  const named = typeNamedBy(argument);
  if (named === undefined) return unknown;
  return { kind: 'typed', type: { form: 'pointer', to: resolveType(named, scope) } };
}

/** `package.Function(…)`, `value.Method(…)`, `package.Type(…)`. */
function callSelected(
  { of, name }: FormOf<'selector'>,
  args: readonly Value[],
  env: Env,
): readonly Value[] {
  const qualifier = of.form === 'name' && !env.locals.has(of.text) ? of.text : undefined;
  const path = qualifier === undefined ? undefined : env.scope.file.imports.get(qualifier);
  const library = path === undefined ? undefined : callLibrary(`${path}.${name}`, args);
  if (library !== undefined) return library;
  const imported = qualifier === undefined ? undefined : importedPackage(qualifier, env);
  if (qualifier === undefined || imported === undefined)
    return callMethod(evaluate(of, env), { name, args, env });
  return callImported(args, { env, imported, name, qualifier });
}

interface ImportedCall {
  readonly env: Env;
  readonly imported: NonNullable<ReturnType<typeof importedPackage>>;
  readonly name: string;
  readonly qualifier: string;
}

function callImported(
  args: readonly Value[],
  { env, imported, name, qualifier }: ImportedCall,
): readonly Value[] {
  const declared = imported.functions.get(name);
  if (declared !== undefined) return env.call(declared, { args, env });
  if (!imported.types.has(name)) return [unknown];
  const type = resolveType({ form: 'name', name, qualifier, args: [] }, env.scope);
  return [convert(args[0] ?? unknown, type)];
}

interface MethodCall {
  readonly name: string;
  readonly args: readonly Value[];
  readonly env: Env;
}

function callMethod(value: Value, { name, args, env }: MethodCall): readonly Value[] {
  if (value.kind === 'database') return [databaseMethod(value, name, env.driver)];
  if (value.kind === 'builder') return [callBuilder(value, name, args)];
  if (value.kind === 'members') return [value.of.get(`${name}()`) ?? unknown];
  if (value.kind === 'namer') return [callNamer(env.scope.program.naming, name, args)];
  const type = typeOfValue(value);
  const found =
    type === undefined ? undefined : findMethod(type.form === 'pointer' ? type.to : type, name);
  if (found === undefined) return [unknown];
  return env.call(found.method, { args, env, receiver: { value, type: found.of } });
}

/** `db.Dialector.Name()`. An empty result of GormDBDataType leaves the type to the driver, as DataTypeOf does. */
function databaseMethod(database: Value, name: string, driver: string): Value {
  if (name === 'Name') return constant(driver);
  return name === 'DataTypeOf' ? constant('') : database;
}

function callBuilder(
  builder: Extract<Value, { kind: 'builder' }>,
  name: string,
  [writtenValue]: readonly Value[],
): Value {
  if (name === 'String') return builder.text === undefined ? unknown : constant(builder.text);
  const isText = writtenValue?.kind === 'constant' && name === 'WriteString';
  builder.text =
    isText && builder.text !== undefined ? builder.text + String(writtenValue.value) : undefined;
  return unknown;
}
