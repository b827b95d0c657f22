/**
 * Whether the source determines what the Value method of a driver.Valuer returns for its zero value, where only the
 * type matters: its conditions compare the receiver or its own members with their zero values, and it returns nil,
 * a conversion, an own member, or the result of a function that has one type.
 */
import { isOfKnownPackage, isPredeclared } from './certain-expression.ts';
import { parseExpression } from '../syntax/expression.ts';
import { bodyOf } from '../syntax/function-body.ts';
import { childrenOf } from '../syntax/read-type.ts';
import { findMethod } from '../program/methods.ts';
import { underlyingOf, withoutPointers } from '../program/types.ts';
import type { Expression } from '../syntax/expression.ts';
import type { FoundMethod } from '../program/methods.ts';
import type { GoType } from '../program/types.ts';
import type { Program } from '../program/program.ts';
import type { GoFile } from '../syntax/syntax.ts';
import type { SyntaxNode } from '@lezer/common';

interface Valuer {
  readonly found: FoundMethod;
  readonly file: GoFile;
  readonly program: Program;
  readonly text: string;
  /** What its variables have: the receiver, the text of `json.Marshal`, or its error. */
  readonly locals: Map<string, 'receiver' | 'encoded' | 'error'>;
}

export function isValuerCertain(found: FoundMethod, program: Program): boolean {
  const { method, of, mayBeHidden } = found;
  if (isOfKnownPackage(method, program)) return true;
  const body = bodyOf(method);
  if (body?.isValid !== true || of.bindings.size > 0 || mayBeHidden) return false;
  const { file, receiver } = method;
  const locals: Valuer['locals'] = new Map([[receiver?.name ?? '', 'receiver']]);
  return isCertain(body.block, { found, file, program, text: body.text, locals });
}

const punctuation = /^(?:if|else|;|\{|\}|,|return)$/;

function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  return childrenOf(node).filter(({ name }) => !punctuation.test(name));
}

function expressionAt(node: SyntaxNode, { text }: Valuer): Expression {
  return parseExpression(text.slice(node.from, node.to));
}

function isCertain(node: SyntaxNode, valuer: Valuer): boolean {
  switch (node.name) {
    case 'Block':
      return partsOf(node).every((part) => isCertain(part, valuer));
    case 'IfStatement': {
      const [condition, ...branches] = partsOf(node);
      return (
        condition !== undefined &&
        isCertainCondition(expressionAt(condition, valuer), valuer) &&
        branches.every((branch) => isCertain(branch, valuer))
      );
    }
    case 'VarDecl':
      return isEncoding(node, valuer);
    case 'ReturnStatement':
      return isCertainReturn(partsOf(node), valuer);
    default:
      return false;
  }
}

/** `text, err := json.Marshal(…)` */
function isEncoding(node: SyntaxNode, valuer: Valuer): boolean {
  const [value, error, operator, call, ...others] = partsOf(node).filter(
    ({ name }) => name !== 'var',
  );
  const textOf = ({ from, to }: SyntaxNode): string => valuer.text.slice(from, to);
  if (call === undefined || others.length > 0 || operator?.name !== ':=') return false;
  if (!isMarshal(expressionAt(call, valuer), valuer)) return false;
  valuer.locals.set(textOf(value!), 'encoded').set(textOf(error!), 'error');
  return true;
}

function isCertainReturn(values: readonly SyntaxNode[], valuer: Valuer): boolean {
  const [value, error] = values.map((node) => expressionAt(node, valuer));
  if (value === undefined || values.length > 2) return false;
  if (error === undefined) return isMarshal(value, valuer);
  const isError =
    isNil(error, valuer) || (error.form === 'name' && valuer.locals.get(error.text) === 'error');
  return isError && (isNil(value, valuer) || hasOneType(value, valuer));
}

/** `json.Marshal(…)` of the receiver or its member, if no own method and no type can make it fail. */
function isMarshal(expression: Expression, valuer: Valuer): boolean {
  const { found, file, program } = valuer;
  if (expression.form !== 'call' || expression.of.form !== 'selector') return false;
  const [argument] = expression.args;
  const marshaled =
    argument?.form === 'unary' && argument.operator === '*' ? argument.of : argument;
  if (marshaled === undefined) return false;
  if (!isReceiver(marshaled, found) && !isOwnMember(marshaled, valuer)) return false;
  if (!isMarshalable(found.of, program, new Set())) return false;
  const { of, name } = expression.of;
  const path = of.form === 'name' ? file.imports.get(of.text) : undefined;
  return path === 'encoding/json' && name === 'Marshal' && !isReceiver(of, found);
}

/** Whether the user's own code marshals the type. */
function hasOwnMarshaler(type: GoType, program: Program): boolean {
  return ['MarshalJSON', 'MarshalText'].some((name) => {
    const found = findMethod(type, name);
    return found !== undefined && !isOfKnownPackage(found.method, program);
  });
}

function isMarshalable(type: GoType, program: Program, seenTypes: Set<GoType>): boolean {
  if (seenTypes.has(type)) return true;
  seenTypes.add(type);
  if (hasOwnMarshaler(type, program)) return false;
  const underlying = underlyingOf(type);
  switch (underlying.form) {
    case 'struct':
      return underlying.fields.every((field) => isMarshalable(field.type, program, seenTypes));
    case 'basic':
      return !underlying.name.startsWith('complex');
    case 'pointer':
      return isMarshalable(underlying.to, program, seenTypes);
    case 'slice':
    case 'array':
      return isMarshalable(underlying.of, program, seenTypes);
    case 'map':
    case 'interface':
      return true;
    default:
      return false;
  }
}

function isReceiver(expression: Expression, { method }: FoundMethod): boolean {
  return expression.form === 'name' && expression.text === method.receiver?.name;
}

function isNil(expression: Expression, valuer: Valuer): boolean {
  return expression.form === 'name' && expression.text === 'nil' && isPredeclared('nil', valuer);
}

function isCertainCondition(condition: Expression, valuer: Valuer): boolean {
  if (condition.form === 'unary' && condition.operator === '!')
    return isOwnMember(condition.of, valuer);
  if (condition.form !== 'binary')
    return isOwnMember(condition, valuer) || isBasicReceiver(condition, valuer);
  const { operator, left, right } = condition;
  if (operator !== '==' && operator !== '!=') return false;
  if (left.form === 'name' && valuer.locals.get(left.text) === 'error') return isNil(right, valuer);
  const { form } = underlyingOf(valuer.found.of);
  if (isNil(right, valuer))
    return (
      isReceiver(left, valuer.found) &&
      (valuer.found.method.receiver?.isPointer === true || form === 'slice' || form === 'map')
    );
  const isZero = /^(?:0|"")$/.test('text' in right ? right.text : '');
  return isZero && (isLengthOfReceiver(left, valuer) || isBasicReceiver(left, valuer));
}

/** The length of an array is never zero. */
function isLengthOfReceiver(expression: Expression, valuer: Valuer): boolean {
  if (expression.form !== 'call' || expression.of.form !== 'name') return false;
  const [argument] = expression.args;
  const { form } = underlyingOf(valuer.found.of);
  return (
    expression.of.text === 'len' &&
    isPredeclared('len', valuer) &&
    argument !== undefined &&
    isReceiver(argument, valuer.found) &&
    form !== 'array'
  );
}

function isBasicReceiver(expression: Expression, { found }: Valuer): boolean {
  return isReceiver(expression, found) && underlyingOf(found.of).form === 'basic';
}

/** `x.Member`, declared by the struct itself or the one struct that it embeds, with a basic or named type. */
function isOwnMember(expression: Expression, { found }: Valuer): boolean {
  if (expression.form !== 'selector' || !isReceiver(expression.of, found)) return false;
  if (found.of.methods.has(expression.name)) return false;
  const member = memberOf(found.of, expression.name) ?? embeddedMember(found.of, expression.name);
  return member !== undefined && !/^(?:interface|unknown)$/.test(underlyingOf(member).form);
}

function memberOf(type: GoType, name: string): GoType | undefined {
  const struct = underlyingOf(type);
  return struct.form === 'struct'
    ? struct.fields.find((field) => field.name === name)?.type
    : undefined;
}

/** A member of a struct that is embedded, and no pointer, which may be nil. */
function embeddedMember(type: GoType, name: string): GoType | undefined {
  const struct = underlyingOf(type);
  if (struct.form !== 'struct') return undefined;
  const [embedded, ...others] = struct.fields.filter(({ isEmbedded }) => isEmbedded);
  const isPointer = embedded !== undefined && withoutPointers(embedded.type) !== embedded.type;
  return embedded === undefined || isPointer || others.length > 0
    ? undefined
    : memberOf(embedded.type, name);
}

const conversions = /^(?:string|bool|int64|float64)$/;
const textFunctions = /^(?:fmt\.Sprint(?:f|ln)?|strings\.(?:Join|ToLower|ToUpper|TrimSpace))$/;

function hasOneType(expression: Expression, valuer: Valuer): boolean {
  const { found, file, locals } = valuer;
  if (expression.form === 'string') return true;
  if (expression.form === 'name') return locals.get(expression.text) === 'encoded';
  if (expression.form === 'conversion')
    return expression.type.form === 'slice' && isBytes(expression.type.of, valuer);
  if (expression.form === 'selector') return isOwnMember(expression, valuer);
  if (expression.form !== 'call') return false;
  const { of, args } = expression;
  if (of.form === 'name')
    return conversions.test(of.text) && args.length === 1 && isPredeclared(of.text, valuer);
  if (of.form !== 'selector' || of.of.form !== 'name') return false;
  if (isReceiver(of.of, found)) return returnsString(of.name, valuer);
  const path = file.imports.get(of.of.text);
  return textFunctions.test(`${path}.${of.name}`);
}

/** Whether a method of the receiver's own type returns a string, whichever it is. */
function returnsString(name: string, valuer: Valuer): boolean {
  const { results = [] } = valuer.found.of.methods.get(name) ?? {};
  const [result] = results;
  return (
    results.length === 1 &&
    result?.form === 'name' &&
    result.qualifier === undefined &&
    result.name === 'string' &&
    isPredeclared('string', valuer)
  );
}

function isBytes(type: object, valuer: Valuer): boolean {
  return 'name' in type && type.name === 'byte' && isPredeclared('byte', valuer);
}
