/**
 * Reads an expression of any dialect, as far as all dialects have such: what is read means the same
 * to each. An expression with more in it is not read at all.
 */
import { codeOf } from '../code.ts';
import { parseType } from './parse-type.ts';
import { Beyond, accept, expect, take, word } from './parser.ts';
import { readName, readString } from './read-literal.ts';
import type { CodeToken } from '../code.ts';
import type { Parser } from './parser.ts';
import type { ExpressionSyntax } from './syntax.ts';
import type { BinaryOperator, CaseBranch, Expression } from './tree.ts';

export function parseExpression(text: string, syntax: ExpressionSyntax): Expression | undefined {
  const code = codeOf(text, syntax.lexical);
  const parser: Parser = { text, syntax, code, at: 0, depth: 0 };
  try {
    const expression = parse(parser, 0);
    return parser.at === code.length ? expression : undefined;
  } catch (error) {
    if (error instanceof Beyond) return undefined;
    throw error;
  }
}

const deepest = 200;

/** What stands before an operator binds to it when the operator's strength is at least `strength`. */
function parse(parser: Parser, strength: number): Expression {
  parser.depth += 1;
  if (parser.depth > deepest) throw new Beyond();
  let left = parsePrefix(parser);
  for (;;) {
    const next = parseInfix(parser, left, strength);
    if (next === undefined) break;
    left = next;
  }
  parser.depth -= 1;
  return left;
}

/** The moment that it is now is the same in every zone; of other moments only the database knows. */
function parseTimeZone(parser: Parser, left: Expression): Expression {
  parser.at += 3; // AT TIME ZONE
  const zone = parse(parser, strengths.sign);
  const moment = withoutCasts(left);
  if (zone.kind !== 'text' && zone.kind !== 'cast') throw new Beyond();
  if (moment.kind !== 'call' || moment.name !== 'now') throw new Beyond();
  return moment;
}

function withoutCasts(expression: Expression): Expression {
  return expression.kind === 'cast' ? withoutCasts(expression.operand) : expression;
}

// Strengths, from weakest

const strengths = { or: 1, and: 2, not: 3, comparison: 4, concat: 5, sum: 6, product: 7, sign: 8 };

const operators: Readonly<Record<string, readonly [BinaryOperator, number]>> = {
  OR: ['or', strengths.or],
  AND: ['and', strengths.and],
  '=': ['=', strengths.comparison],
  '<>': ['<>', strengths.comparison],
  '!=': ['<>', strengths.comparison],
  '<': ['<', strengths.comparison],
  '<=': ['<=', strengths.comparison],
  '>': ['>', strengths.comparison],
  '>=': ['>=', strengths.comparison],
  LIKE: ['like', strengths.comparison],
  '~~': ['like', strengths.comparison],
  '!~~': ['not like', strengths.comparison],
  '+': ['+', strengths.sum],
  '-': ['-', strengths.sum],
  '*': ['*', strengths.product],
  '/': ['/', strengths.product],
  '%': ['%', strengths.product],
};

/** What follows `left`; undefined where nothing does that binds strongly enough. */
function parseInfix(parser: Parser, left: Expression, strength: number): Expression | undefined {
  if (word(parser) === '::') return parseCastSuffix(parser, left);
  if (word(parser) === 'AT' && word(parser, 1) === 'TIME') return parseTimeZone(parser, left);
  if (strength <= strengths.comparison && isPredicate(parser)) return parsePredicate(parser, left);
  const symbol = operatorAt(parser);
  const [operator, own] = operatorOf(symbol.text, parser.syntax) ?? [];
  if (operator === undefined || own === undefined || own < strength) return undefined;
  parser.at += symbol.tokens;
  if (own === strengths.comparison && isAny(parser)) return parseAny(parser, left, operator);
  return { kind: 'binary', operator, left, right: parse(parser, own + 1) };
}

function operatorOf(
  symbol: string,
  { pipes }: ExpressionSyntax,
): readonly [BinaryOperator, number] | undefined {
  if (symbol === '||' && pipes === 'or') return ['or', strengths.or];
  if (symbol === '||') return pipes === 'concat' ? ['concat', strengths.concat] : undefined;
  return Object.hasOwn(operators, symbol) ? operators[symbol] : undefined;
}

/** Signs that touch are one operator: `~~`, `->>`, `@>`. */
function operatorAt({ code, at }: Parser): { readonly text: string; readonly tokens: number } {
  let text = code[at]?.word ?? '';
  let tokens = 1;
  if (code[at]?.kind !== 'operator') return { text, tokens };
  const minusAlone = (next: CodeToken): boolean => next.word === '-' || next.word === '+';
  for (;;) {
    const last = code[at + tokens - 1];
    const next = code[at + tokens];
    if (next?.kind !== 'operator' || next.start !== last?.end || minusAlone(next)) break;
    text += next.word;
    tokens += 1;
  }
  return { text, tokens };
}

// IS, IN, BETWEEN, NOT before them, = ANY (ARRAY[…])

function isPredicate(parser: Parser): boolean {
  const first = word(parser);
  return (
    ['IS', 'ISNULL', 'NOTNULL', 'IN', 'BETWEEN'].includes(first) ||
    (first === 'NOT' && ['IN', 'BETWEEN', 'LIKE'].includes(word(parser, 1)))
  );
}

function parsePredicate(parser: Parser, operand: Expression): Expression {
  const not = accept(parser, 'NOT');
  const verb = take(parser).word;
  switch (verb) {
    case 'ISNULL':
    case 'NOTNULL':
      return { kind: 'isNull', operand, not: verb === 'NOTNULL' };
    case 'IS':
      return parseIs(parser, operand);
    case 'IN':
      return { kind: 'in', operand, list: parseList(parser), not };
    case 'LIKE':
      return parseNotLike(parser, operand);
    default:
      return parseBetween(parser, operand, not);
  }
}

function parseNotLike(parser: Parser, left: Expression): Expression {
  const right = parse(parser, strengths.comparison + 1);
  return { kind: 'binary', operator: 'not like', left, right };
}

function parseIs(parser: Parser, operand: Expression): Expression {
  const not = accept(parser, 'NOT');
  const value = take(parser).word;
  if (value === 'NULL') return { kind: 'isNull', operand, not };
  if (value !== 'TRUE' && value !== 'FALSE') throw new Beyond();
  // NULL is neither, which no comparison says.
  const known: Expression = { kind: 'isNull', operand, not: true };
  const equal: Expression = {
    kind: 'binary',
    operator: '=',
    left: operand,
    right: { kind: 'boolean', value: value === 'TRUE' },
  };
  const is: Expression = { kind: 'binary', operator: 'and', left: known, right: equal };
  return not ? { kind: 'unary', operator: 'not', operand: is } : is;
}

function parseBetween(parser: Parser, operand: Expression, not: boolean): Expression {
  const low = parse(parser, strengths.comparison + 1);
  expect(parser, 'AND');
  const high = parse(parser, strengths.comparison + 1);
  return { kind: 'between', operand, low, high, not };
}

function isAny(parser: Parser): boolean {
  return word(parser) === 'ANY' || word(parser) === 'ALL';
}

/** `= ANY (ARRAY[…])` is IN, `<> ALL (ARRAY[…])` is NOT IN. */
function parseAny(parser: Parser, operand: Expression, operator: BinaryOperator): Expression {
  const quantifier = take(parser).word;
  expect(parser, '(');
  const array = withoutCasts(parse(parser, 0));
  expect(parser, ')');
  const isIn = quantifier === 'ANY' && operator === '=';
  if (array.kind !== 'array' || (!isIn && !(quantifier === 'ALL' && operator === '<>')))
    throw new Beyond();
  return { kind: 'in', operand, list: array.items, not: !isIn };
}

// What an operand begins with

function parsePrefix(parser: Parser): Expression {
  const token = take(parser);
  switch (token.kind) {
    case 'number':
      return parseNumber(parser.text.slice(token.start, token.end));
    case 'string':
      return parseString(parser, token);
    case 'quoted-name':
      return parseNamed(parser, token);
    case 'word':
      return parseWord(parser, token);
    default:
      return parseSign(parser, token);
  }
}

function parseNumber(text: string): Expression {
  return /^0x/i.test(text) ? { kind: 'bytes', hex: text.slice(2) } : { kind: 'number', text };
}

function parseString({ text, syntax }: Parser, { start, end }: CodeToken): Expression {
  const literal = readString(text.slice(start, end), syntax.lexical);
  if (literal === undefined) throw new Beyond();
  return literal;
}

function parseSign(parser: Parser, { word: sign }: CodeToken): Expression {
  if (sign === '(') {
    const inner = parse(parser, 0);
    expect(parser, ')');
    return inner;
  }
  if (sign !== '-' && sign !== '+') throw new Beyond();
  const operand = parse(parser, strengths.sign);
  return operand.kind === 'number' && sign === '-'
    ? { kind: 'number', text: `-${operand.text}` }
    : { kind: 'unary', operator: sign, operand };
}

const words: Readonly<Record<string, (parser: Parser) => Expression>> = {
  NULL: () => ({ kind: 'null' }),
  TRUE: () => ({ kind: 'boolean', value: true }),
  FALSE: () => ({ kind: 'boolean', value: false }),
  NOT: (parser) => ({ kind: 'unary', operator: 'not', operand: parse(parser, strengths.not) }),
  CASE: parseCase,
  CAST: parseCast,
  CONVERT: parseConvert,
  ARRAY: parseArray,
};

/** Words that are no names wherever an operand is looked for. */
const reserved: ReadonlySet<string> = new Set(
  'SELECT EXISTS INTERVAL AND OR WHEN THEN ELSE END AS FROM WHERE ROW'.split(' '),
);

function parseWord(parser: Parser, token: CodeToken): Expression {
  const { syntax } = parser;
  if (Object.hasOwn(words, token.word)) return words[token.word]!(parser);
  if (reserved.has(token.word)) throw new Beyond();
  // MySQL's character set before a string: _utf8mb4'x'.
  if (token.word.startsWith('_') && parser.code[parser.at]?.kind === 'string')
    return parsePrefix(parser);
  if (Object.hasOwn(syntax.constants, token.word)) {
    if (word(parser) === '(') parseList(parser);
    return { kind: 'call', name: syntax.constants[token.word]!, args: [] };
  }
  // A literal told by its type: DATE '2020-01-01'.
  if (/^(?:DATE|TIME|TIMESTAMP|N)$/.test(token.word) && parser.code[parser.at]?.kind === 'string')
    return parsePrefix(parser);
  return parseNamed(parser, token);
}

/** A column, of which only the last part of its name counts, or a call. */
function parseNamed(parser: Parser, first: CodeToken): Expression {
  let token = first;
  while (word(parser) === '.') {
    parser.at += 1;
    token = take(parser);
  }
  const { text, syntax } = parser;
  const name = readName(text.slice(token.start, token.end), syntax.lexical);
  if (word(parser) !== '(') return { kind: 'column', name };
  const key = name.toLowerCase();
  if (!Object.hasOwn(syntax.functions, key)) throw new Beyond();
  return { kind: 'call', name: syntax.functions[key]!, args: parseList(parser) };
}

function parseList(parser: Parser): readonly Expression[] {
  expect(parser, '(');
  const items: Expression[] = [];
  while (word(parser) !== ')') {
    if (items.length > 0) expect(parser, ',');
    items.push(parse(parser, 0));
  }
  expect(parser, ')');
  return items;
}

function parseCase(parser: Parser): Expression {
  const subject = word(parser) === 'WHEN' ? undefined : parse(parser, 0);
  const branches: CaseBranch[] = [];
  while (accept(parser, 'WHEN')) {
    const when = parse(parser, 0);
    expect(parser, 'THEN');
    branches.push({ when, result: parse(parser, 0) });
  }
  const otherwise = accept(parser, 'ELSE') ? parse(parser, 0) : undefined;
  expect(parser, 'END');
  return {
    kind: 'case',
    branches,
    ...(subject === undefined ? {} : { subject }),
    ...(otherwise === undefined ? {} : { otherwise }),
  };
}

/** `ARRAY[a, b]` */
function parseArray(parser: Parser): Expression {
  expect(parser, '[');
  const items: Expression[] = [];
  while (word(parser) !== ']') {
    if (items.length > 0) expect(parser, ',');
    items.push(parse(parser, 0));
  }
  expect(parser, ']');
  return { kind: 'array', items };
}

// Casts

function parseCast(parser: Parser): Expression {
  expect(parser, '(');
  const operand = parse(parser, 0);
  expect(parser, 'AS');
  const type = parseType(parser);
  expect(parser, ')');
  return { kind: 'cast', operand, type };
}

/** T-SQL's `CONVERT(type, value)`; MySQL's has its value first and a character set behind. */
function parseConvert(parser: Parser): Expression {
  expect(parser, '(');
  const type = parseType(parser);
  expect(parser, ',');
  const operand = parse(parser, 0);
  expect(parser, ')');
  return { kind: 'cast', operand, type };
}

function parseCastSuffix(parser: Parser, operand: Expression): Expression {
  parser.at += 1;
  return { kind: 'cast', operand, type: parseType(parser) };
}
