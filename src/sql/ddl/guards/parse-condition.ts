/**
 * Parses the conditions of a script into functions that evaluate them. Unsupported syntax throws
 * `DdlError`, and the caller treats the condition as undetermined.
 */
import {
  accept,
  acceptOne,
  expect,
  isNext,
  parseQualifiedName,
  parseName,
  skipTo,
  textBetween,
  unexpected,
  wordAt,
} from '../cursor.ts';
import { readString } from '../../expression/read-literal.ts';
import { aggregate, aggregates, castTo } from './functions.ts';
import { findColumn } from './scope.ts';
import {
  add,
  and,
  compare,
  compareIds,
  isNull,
  like,
  not,
  or,
  truthOf,
  undetermined,
} from './value.ts';
import type { Cursor } from '../cursor.ts';
import type { Evaluate, GuardRules, Scope } from './scope.ts';
import type { Operands, Truth, Value } from './value.ts';

/** A query within a condition. */
export interface Subquery {
  exists(scope: Scope | undefined): Truth;
  /** The value of its only row and column. */
  value(scope: Scope | undefined): Value;
  /** The values of its first column; undefined if they are undetermined. */
  values(scope: Scope | undefined): readonly Value[] | undefined;
}

export interface GuardParser {
  readonly cursor: Cursor;
  readonly rules: GuardRules;
  /** Parses SELECT up to the closing parenthesis. */
  readonly parseSubquery: (parser: GuardParser) => Subquery;
  /** Whether the select list that is being parsed has aggregates. */
  hasAggregates: boolean;
  depth: number;
}

const maxDepth = 60;

export function parseCondition(parser: GuardParser): Evaluate {
  parser.depth += 1;
  if (parser.depth > maxDepth) throw unexpected(parser.cursor, 'fewer parentheses');
  let left = parseConjunction(parser);
  while (accept(parser.cursor, 'OR')) {
    const [one, other] = [left, parseConjunction(parser)];
    left = (scope) => or(one(scope), other(scope));
  }
  parser.depth -= 1;
  return left;
}

function parseConjunction(parser: GuardParser): Evaluate {
  let left = parseNegation(parser);
  while (accept(parser.cursor, 'AND')) {
    const [one, other] = [left, parseNegation(parser)];
    left = (scope) => {
      const value = one(scope);
      return truthOf(value) === false ? false : and(value, other(scope));
    };
  }
  return left;
}

function parseNegation(parser: GuardParser): Evaluate {
  let count = 0;
  while (acceptOne(parser.cursor, ['NOT', '!']) !== undefined) count += 1;
  const operand = parsePredicate(parser);
  if (count === 0) return operand;
  return count % 2 === 1 ? (scope) => not(operand(scope)) : (scope) => not(not(operand(scope)));
}

function parsePredicate(parser: GuardParser): Evaluate {
  const { cursor, rules } = parser;
  let left = parseSum(parser);
  for (;;) {
    const operator = acceptComparison(cursor);
    if (operator !== undefined) left = comparison([left, parseSum(parser)], operator, rules);
    else if (accept(cursor, 'IS')) left = parseIs(parser, left);
    else {
      const isNegated =
        ['IN', 'LIKE', 'ILIKE', 'BETWEEN'].includes(wordAt(cursor, 1)) && accept(cursor, 'NOT');
      const next = parseWordPredicate(parser, left);
      if (next === undefined) return left;
      left = isNegated ? (scope) => not(next(scope)) : next;
    }
  }
}

function acceptComparison(cursor: Cursor): string | undefined {
  const first = wordAt(cursor);
  if (!['=', '<', '>', '!', '<>', '<=', '>=', '!=', '!<', '!>'].includes(first)) return undefined;
  cursor.at += 1;
  const isPair =
    first.length === 1 && cursor.code[cursor.at]?.start === cursor.code[cursor.at - 1]?.end;
  const second = isPair && first !== '=' ? acceptOne(cursor, ['=', '>', '<']) : undefined;
  const operator = `${first}${second ?? ''}`;
  return { '!=': '<>', '!<': '>=', '!>': '<=' }[operator] ?? operator;
}

function comparison(
  [left, right]: readonly [Evaluate, Evaluate],
  operator: string,
  rules: GuardRules,
): Evaluate {
  return (scope) => {
    const operands: Operands = [left(scope), right(scope)];
    return compareIds(operands, operator) ?? compare(operands, operator, rules);
  };
}

function parseIs({ cursor }: GuardParser, left: Evaluate): Evaluate {
  const isNegated = accept(cursor, 'NOT');
  const expected = acceptOne(cursor, ['NULL', 'TRUE', 'FALSE']);
  if (expected === undefined) throw unexpected(cursor, 'NULL');
  const test = (value: Value): Truth => {
    if (expected === 'NULL') return isNull(value);
    const truth = truthOf(value);
    return truth === undetermined ? truth : truth === (expected === 'TRUE');
  };
  return isNegated ? (scope) => not(test(left(scope))) : (scope) => test(left(scope));
}

/** IN, LIKE, BETWEEN */
function parseWordPredicate(parser: GuardParser, left: Evaluate): Evaluate | undefined {
  const { cursor, rules } = parser;
  if (accept(cursor, 'IN')) return parseIn(parser, left);
  const likeWord = acceptOne(cursor, ['LIKE', 'ILIKE']);
  if (likeWord !== undefined) {
    const pattern = parseSum(parser);
    const escape = accept(cursor, 'ESCAPE') ? parseSum(parser) : (): Value => null;
    const text = likeWord === 'ILIKE' ? { ignoresCase: true } : rules;
    const { hasSets } = rules;
    return (scope) =>
      like(left(scope), { pattern: pattern(scope), escape: escape(scope), hasSets }, text);
  }
  if (!accept(cursor, 'BETWEEN')) return undefined;
  const low = parseSum(parser);
  expect(cursor, 'AND');
  const high = parseSum(parser);
  const [from, to] = [comparison([left, low], '>=', rules), comparison([left, high], '<=', rules)];
  return (scope) => and(from(scope), to(scope));
}

function parseIn(parser: GuardParser, left: Evaluate): Evaluate {
  const { cursor, rules } = parser;
  const isIn = (value: Value, list: readonly Value[]): Truth =>
    list.reduce<Truth>((found, each) => or(found, compare([value, each], '=', rules)), false);
  expect(cursor, '(');
  if (wordAt(cursor) === 'SELECT') {
    const query = parser.parseSubquery(parser);
    expect(cursor, ')');
    return (scope) => {
      const values = query.values(scope);
      return values === undefined ? undetermined : isIn(left(scope), values);
    };
  }
  const list = [parseSum(parser)];
  while (accept(cursor, ',')) list.push(parseSum(parser));
  expect(cursor, ')');
  return (scope) =>
    isIn(
      left(scope),
      list.map((each) => each(scope)),
    );
}

/** Operands that `+`, `-` and `||` join. */
function parseSum(parser: GuardParser): Evaluate {
  const { cursor } = parser;
  let left = parseOperand(parser);
  for (;;) {
    if (acceptOne(cursor, ['*', '/', '%', '&', '|', '^']) !== undefined) {
      parseOperand(parser);
      left = () => undetermined;
      continue;
    }
    const sign = acceptOne(cursor, ['+', '-', '||']);
    if (sign === undefined) return left;
    const [one, other] = [left, parseOperand(parser)];
    left =
      sign === '-'
        ? (scope) => {
            const subtracted = other(scope);
            return typeof subtracted === 'number' ? add(one(scope), -subtracted) : undetermined;
          }
        : (scope) => add(one(scope), other(scope));
  }
}

function parseOperand(parser: GuardParser): Evaluate {
  const { cursor, rules } = parser;
  let operand = parsePrimary(parser);
  for (;;)
    if (accept(cursor, 'COLLATE')) parseQualifiedName(cursor, 'a collation');
    else if (accept(cursor, '::')) {
      const [name = ''] = parseQualifiedName(cursor, 'a type').slice(-1);
      if (wordAt(cursor) === '(') skipGroup(cursor);
      operand = /^regclass$/i.test(name) ? classOf(operand, rules) : castTo(name, operand);
    } else return operand;
}

/** PostgreSQL: `'orders'::regclass` */
function classOf(name: Evaluate, rules: GuardRules): Evaluate {
  return (scope) => rules.call('TO_REGCLASS', [name(scope)]);
}

function skipGroup(cursor: Cursor): void {
  expect(cursor, '(');
  skipTo(cursor, [')']);
  expect(cursor, ')');
}

function parsePrimary(parser: GuardParser): Evaluate {
  const { cursor, rules } = parser;
  const token = cursor.code[cursor.at];
  if (wordAt(cursor) === '(') return parseParenthesized(parser);
  if (accept(cursor, 'EXISTS')) {
    expect(cursor, '(');
    const query = parser.parseSubquery(parser);
    expect(cursor, ')');
    return (scope) => query.exists(scope);
  }
  if (accept(cursor, '-')) {
    const operand = parsePrimary(parser);
    return (scope) => {
      const value = operand(scope);
      return typeof value === 'number' ? -value : undetermined;
    };
  }
  if (token?.kind === 'variable') {
    cursor.at += 1;
    const name = textBetween(cursor, cursor.at - 1, cursor.at).toLowerCase();
    return () => rules.variable(name);
  }
  const constant = acceptConstant(cursor);
  if (constant !== undefined) return () => constant;
  if (accept(cursor, 'CASE')) return parseCase(parser);
  if (token?.kind !== 'word' && token?.kind !== 'quoted-name') throw unexpected(cursor, 'a value');
  return parseNamed(parser);
}

function acceptConstant(cursor: Cursor): Value | undefined {
  const token = cursor.code[cursor.at];
  if (token === undefined) return undefined;
  const text = cursor.text.slice(token.start, token.end);
  if (token.kind === 'string') {
    cursor.at += 1;
    const literal = readString(text, cursor.lexical);
    return literal?.kind === 'text' ? literal.value : undetermined;
  }
  if (token.kind === 'number') {
    cursor.at += 1;
    return /^\d{1,15}$/.test(text) ? Number(text) : undetermined;
  }
  if (accept(cursor, 'NULL')) return null;
  if (accept(cursor, 'TRUE')) return true;
  return accept(cursor, 'FALSE') ? false : undefined;
}

function parseParenthesized(parser: GuardParser): Evaluate {
  const { cursor } = parser;
  expect(cursor, '(');
  if (wordAt(cursor) === 'SELECT') {
    const query = parser.parseSubquery(parser);
    expect(cursor, ')');
    return (scope) => query.value(scope);
  }
  const inner = parseCondition(parser);
  expect(cursor, ')');
  return inner;
}

function parseCase(parser: GuardParser): Evaluate {
  const { cursor, rules } = parser;
  const subject = wordAt(cursor) === 'WHEN' ? undefined : parseSum(parser);
  const branches: (readonly [Evaluate, Evaluate])[] = [];
  while (accept(cursor, 'WHEN')) {
    const when =
      subject === undefined
        ? parseCondition(parser)
        : comparison([subject, parseSum(parser)], '=', rules);
    expect(cursor, 'THEN');
    branches.push([when, parseCondition(parser)]);
  }
  const otherwise = accept(cursor, 'ELSE') ? parseCondition(parser) : (): Value => null;
  expect(cursor, 'END');
  return (scope) => {
    for (const [when, value] of branches) {
      const truth = truthOf(when(scope));
      if (truth === undetermined) return undetermined;
      if (truth === true) return value(scope);
    }
    return otherwise(scope);
  };
}

/** A column, a call or a word of the dialect. */
function parseNamed(parser: GuardParser): Evaluate {
  const { cursor, rules } = parser;
  const parts = parseQualifiedName(cursor, 'a name');
  const [name = ''] = parts.slice(-1);
  if (wordAt(cursor) === '(') return parseCall(parser, parts.length > 2 ? parts.join('.') : name);
  const column = name.toLowerCase();
  const source = parts.at(-2)?.toLowerCase();
  return (scope) => {
    const found = findColumn(scope, column, source);
    return found === undefined ? (rules.word?.(name) ?? undetermined) : found;
  };
}

function parseCall(parser: GuardParser, writtenName: string): Evaluate {
  const { cursor, rules } = parser;
  const name = writtenName.toUpperCase();
  if (aggregates.has(name)) return parseAggregate(parser, name);
  expect(cursor, '(');
  if (name === 'CAST' || name === 'TRY_CAST') {
    const operand = parseCondition(parser);
    expect(cursor, 'AS');
    const type = parseName(cursor, 'a type');
    skipTo(cursor, [')']);
    expect(cursor, ')');
    return castTo(type, operand);
  }
  if (name === 'CONVERT' && cursor.code[cursor.at]?.kind === 'word' && isTypeNext(cursor)) {
    const type = parseName(cursor, 'a type');
    if (wordAt(cursor) === '(') skipGroup(cursor);
    expect(cursor, ',');
    const operand = parseCondition(parser);
    skipTo(cursor, [')']);
    expect(cursor, ')');
    return castTo(type, operand);
  }
  const args: Evaluate[] = [];
  if (wordAt(cursor) !== ')') {
    args.push(parseCondition(parser));
    while (accept(cursor, ',')) args.push(parseCondition(parser));
  }
  expect(cursor, ')');
  return (scope) =>
    rules.call(
      name,
      args.map((each) => each(scope)),
    );
}

function isTypeNext(cursor: Cursor): boolean {
  return ['(', ','].includes(wordAt(cursor, 1));
}

/** COUNT(*) and functions of a value. Without rows, all but counts are NULL. */
function parseAggregate(parser: GuardParser, name: string): Evaluate {
  const { cursor } = parser;
  parser.hasAggregates = true;
  expect(cursor, '(');
  const isOfRows = accept(cursor, '*');
  if (isNext(cursor, 'DISTINCT')) throw unexpected(cursor, 'a value');
  const counted = isOfRows ? (): Value => 1 : parseCondition(parser);
  skipTo(cursor, [')']);
  expect(cursor, ')');
  return (scope) => {
    const { group = undetermined } = scope ?? {};
    if (group === undetermined) return undetermined;
    return aggregate(
      name,
      group.map((each) => counted(each)),
    );
  };
}
