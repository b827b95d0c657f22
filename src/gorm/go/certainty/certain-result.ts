/**
 * Whether the result of a function is certain: its body uses only a part of Go that is evaluated exactly. There
 * are no loops, function literals, pointers, floats, and no shadowed names in it, and no members of its receiver
 * but methods that its type itself declares.
 */
import {
  basicType,
  certainTypeOf,
  declaredType,
  isNamedString,
  isOfKnownPackage,
  withoutName,
} from './certain-expression.ts';
import { parseExpression } from '../syntax/expression.ts';
import { bodyOf, literalResultOf } from '../syntax/function-body.ts';
import { childrenOf, readType } from '../syntax/read-type.ts';
import type { SyntaxNode } from '@lezer/common';
import type { ArgumentType, CertainNames, CertainType } from './certain-expression.ts';
import type { FoundMethod } from '../program/methods.ts';
import type { Program } from '../program/program.ts';
import type { FunctionDeclaration } from '../syntax/syntax.ts';

type Found = CertainType | undefined;

const results = new WeakMap<FunctionDeclaration, Found>();

/** Whether the source alone determines what the method returns when GORM calls it with these arguments. */
export function isResultCertain(
  { method, mayBeHidden }: FoundMethod,
  program: Program,
  args: readonly ArgumentType[] = [],
): boolean {
  if (mayBeHidden) return false;
  return isOfKnownPackage(method, program) || resultType(method, program, args) !== undefined;
}

function resultType(
  declared: FunctionDeclaration,
  program: Program,
  args: readonly Found[],
): Found {
  if (results.has(declared)) return results.get(declared);
  // Undefined while its body is read: a function that calls itself is not certain.
  results.set(declared, undefined);
  const type = readResultType(declared, program, args);
  results.set(declared, type);
  return type;
}

/** A function whose body is read. Its syntax nodes refer to the text. */
interface Body extends CertainNames {
  readonly locals: Map<string, Found>;
  readonly text: string;
  readonly result: Found;
  readonly resultNames: readonly string[];
  /** Whether a returned string has characters beyond ASCII. */
  isUnicode: boolean;
}

function readResultType(
  declared: FunctionDeclaration,
  program: Program,
  args: readonly Found[],
): Found {
  const { file, receiver, parameters, resultNames } = declared;
  if (returnsLiteral(declared, program)) return 'string';
  const parsed = bodyOf(declared);
  if (parsed?.isValid !== true || declared.results.length !== 1) return undefined;
  const locals = new Map<string, Found>();
  const body: Body = {
    ...{ file, program, locals, resultNames, text: parsed.text, isUnicode: false },
    result: basicType(declared.results[0], { file, program, locals, resultOf: () => undefined }),
    resultOf: (called, types) => callType(called, types, program),
    receiver,
  };
  if (body.result === undefined || isGeneric(declared, parsed.text)) return undefined;
  if (receiver !== undefined) locals.set(receiver.name, undefined);
  for (const [i, { name, type, isVariadic }] of parameters.entries())
    locals.set(name, isVariadic ? undefined : (args[i] ?? basicType(type, body)));
  for (const name of resultNames) locals.set(name, body.result);
  if (!childrenOf(parsed.block).every((node) => isCertain(node, body))) return undefined;
  return body.isUnicode ? 'unicode string' : body.result;
}

/** Whether it is a method that returns a string that is a literal. */
function returnsLiteral(declared: FunctionDeclaration, program: Program): boolean {
  const { file, receiver } = declared;
  const names: CertainNames = { file, program, locals: new Map(), resultOf: () => undefined };
  return (
    receiver?.parameters.length === 0 &&
    declared.results.length === 1 &&
    basicType(declared.results[0], names) === 'string' &&
    literalResultOf(declared) !== undefined
  );
}

/** The type of a call's result, if its arguments are certain and have the types of the parameters. */
function callType(called: FunctionDeclaration, types: readonly Found[], program: Program): Found {
  const { file, parameters } = called;
  const names: CertainNames = { file, program, locals: new Map(), resultOf: () => undefined };
  const areSame =
    types.length === parameters.length &&
    parameters.every(
      ({ type }, i) => types[i] !== undefined && basicType(type, names) === types[i],
    );
  return areSame ? resultType(called, program, []) : undefined;
}

function isGeneric({ name, receiver }: FunctionDeclaration, text: string): boolean {
  return receiver === undefined
    ? new RegExp(String.raw`\bfunc\s+${name}\s*\[`, 'u').test(text)
    : receiver.parameters.length > 0;
}

function textOf(node: SyntaxNode, { text }: Body): string {
  return text.slice(node.from, node.to);
}

function typeOf(node: SyntaxNode, body: Body): Found {
  return certainTypeOf(parseExpression(textOf(node, body)), body);
}

const punctuation = /^(?:if|else|switch|case|default|;|\{|\}|,|:|return)$/;

function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  return childrenOf(node).filter(({ name }) => !punctuation.test(name));
}

/** Whether a statement is certain. Declares its variables. */
function isCertain(node: SyntaxNode, body: Body): boolean {
  switch (node.name) {
    case 'ReturnStatement':
      return isCertainReturn(node, body);
    case 'Block':
    case 'SwitchBlock':
      return partsOf(node).every((part) => isCertain(part, body));
    case 'IfStatement':
      return isCertainIf(node, body);
    case 'SwitchStatement':
      return isCertainSwitch(node, body);
    case 'VarDecl':
    case 'ConstDecl':
      return isCertainDeclaration(node, body);
    case 'Assignment':
      return isCertainAssignment(node, body);
    case 'IncDecStatement':
      return body.locals.get(textOf(node.firstChild!, body)) === 'int';
    default:
      return punctuation.test(node.name);
  }
}

function isCertainReturn(node: SyntaxNode, body: Body): boolean {
  const values = partsOf(node);
  const [value] = values;
  const [resultName] = body.resultNames;
  const type = value === undefined ? body.locals.get(resultName ?? '') : typeOf(value, body);
  if (type === 'unicode string') body.isUnicode = true;
  const isOtherText = type === 'unicode string' || type === 'type of the driver';
  return values.length <= 1 && (type === body.result || (isOtherText && body.result === 'string'));
}

function isCertainIf(node: SyntaxNode, body: Body): boolean {
  const parts = partsOf(node);
  const thenIndex = parts.findIndex(({ name }) => name === 'Block');
  const condition = parts[thenIndex - 1];
  if (condition === undefined) return false;
  return (
    parts.slice(0, thenIndex - 1).every((part) => isCertain(part, body)) &&
    typeOf(condition, body) === 'bool' &&
    parts.slice(thenIndex).every((part) => isCertain(part, body))
  );
}

/** Without an initialization, or with `name := value` before the subject. */
function isCertainSwitch(node: SyntaxNode, body: Body): boolean {
  const parts = partsOf(node);
  const block = parts.at(-1);
  const [initialization, subjectNode] = parts.length === 3 ? parts : [undefined, ...parts];
  if (block?.name !== 'SwitchBlock' || subjectNode === undefined || parts.length > 3) return false;
  // `switch f(); {` has no subject.
  const hasSemicolon = body.text.slice(node.from, block.from).includes(';');
  if (hasSemicolon !== (initialization !== undefined)) return false;
  if (initialization !== undefined && !isCertain(initialization, body)) return false;
  const subject = subjectNode === block ? 'bool' : typeOf(subjectNode, body);
  if (subject === undefined || !/^(?:string|int|bool)$/.test(withoutName(subject) ?? ''))
    return false;
  const isCase = (type: Found): boolean =>
    type === subject || (isNamedString(subject) && (type === 'string' || isNamedString(type)));
  return partsOf(block).every((part) =>
    part.name === 'Case'
      ? partsOf(part).every((value) => isCase(typeOf(value, body)))
      : isCertain(part, body),
  );
}

/** A declaration, or a group of them. */
function isCertainDeclaration(node: SyntaxNode, body: Body): boolean {
  const list = node.getChild('SpecList') ?? node;
  const specs = [...list.getChildren('VarSpec'), ...list.getChildren('ConstSpec')];
  // Without a value, a constant repeats the expression before it.
  const hasValues = specs.every((one) => one.name === 'VarSpec' || one.getChild('=') !== null);
  return (
    hasValues && (specs.length === 0 ? [node] : specs).every((one) => isCertainSpec(one, body))
  );
}

/** `x := value`, `var x = value`, `var x string`, `a, b := one, other`, `value, ok := map[key]` */
function isCertainSpec(node: SyntaxNode, body: Body): boolean {
  const parts = childrenOf(node).filter(({ name }) => !/^(?:var|const|,)$/.test(name));
  const operatorAt = parts.findIndex(({ name }) => name === ':=' || name === '=');
  const left = operatorAt === -1 ? parts : parts.slice(0, operatorAt);
  const right = operatorAt === -1 ? [] : parts.slice(operatorAt + 1);
  const names = left.filter(({ name }) => name === 'DefName' || name === 'VariableName');
  const [typeNode] = left.filter((part) => !names.includes(part));
  const types = declaredTypes(names.length, right, body);
  const declared = typeNode === undefined ? undefined : readType(typeNode, body.text);
  return names.every((name, i) => {
    const type =
      declared === undefined
        ? types[i]
        : right.length === 0
          ? basicType(declared, body)
          : declaredType(declared, types[i], body);
    return type !== undefined && declareLocal(textOf(name, body), type, body);
  });
}

function declaredTypes(count: number, right: readonly SyntaxNode[], body: Body): readonly Found[] {
  const [value] = right;
  if (value === undefined) return [];
  if (right.length > 1) return right.length === count ? right.map((one) => typeOf(one, body)) : [];
  const type = typeOf(value, body);
  if (count === 1) return [type];
  return count === 2 && isMapIndex(value, body) ? [type, 'bool'] : [];
}

function isMapIndex(node: SyntaxNode, body: Body): boolean {
  const expression = parseExpression(textOf(node, body));
  return (
    expression.form === 'index' &&
    certainTypeOf(expression.of, body)?.startsWith('map of ') === true
  );
}

/** False for a name that means something else in another block, or outside the function. */
function declareLocal(name: string, type: CertainType, { locals, file, program }: Body): boolean {
  if (name === '_') return true;
  const { types, values, functions } = program.packageOf(file);
  const others = [locals, types, values, functions, file.imports];
  if (others.some((names) => names.has(name))) return false;
  locals.set(name, type);
  return true;
}

/** `x = value`, `x += value` */
function isCertainAssignment(node: SyntaxNode, body: Body): boolean {
  const [variable, operator, value, ...others] = childrenOf(node);
  if (variable?.name !== 'VariableName' || value === undefined || others.length > 0) return false;
  const name = textOf(variable, body);
  if (name === '_') return typeOf(value, body) !== undefined;
  const type = body.locals.get(name);
  const isBasic = type === 'string' || type === 'int' || type === 'bool';
  if (!isBasic || typeOf(value, body) !== type) return false;
  const update = textOf(operator!, body);
  if (update === '=') return true;
  return update === '+=' ? type !== 'bool' : type === 'int' && /^[-*]=$/.test(update);
}
