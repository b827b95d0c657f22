/** Evaluates the return values of functions, as far as the sources alone determine them. */
import type { SyntaxNode } from '@lezer/common';

import { calculate } from './arithmetic.ts';
import { evaluate, evaluateAll, evaluateElement } from './evaluate.ts';
import { parseExpression } from '../syntax/expression.ts';
import { bodyOf, literalResultOf } from '../syntax/function-body.ts';
import {
  argumentOf,
  markAsModified,
  markAssignedUnknown,
  markCollectionsUnknown,
  runsLater,
} from './local-variables.ts';
import { childrenOf, readType } from '../syntax/read-type.ts';
import { resolveType } from '../program/resolve-type.ts';
import { assignTo, constant, convert, unknownOf, unknown, variableOf, zeroOf } from './value.ts';
import type { Scope } from '../program/resolve-type.ts';
import type { FunctionDeclaration } from '../syntax/syntax.ts';
import type { Env, FunctionCall, Value } from './value.ts';

const maxDepth = 12;
const maxCalls = 20_000;

/** The values that a call returns. A value that the source does not determine has the declared type only. */
export function callFunction(declared: FunctionDeclaration, call: FunctionCall): readonly Value[] {
  const scope: Scope = {
    program: call.env.scope.program,
    file: declared.file,
    bindings: bindingsOf(declared, call),
  };
  const { workDone } = scope.program;
  const isTooMuch = call.env.depth > maxDepth || ++workDone.calls > maxCalls;
  const returned = isTooMuch ? undefined : runFunction(declared, scope, call);
  return declared.results.map((result, i) => {
    const type = resolveType(result, scope);
    const value = returned?.[i] ?? unknown;
    return value.kind === 'unknown' ? unknownOf(type) : convert(value, type);
  });
}

function bindingsOf({ receiver }: FunctionDeclaration, call: FunctionCall): Scope['bindings'] {
  const type = call.receiver?.type;
  if (receiver === undefined || type === undefined) return new Map();
  const args = [...type.bindings.values()];
  return new Map(
    receiver.parameters.flatMap((name, i) => (args[i] === undefined ? [] : [[name, args[i]]])),
  );
}

function runFunction(
  declared: FunctionDeclaration,
  scope: Scope,
  call: FunctionCall,
): readonly Value[] | undefined {
  const text = literalResultOf(declared);
  if (text !== undefined) return [constant(text)];
  const body = bodyOf(declared);
  if (body === undefined || runsLater(body.block, body.text)) return undefined;
  const { resultNames } = declared;
  const frame: Frame = {
    scope,
    text: body.text,
    locals: new Map(),
    resultNames,
    driver: call.env.driver,
    depth: call.env.depth + 1,
    call: callFunction,
  };
  for (const [i, parameter] of declared.parameters.entries())
    frame.locals.set(parameter.name, argumentOf(parameter, call.args.slice(i), scope));
  if (declared.receiver !== undefined && call.receiver !== undefined)
    frame.locals.set(declared.receiver.name, call.receiver.value);
  for (const [i, name] of resultNames.entries())
    frame.locals.set(name, zeroOf(resolveType(declared.results[i]!, scope)));
  const outcome = runStatements(childrenOf(body.block), frame);
  return Array.isArray(outcome) ? (outcome as readonly Value[]) : undefined;
}

/** A function that is being evaluated. Its syntax nodes refer to this text. */
interface Frame extends Env {
  readonly text: string;
  /** The variables that `return` without values returns. */
  readonly resultNames: readonly string[];
  /** In a block: what the names that it declares mean outside. */
  readonly hidden?: Map<string, Value | undefined>;
}

function textOf(node: SyntaxNode, frame: Frame): string {
  return frame.text.slice(node.from, node.to);
}

function valueOf(node: SyntaxNode, frame: Frame): Value {
  return evaluate(parseExpression(textOf(node, frame)), frame);
}

function valuesOf(node: SyntaxNode, frame: Frame): readonly Value[] {
  return evaluateAll(parseExpression(textOf(node, frame)), frame);
}

/**
 * The returned values; `undetermined` if the source does not determine which branch runs; `break` or `fallthrough` for the
 * end of a case; undefined to continue.
 */
type Outcome = readonly Value[] | 'undetermined' | 'break' | 'fallthrough' | undefined;

function runStatements(nodes: readonly SyntaxNode[], frame: Frame): Outcome {
  for (const node of nodes) {
    const outcome = runStatement(node, frame);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

function runStatement(node: SyntaxNode, frame: Frame): Outcome {
  switch (node.name) {
    case 'ReturnStatement':
      return returnedValues(node, frame);
    case 'Block':
      return inBlock(frame, (inner) => runStatements(childrenOf(node), inner));
    case 'IfStatement':
      return inBlock(frame, (inner) => runIf(node, inner));
    case 'SwitchStatement':
      return inBlock(frame, (inner) => runSwitch(node, inner));
    case 'VarDecl':
    case 'ConstDecl':
      return declareLocals(node, frame);
    case 'Assignment':
      return assign(node, frame);
    case 'IncDecStatement':
      return incrementOrDecrement(node, frame);
    case 'ExprStatement':
      valueOf(node, frame);
      markCollectionsUnknown(frame, textOf(node, frame));
      return undefined;
    case 'ForStatement':
      return outcomeOfUnknownBranch([node], frame);
    case 'FallthroughStatement':
      return 'fallthrough';
    case 'GotoStatement':
      return textOf(node, frame) === 'break' ? 'break' : 'undetermined';
    case 'TypeSwitchStatement':
    case 'SelectStatement':
    case 'LabeledStatement':
      return 'undetermined';
    default:
      return undefined;
  }
}

/** The variables that a block declares end with it. */
function inBlock(frame: Frame, run: (inner: Frame) => Outcome): Outcome {
  const hidden = new Map<string, Value | undefined>();
  const outcome = run({ ...frame, hidden });
  for (const [name, value] of hidden) {
    if (value === undefined) frame.locals.delete(name);
    else frame.locals.set(name, value);
  }
  return outcome;
}

function declare(name: string, value: Value, frame: Frame): void {
  const { locals, hidden } = frame;
  if (hidden?.has(name) === false) hidden.set(name, locals.get(name));
  locals.set(name, value);
}

function returnedValues(node: SyntaxNode, frame: Frame): readonly Value[] {
  const values = childrenOf(node).filter(({ name }) => !/^(?:return|,|;)$/.test(name));
  if (values.length > 0) return values.flatMap((value) => valuesOf(value, frame));
  return frame.resultNames.map((name) => frame.locals.get(name) ?? unknown);
}

const punctuation = /^(?:if|else|switch|;|\{|\}|,|:|:=|=|var|const|case|default|\(|\))$/;

function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  return childrenOf(node).filter(({ name }) => !punctuation.test(name));
}

function runIf(node: SyntaxNode, frame: Frame): Outcome {
  const parts = partsOf(node);
  const thenIndex = parts.findIndex(({ name }) => name === 'Block');
  const condition = parts[thenIndex - 1];
  if (condition === undefined) return 'undetermined';
  const before = runStatements(parts.slice(0, thenIndex - 1), frame);
  if (before !== undefined) return before;
  const value = valueOf(condition, frame);
  if (value.kind !== 'constant') {
    const branches = parts.slice(thenIndex);
    const endsCase = branches.some((one) => /\b(?:break|fallthrough)\b/.test(textOf(one, frame)));
    return endsCase ? 'undetermined' : outcomeOfUnknownBranch(branches, frame);
  }
  const selectedBranch = value.value === true ? parts[thenIndex] : parts[thenIndex + 1];
  return selectedBranch === undefined ? undefined : runStatement(selectedBranch, frame);
}

/** Without a return, an undetermined branch only makes the variables unknown that it assigns. */
function outcomeOfUnknownBranch(branches: readonly SyntaxNode[], frame: Frame): Outcome {
  const texts = branches.map((branch) => textOf(branch, frame));
  if (texts.some((text) => /\b(?:return|goto)\b/.test(text))) return 'undetermined';
  for (const text of texts) markAssignedUnknown(text, frame);
  return undefined;
}

function runSwitch(node: SyntaxNode, frame: Frame): Outcome {
  const parts = partsOf(node);
  const block = parts.findIndex(({ name }) => name === 'SwitchBlock');
  const before = runStatements(parts.slice(0, Math.max(0, block - 1)), frame);
  if (before !== undefined) return before;
  const subject = block > 0 ? valueOf(parts[block - 1]!, frame) : constant(true);
  const cases = casesOf(parts[block]!);
  if (subject.kind === 'unknown' || subject.kind === 'typed')
    return outcomeOfUnknownBranch([parts[block]!], frame);
  const selectedBranch = matchCase(cases, subject, frame);
  if (selectedBranch === 'undetermined') return selectedBranch;
  for (
    let i = selectedBranch === undefined ? cases.length : cases.indexOf(selectedBranch);
    i < cases.length;
    i++
  ) {
    const outcome = inBlock(frame, (inner) => runStatements(cases[i]!.statements, inner));
    if (outcome !== 'fallthrough') return outcome === 'break' ? undefined : outcome;
  }
  return undefined;
}

interface Case {
  readonly head: SyntaxNode;
  readonly statements: readonly SyntaxNode[];
}

function casesOf(block: SyntaxNode): readonly Case[] {
  const cases: { head: SyntaxNode; statements: SyntaxNode[] }[] = [];
  for (const node of childrenOf(block)) {
    if (node.name === 'Case') cases.push({ head: node, statements: [] });
    else cases.at(-1)?.statements.push(node);
  }
  return cases;
}

function matchCase(
  cases: readonly Case[],
  subject: Value,
  frame: Frame,
): Case | 'undetermined' | undefined {
  for (const one of cases) {
    for (const value of partsOf(one.head)) {
      const found = valueOf(value, frame);
      if (found.kind !== 'constant' || subject.kind !== 'constant') return 'undetermined';
      if (found.value === subject.value) return one;
    }
  }
  return cases.find(({ head }) => head.firstChild?.name === 'default');
}

function declareLocals(node: SyntaxNode, frame: Frame): Outcome {
  const list = node.getChild('SpecList') ?? node;
  const specs = [node, ...list.getChildren('VarSpec'), ...list.getChildren('ConstSpec')];
  for (const spec of specs) declareSpec(spec, frame);
  return undefined;
}

function declareSpec(spec: SyntaxNode, frame: Frame): void {
  const names = childrenOf(spec).filter(
    ({ name }) => name === 'DefName' || name === 'VariableName',
  );
  const operatorIndex = childrenOf(spec).findIndex(({ name }) => name === ':=' || name === '=');
  const left =
    operatorIndex === -1
      ? names
      : names.filter(({ from }) => from < childrenOf(spec)[operatorIndex]!.from);
  const right =
    operatorIndex === -1
      ? []
      : childrenOf(spec)
          .slice(operatorIndex + 1)
          .filter(({ name }) => !punctuation.test(name));
  const values = assignedValues(right, left.length, frame);
  const typeNode = (
    operatorIndex === -1 ? childrenOf(spec) : childrenOf(spec).slice(0, operatorIndex)
  ).find(({ name }) => /Type$|^TypeName$/.test(name));
  const type =
    typeNode === undefined ? undefined : resolveType(readType(typeNode, frame.text), frame.scope);
  const initial = type === undefined || operatorIndex !== -1 ? unknown : zeroOf(type);
  const isConstant = spec.name === 'ConstSpec' || spec.name === 'ConstDecl';
  for (const [i, name] of left.entries()) {
    const value = values[i] ?? initial;
    const isPlain = value.kind === 'constant' || value.kind === 'nil';
    const typed = type !== undefined && isPlain ? convert(value, type) : value;
    declare(textOf(name, frame), isConstant ? typed : variableOf(typed), frame);
  }
}

/** The values for a number of variables: `value, ok = map[key]` has two of one expression. */
function assignedValues(
  right: readonly SyntaxNode[],
  count: number,
  frame: Frame,
): readonly Value[] {
  const [first] = right;
  if (first !== undefined && right.length === 1 && count === 2) {
    const expression = parseExpression(textOf(first, frame));
    if (expression.form === 'index') return evaluateElement(expression, frame);
  }
  return right.flatMap((value) => valuesOf(value, frame));
}

/** `name++`, `name--` */
function incrementOrDecrement(node: SyntaxNode, frame: Frame): Outcome {
  const [variable, operator] = childrenOf(node);
  const name = textOf(variable!, frame);
  const value = constant(1n);
  const update = { operator: textOf(operator!, frame).slice(1), value, frame };
  if (frame.locals.has(name)) frame.locals.set(name, applyUpdate(name, update));
  else markAsModified(name, frame);
  return undefined;
}

/** `name = value`, `name += value`. Other assignments are not tracked. */
function assign(node: SyntaxNode, frame: Frame): Outcome {
  const parts = childrenOf(node);
  const operatorIndex = parts.findIndex(({ name }) => name === '=' || name === 'UpdateOp');
  const operator = operatorIndex === -1 ? '' : textOf(parts[operatorIndex]!, frame).slice(0, -1);
  const names = parts.slice(0, operatorIndex).filter(({ name }) => name !== ',');
  const right = parts.slice(operatorIndex + 1).filter(({ name }) => name !== ',');
  const values = assignedValues(right, names.length, frame);
  for (const [i, name] of names.entries()) {
    const assigned = textOf(name, frame);
    const value = values[i] ?? unknown;
    if (name.name !== 'VariableName') markAsModified(assigned, frame);
    else {
      const updated =
        operator === ''
          ? assignTo(frame.locals.get(assigned), value)
          : applyUpdate(assigned, { operator, value, frame });
      frame.locals.set(assigned, updated);
    }
  }
  return undefined;
}

interface Update {
  readonly operator: string;
  readonly value: Value;
  readonly frame: Frame;
}

function applyUpdate(name: string, { operator, value, frame }: Update): Value {
  const old = frame.locals.get(name);
  return old === undefined ? unknown : calculate(operator, old, value);
}
