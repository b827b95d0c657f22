/**
 * Parses expressions of any dialect, limited to constructs that mean the same in all of them. An
 * expression with any other construct is not parsed at all.
 */
import { codeOf } from '../../portable/lexer/code.ts';
import { parseType } from './parse-type.ts';
import { UnsupportedExpression, accept, expect, consumeToken, wordAt } from './parser.ts';
import { readName, readString } from './read-literal.ts';
import type { CodeToken } from '../../portable/lexer/code.ts';
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
    if (error instanceof UnsupportedExpression) return undefined;
    throw error;
  }
}

const maxDepth = 200;

/** Precedence climbing: parses operators whose precedence is at least `minimum`. */
function parse(parser: Parser, minimum: number): Expression {
  parser.depth += 1;
  if (parser.depth > maxDepth) throw new UnsupportedExpression();
  let left = parsePrefix(parser);
  for (;;) {
    const next = parseInfix(parser, left, minimum);
    if (next === undefined) break;
    left = next;
  }
  parser.depth -= 1;
  return left;
}

/** The current time is the same instant in every zone; other values can only be converted by the database. */
function parseTimeZone(parser: Parser, left: Expression): Expression {
  parser.at += 3; // AT TIME ZONE
  const zone = parse(parser, precedence.sign);
  const instant = withoutCasts(left);
  if (zone.kind !== 'text' && zone.kind !== 'cast') throw new UnsupportedExpression();
  if (instant.kind !== 'call' || instant.name !== 'now') throw new UnsupportedExpression();
  return instant;
}

function withoutCasts(expression: Expression): Expression {
  return expression.kind === 'cast' ? withoutCasts(expression.operand) : expression;
}

// Operator precedence, from lowest

const precedence = { or: 1, and: 2, not: 3, comparison: 4, concat: 5, sum: 6, product: 7, sign: 8 };

const operators: Readonly<Record<string, readonly [BinaryOperator, number]>> = {
  OR: ['or', precedence.or],
  AND: ['and', precedence.and],
  '=': ['=', precedence.comparison],
  '<>': ['<>', precedence.comparison],
  '!=': ['<>', precedence.comparison],
  '<': ['<', precedence.comparison],
  '<=': ['<=', precedence.comparison],
  '>': ['>', precedence.comparison],
  '>=': ['>=', precedence.comparison],
  LIKE: ['like', precedence.comparison],
  '~~': ['like', precedence.comparison],
  '!~~': ['not like', precedence.comparison],
  '+': ['+', precedence.sum],
  '-': ['-', precedence.sum],
  '*': ['*', precedence.product],
  '/': ['/', precedence.product],
  '%': ['%', precedence.product],
};

/** Parses one operator after `left`; undefined if none follows or its precedence is too low. */
function parseInfix(parser: Parser, left: Expression, minimum: number): Expression | undefined {
  if (wordAt(parser) === '::') return parseCastSuffix(parser, left);
  if (wordAt(parser) === 'AT' && wordAt(parser, 1) === 'TIME') return parseTimeZone(parser, left);
  if (minimum <= precedence.comparison && isPredicate(parser)) return parsePredicate(parser, left);
  const symbol = operatorAt(parser);
  const [operator, ownPrecedence] = operatorOf(symbol.text, parser.syntax) ?? [];
  if (operator === undefined || ownPrecedence === undefined || ownPrecedence < minimum)
    return undefined;
  parser.at += symbol.tokens;
  if (ownPrecedence === precedence.comparison && isAny(parser))
    return parseAny(parser, left, operator);
  return { kind: 'binary', operator, left, right: parse(parser, ownPrecedence + 1) };
}

function operatorOf(
  symbol: string,
  { pipes }: ExpressionSyntax,
): readonly [BinaryOperator, number] | undefined {
  if (symbol === '||' && pipes === 'or') return ['or', precedence.or];
  if (symbol === '||') return pipes === 'concat' ? ['concat', precedence.concat] : undefined;
  return Object.hasOwn(operators, symbol) ? operators[symbol] : undefined;
}

/** Adjacent operator tokens form one operator: `~~`, `->>`, `@>`. */
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
  const first = wordAt(parser);
  return (
    ['IS', 'ISNULL', 'NOTNULL', 'IN', 'BETWEEN'].includes(first) ||
    (first === 'NOT' && ['IN', 'BETWEEN', 'LIKE'].includes(wordAt(parser, 1)))
  );
}

function parsePredicate(parser: Parser, operand: Expression): Expression {
  const not = accept(parser, 'NOT');
  const verb = consumeToken(parser).word;
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
  const right = parse(parser, precedence.comparison + 1);
  return { kind: 'binary', operator: 'not like', left, right };
}

function parseIs(parser: Parser, operand: Expression): Expression {
  const not = accept(parser, 'NOT');
  const value = consumeToken(parser).word;
  if (value === 'NULL') return { kind: 'isNull', operand, not };
  if (value !== 'TRUE' && value !== 'FALSE') throw new UnsupportedExpression();
  // IS TRUE is never NULL, unlike a comparison, hence the added IS NOT NULL.
  const isNotNull: Expression = { kind: 'isNull', operand, not: true };
  const equal: Expression = {
    kind: 'binary',
    operator: '=',
    left: operand,
    right: { kind: 'boolean', value: value === 'TRUE' },
  };
  const is: Expression = { kind: 'binary', operator: 'and', left: isNotNull, right: equal };
  return not ? { kind: 'unary', operator: 'not', operand: is } : is;
}

function parseBetween(parser: Parser, operand: Expression, not: boolean): Expression {
  const low = parse(parser, precedence.comparison + 1);
  expect(parser, 'AND');
  const high = parse(parser, precedence.comparison + 1);
  return { kind: 'between', operand, low, high, not };
}

function isAny(parser: Parser): boolean {
  return wordAt(parser) === 'ANY' || wordAt(parser) === 'ALL';
}

/** `= ANY (ARRAY[…])` is IN, `<> ALL (ARRAY[…])` is NOT IN. */
function parseAny(parser: Parser, operand: Expression, operator: BinaryOperator): Expression {
  const quantifier = consumeToken(parser).word;
  expect(parser, '(');
  const array = withoutCasts(parse(parser, 0));
  expect(parser, ')');
  const isIn = quantifier === 'ANY' && operator === '=';
  if (array.kind !== 'array' || (!isIn && !(quantifier === 'ALL' && operator === '<>')))
    throw new UnsupportedExpression();
  return { kind: 'in', operand, list: array.items, not: !isIn };
}

// Operands

function parsePrefix(parser: Parser): Expression {
  const token = consumeToken(parser);
  switch (token.kind) {
    case 'number':
      return parseNumber(parser.text.slice(token.start, token.end));
    case 'string':
      return parseString(parser, token);
    case 'quoted-name':
      return parseColumnOrCall(parser, token);
    case 'word':
      return parseWord(parser, token);
    default:
      return parseParenthesesOrSign(parser, token);
  }
}

function parseNumber(text: string): Expression {
  return /^0x/i.test(text) ? { kind: 'bytes', hex: text.slice(2) } : { kind: 'number', text };
}

function parseString({ text, syntax }: Parser, { start, end }: CodeToken): Expression {
  const literal = readString(text.slice(start, end), syntax.lexical);
  if (literal === undefined) throw new UnsupportedExpression();
  return literal;
}

function parseParenthesesOrSign(parser: Parser, { word }: CodeToken): Expression {
  if (word === '(') {
    const inner = parse(parser, 0);
    expect(parser, ')');
    return inner;
  }
  if (word === '{') return parseEscape(parser);
  if (word === '$') return parseMoney(parser);
  if (word !== '-' && word !== '+') throw new UnsupportedExpression();
  const operand = parse(parser, precedence.sign);
  return operand.kind === 'number' && word === '-'
    ? { kind: 'number', text: `-${operand.text}` }
    : { kind: 'unary', operator: word, operand };
}

/** ODBC: `{ts '2020-01-01 00:00:00'}`, `{d '2020-01-01'}`, `{fn NOW()}` */
function parseEscape(parser: Parser): Expression {
  const { word } = consumeToken(parser);
  if (!['TS', 'D', 'T', 'FN'].includes(word)) throw new UnsupportedExpression();
  const isLiteral = parser.code[parser.at]?.kind === 'string';
  if (isLiteral !== (word !== 'FN')) throw new UnsupportedExpression();
  const value = parsePrefix(parser);
  expect(parser, '}');
  return value;
}

/** T-SQL: `$0.00`, `$-5` */
function parseMoney(parser: Parser): Expression {
  const amount = parsePrefix(parser);
  if (amount.kind !== 'number') throw new UnsupportedExpression();
  return amount;
}

const wordParsers: Readonly<Record<string, (parser: Parser) => Expression>> = {
  NULL: () => ({ kind: 'null' }),
  TRUE: () => ({ kind: 'boolean', value: true }),
  FALSE: () => ({ kind: 'boolean', value: false }),
  NOT: (parser) => ({ kind: 'unary', operator: 'not', operand: parse(parser, precedence.not) }),
  CASE: parseCase,
  CAST: parseCast,
  CONVERT: parseConvert,
  ARRAY: parseArray,
};

/** Words that cannot be names where an operand is expected. */
const reserved: ReadonlySet<string> = new Set(
  'SELECT EXISTS INTERVAL AND OR WHEN THEN ELSE END AS FROM WHERE ROW'.split(' '),
);

function parseWord(parser: Parser, token: CodeToken): Expression {
  const { syntax } = parser;
  if (Object.hasOwn(wordParsers, token.word)) return wordParsers[token.word]!(parser);
  if (reserved.has(token.word)) throw new UnsupportedExpression();
  // MySQL's character set before a string: _utf8mb4'x'.
  if (token.word.startsWith('_') && parser.code[parser.at]?.kind === 'string')
    return parsePrefix(parser);
  if (Object.hasOwn(syntax.constants, token.word)) {
    if (wordAt(parser) === '(') parseList(parser);
    return { kind: 'call', name: syntax.constants[token.word]!, args: [] };
  }
  // A literal with its type: DATE '2020-01-01'.
  if (/^(?:DATE|TIME|TIMESTAMP|N)$/.test(token.word) && parser.code[parser.at]?.kind === 'string')
    return parsePrefix(parser);
  return parseColumnOrCall(parser, token);
}

/** Parses a call, or a column, of whose qualified name only the last part counts. */
function parseColumnOrCall(parser: Parser, first: CodeToken): Expression {
  let token = first;
  const isQualified = wordAt(parser) === '.';
  while (accept(parser, '.')) token = consumeToken(parser);
  const { text, syntax } = parser;
  const name = readName(text.slice(token.start, token.end), syntax.lexical);
  if (wordAt(parser) !== '(') return { kind: 'column', name };
  if (isQualified && !syntax.qualifiesFunctions) throw new UnsupportedExpression();
  const key = name.toLowerCase();
  if (!Object.hasOwn(syntax.functions, key)) throw new UnsupportedExpression();
  return { kind: 'call', name: syntax.functions[key]!, args: parseList(parser) };
}

function parseList(parser: Parser): readonly Expression[] {
  expect(parser, '(');
  const items: Expression[] = [];
  while (wordAt(parser) !== ')') {
    if (items.length > 0) expect(parser, ',');
    items.push(parse(parser, 0));
  }
  expect(parser, ')');
  return items;
}

function parseCase(parser: Parser): Expression {
  const subject = wordAt(parser) === 'WHEN' ? undefined : parse(parser, 0);
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
  while (wordAt(parser) !== ']') {
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
  return { kind: 'cast', operand, ...type };
}

/** T-SQL's `CONVERT(type, value)`. MySQL's CONVERT has the value first and is not parsed. */
function parseConvert(parser: Parser): Expression {
  expect(parser, '(');
  const type = parseType(parser);
  expect(parser, ',');
  const operand = parse(parser, 0);
  expect(parser, ')');
  return { kind: 'cast', operand, ...type };
}

function parseCastSuffix(parser: Parser, operand: Expression): Expression {
  parser.at += 1;
  return { kind: 'cast', operand, ...parseType(parser) };
}
