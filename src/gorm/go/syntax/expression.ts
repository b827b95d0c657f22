/**
 * Parses expressions from their text. The grammar finds where an expression begins and ends, but
 * its tree is wrong: it reads `a + b.c` as `(a + b).c`.
 */
import type { NamedExpression, TypeExpression } from './syntax.ts';

export type Expression =
  | { readonly form: 'string' | 'number' | 'rune' | 'name'; readonly text: string }
  | { readonly form: 'selector'; readonly of: Expression; readonly name: string }
  | { readonly form: 'call'; readonly of: Expression; readonly args: readonly Expression[] }
  | { readonly form: 'index'; readonly of: Expression; readonly at: Expression }
  /** `text[from:to]` */
  | {
      readonly form: 'slice';
      readonly of: Expression;
      readonly from: Expression | undefined;
      readonly to: Expression | undefined;
    }
  | { readonly form: 'unary'; readonly operator: string; readonly of: Expression }
  | {
      readonly form: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  /** `[]byte(x)`, `(*T)(x)`. A conversion to a type name is parsed as a call. */
  | { readonly form: 'conversion'; readonly type: TypeExpression; readonly of: Expression }
  /** A literal of a slice, array or map. */
  | {
      readonly form: 'literal';
      readonly type: TypeExpression;
      readonly elements: readonly LiteralElement[];
    }
  /** Another literal or a type assertion: only the type of its value is known. */
  | { readonly form: 'typed'; readonly type: TypeExpression }
  | { readonly form: 'other' };

interface LiteralElement {
  /** The expression before the colon. */
  readonly key: Expression | undefined;
  readonly value: Expression;
}

/** The type that an expression names: `T` or `package.T`. Undefined for any other expression. */
export function typeNamedBy(expression: Expression): NamedExpression | undefined {
  if (expression.form === 'name')
    return { form: 'name', name: expression.text, qualifier: undefined, args: [] };
  if (expression.form !== 'selector' || expression.of.form !== 'name') return undefined;
  return { form: 'name', name: expression.name, qualifier: expression.of.text, args: [] };
}

const unsupported: Expression = { form: 'other' };

/** Parses a text as an expression. */
export function parseExpression(text: string): Expression {
  const tokens = text.match(tokenPattern) ?? [];
  const reader: TokenReader = {
    tokens: tokens.filter((token) => !/^(?:\s|\/[/*])/.test(token)),
    at: 0,
    depth: 0,
  };
  const expression = readBinary(reader, 0);
  return reader.at < reader.tokens.length ? unsupported : expression;
}

const tokenPattern =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\])*"|`[^`]*`|'(?:\\.|[^'\\])+'|\.?\d(?:[eEpP][+-]|[\w.])*|[\p{L}_][\p{L}\p{Nd}_]*|<<|>>|&\^|&&|\|\||[=!<>]=|<-|\.\.\.|[\s\S]/gu;

interface TokenReader {
  readonly tokens: readonly string[];
  at: number;
  depth: number;
}

function peek(reader: TokenReader, ahead = 0): string {
  return reader.tokens[reader.at + ahead] ?? '';
}

function next(reader: TokenReader): string {
  return reader.tokens[reader.at++] ?? '';
}

function skip(reader: TokenReader, token: string): boolean {
  if (peek(reader) !== token) return false;
  reader.at++;
  return true;
}

const precedences: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-', '|', '^'],
  ['*', '/', '%', '<<', '>>', '&', '&^'],
];

const maxDepth = 200;

function readBinary(reader: TokenReader, minPrecedence: number): Expression {
  let left = readUnary(reader);
  for (;;) {
    const operator = peek(reader);
    const precedence = precedences.findIndex((operators) => operators.includes(operator));
    if (precedence === -1 || precedence < minPrecedence) return left;
    reader.at++;
    left = { form: 'binary', operator, left, right: readBinary(reader, precedence + 1) };
  }
}

function readUnary(reader: TokenReader): Expression {
  if (++reader.depth > maxDepth) return unsupported;
  const operator = peek(reader);
  const isUnary = ['+', '-', '!', '^', '*', '&', '<-'].includes(operator);
  if (isUnary) reader.at++;
  const expression: Expression = isUnary
    ? { form: 'unary', operator, of: readUnary(reader) }
    : readPostfix(reader);
  reader.depth--;
  return expression;
}

function readPostfix(reader: TokenReader): Expression {
  let expression = readOperand(reader);
  for (;;) {
    if (peek(reader) === '.') expression = readSelector(reader, expression);
    else if (peek(reader) === '(')
      expression = { form: 'call', of: expression, args: readArgs(reader) };
    else if (peek(reader) === '[') expression = readIndex(reader, expression);
    else if (peek(reader) === '{' && isTypeName(expression))
      expression = readLiteral(reader, typeOf(expression));
    else return expression;
  }
}

function readOperand(reader: TokenReader): Expression {
  const token = peek(reader);
  if (/^[\p{L}_]/u.test(token) && !typeWords.has(token))
    return { form: 'name', text: next(reader) };
  if (/^["`]/.test(token)) return { form: 'string', text: next(reader) };
  if (token.startsWith("'")) return { form: 'rune', text: next(reader) };
  if (/^\.?\d/.test(token)) return { form: 'number', text: next(reader) };
  if (token === '(') return readParenthesized(reader);
  return token === '[' || typeWords.has(token) ? readTyped(reader) : unsupported;
}

const typeWords: ReadonlySet<string> = new Set(['map', 'struct', 'func', 'chan', 'interface']);

/** An expression in brackets; a pointer type, when something is converted to it. */
function readParenthesized(reader: TokenReader): Expression {
  reader.at++;
  const inner = readBinary(reader, 0);
  if (!skip(reader, ')')) return unsupported;
  const isPointer = inner.form === 'unary' && inner.operator === '*' && isTypeName(inner.of);
  if (!isPointer || peek(reader) !== '(') return inner;
  const [of = unsupported] = readArgs(reader);
  return { form: 'conversion', type: { form: 'pointer', to: typeOf(inner.of) }, of };
}

/** Parses what begins with a type: a conversion or a literal. */
function readTyped(reader: TokenReader): Expression {
  const type = readTypeAt(reader);
  if (type === undefined) return unsupported;
  if (peek(reader) === '{') return readLiteral(reader, type);
  if (peek(reader) !== '(') return unsupported;
  const [of = unsupported] = readArgs(reader);
  return { form: 'conversion', type, of };
}

/** The literal of a named type may be that of a struct, whose members are not read. */
function readLiteral(reader: TokenReader, type: TypeExpression): Expression {
  if (type.form === 'struct' || type.form === 'interface') {
    skipBrackets(reader);
    return { form: 'typed', type };
  }
  const elements: LiteralElement[] = [];
  reader.at++;
  while (peek(reader) !== '}' && peek(reader) !== '') {
    const from = reader.at;
    const first = readElement(reader);
    elements.push(
      skip(reader, ':')
        ? { key: first, value: readElement(reader) }
        : { key: undefined, value: first },
    );
    if (!skip(reader, ',') && peek(reader) !== '}') skipArgument(reader, '}');
    if (reader.at === from) reader.at++;
  }
  reader.at++;
  return { form: 'literal', type, elements };
}

/** An element may be a literal without its type, which is not read. */
function readElement(reader: TokenReader): Expression {
  if (peek(reader) !== '{') return readBinary(reader, 0);
  skipBrackets(reader);
  return unsupported;
}

function readSelector(reader: TokenReader, of: Expression): Expression {
  reader.at++;
  if (peek(reader) !== '(') return { form: 'selector', of, name: next(reader) };
  reader.at++;
  const type = readTypeAt(reader);
  const closed = skip(reader, ')');
  return type === undefined || !closed ? unsupported : { form: 'typed', type };
}

function readIndex(reader: TokenReader, of: Expression): Expression {
  const end = reader.at;
  reader.at++;
  const at = peek(reader) === ':' ? undefined : readBinary(reader, 0);
  if (!skip(reader, ':')) {
    if (skip(reader, ']') && at !== undefined) return { form: 'index', of, at };
    reader.at = end;
    skipBrackets(reader);
    return unsupported;
  }
  const to = peek(reader) === ']' ? undefined : readBinary(reader, 0);
  if (skip(reader, ']')) return { form: 'slice', of, from: at, to };
  reader.at = end;
  skipBrackets(reader);
  return { form: 'slice', of, from: unsupported, to: unsupported };
}

function readArgs(reader: TokenReader): readonly Expression[] {
  const args: Expression[] = [];
  reader.at++;
  while (peek(reader) !== ')' && peek(reader) !== '') {
    const from = reader.at;
    args.push(readBinary(reader, 0));
    skip(reader, '...');
    if (!skip(reader, ',') && peek(reader) !== ')') skipArgument(reader);
    if (reader.at === from) reader.at++;
  }
  reader.at++;
  return args;
}

/** Skips the rest of an unsupported argument. */
function skipArgument(reader: TokenReader, end = ')'): void {
  while (![',', end, ''].includes(peek(reader))) {
    if (/^[([{]$/.test(peek(reader))) skipBrackets(reader);
    else reader.at++;
  }
  skip(reader, ',');
}

function skipBrackets(reader: TokenReader): void {
  let depth = 0;
  do {
    const token = next(reader);
    if (/^[([{]$/.test(token)) depth++;
    if (/^[)\]}]$/.test(token)) depth--;
  } while (depth > 0 && reader.at < reader.tokens.length);
}

function isTypeName({ form, ...rest }: Expression): boolean {
  return form === 'name' || (form === 'selector' && 'of' in rest && rest.of.form === 'name');
}

/** The type that a name or a selector refers to. */
function typeOf(expression: Expression): NamedExpression {
  const nameExpression = (name: string, qualifier: string | undefined): NamedExpression => ({
    form: 'name',
    name,
    qualifier,
    args: [],
  });
  if (expression.form === 'name') return nameExpression(expression.text, undefined);
  if (expression.form === 'selector' && expression.of.form === 'name')
    return nameExpression(expression.name, expression.of.text);
  return nameExpression('', undefined);
}

function readTypeAt(reader: TokenReader): TypeExpression | undefined {
  const token = next(reader);
  if (token === '*') return wrap(readTypeAt(reader), (to) => ({ form: 'pointer', to }));
  if (token === '[') return readListType(reader);
  if (token === 'map') {
    skipBrackets(reader);
    return wrap(readTypeAt(reader), (of) => ({ form: 'map', of }));
  }
  if (token === 'struct' || token === 'interface') {
    skipBrackets(reader);
    return token === 'struct' ? { form: 'struct', fields: [] } : { form: 'interface' };
  }
  return /^[\p{L}_]/u.test(token) && !typeWords.has(token)
    ? readTypeName(reader, token)
    : undefined;
}

function readListType(reader: TokenReader): TypeExpression | undefined {
  const form = peek(reader) === ']' ? 'slice' : 'array';
  reader.at--;
  skipBrackets(reader);
  return wrap(readTypeAt(reader), (of) => ({ form, of }));
}

function readTypeName(reader: TokenReader, first: string): TypeExpression {
  if (peek(reader) !== '.') return { form: 'name', name: first, qualifier: undefined, args: [] };
  reader.at++;
  return { form: 'name', name: next(reader), qualifier: first, args: [] };
}

function wrap(
  inner: TypeExpression | undefined,
  make: (inner: TypeExpression) => TypeExpression,
): TypeExpression | undefined {
  return inner === undefined ? undefined : make(inner);
}
