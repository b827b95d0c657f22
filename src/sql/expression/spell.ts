/** Spells an expression for a dialect. What the dialect cannot say of it makes the whole of it unsayable. */
import { castKind, valueKind } from './infer.ts';
import { comparisons } from './tree.ts';
import type { ColumnsByName } from './infer.ts';
import type { ExpressionSyntax } from './syntax.ts';
import type { BinaryOperator, Expression } from './tree.ts';

/** Where the expression stands: a key is an index's part, a predicate what a partial index is limited to. */
export type ExpressionUse = 'default' | 'check' | 'generated' | 'key' | 'predicate';

export interface Spelling {
  readonly from: ExpressionSyntax;
  readonly to: ExpressionSyntax;
  readonly use: ExpressionUse;
  readonly columns: ColumnsByName;
}

/** Thrown where the dialect has no words; `spellExpression` catches it. */
class Unsayable extends Error {}

export function spellExpression(expression: Expression, spelling: Spelling): string | undefined {
  const isCondition = spelling.use === 'check' || spelling.use === 'predicate';
  try {
    return isCondition ? condition(expression, spelling) : value(expression, spelling);
  } catch (error) {
    if (error instanceof Unsayable) return undefined;
    throw error;
  }
}

// Conditions: what is true, false or unknown

function condition(expression: Expression, spelling: Spelling): string {
  switch (expression.kind) {
    case 'boolean':
      return truth(expression.value, spelling);
    case 'unary':
      return expression.operator === 'not'
        ? `NOT (${condition(expression.operand, spelling)})`
        : valueAsCondition(expression, spelling);
    case 'binary':
      return binaryCondition(expression, spelling);
    case 'in':
      return inCondition(expression, spelling);
    case 'between':
      return `${operand(expression.operand, spelling)} ${expression.not ? 'NOT ' : ''}BETWEEN ${operand(expression.low, spelling)} AND ${operand(expression.high, spelling)}`;
    case 'isNull':
      return `${operand(expression.operand, spelling)} IS ${expression.not ? 'NOT ' : ''}NULL`;
    case 'case':
      return valueAsCondition(expression, spelling);
    case 'cast':
      if (castKind(expression.type) !== 'boolean') throw new Unsayable();
      return condition(expression.operand, spelling);
    default:
      return valueAsCondition(expression, spelling);
  }
}

function truth(isTrue: boolean, { to }: Spelling): string {
  if (to.booleans === 'bit') return isTrue ? '1 = 1' : '1 = 0';
  return isTrue ? 'TRUE' : 'FALSE';
}

/** A boolean by itself, or a number that counts as one. */
function valueAsCondition(expression: Expression, spelling: Spelling): string {
  const kind = valueKind(expression, spelling.columns);
  const text = operand(expression, spelling);
  if (spelling.to.booleans === 'number') return text;
  if (kind === 'number') return `${text} <> 0`;
  if (kind !== 'boolean') throw new Unsayable();
  return spelling.to.booleans === 'bit' ? `${text} = 1` : text;
}

type Binary = Extract<Expression, { kind: 'binary' }>;

function binaryCondition(expression: Binary, spelling: Spelling): string {
  const { operator, left, right } = expression;
  if (operator === 'and' || operator === 'or') {
    const inner = (side: Expression): string => bracketedUnless(operator, side, spelling);
    return `${inner(left)} ${operator.toUpperCase()} ${inner(right)}`;
  }
  if (operator === 'like' || operator === 'not like') return like(expression, spelling);
  if (!comparisons.has(operator)) return valueAsCondition(expression, spelling);
  return comparison(expression, spelling);
}

/** AND within AND and OR within OR need no brackets. */
function bracketedUnless(operator: BinaryOperator, side: Expression, spelling: Spelling): string {
  const text = condition(side, spelling);
  const isOther =
    side.kind === 'binary' && ['and', 'or'].includes(side.operator) && side.operator !== operator;
  return isOther ? `(${text})` : text;
}

function comparison({ operator, left, right }: Binary, spelling: Spelling): string {
  const kinds = [valueKind(left, spelling.columns), valueKind(right, spelling.columns)] as const;
  if (isMismatch(kinds) && !spelling.to.comparesAnything) throw new Unsayable();
  const one = operand(likeBoolean(left, kinds[1]), spelling);
  const two = operand(likeBoolean(right, kinds[0]), spelling);
  return `${one} ${operator} ${two}`;
}

function isMismatch(kinds: readonly string[]): boolean {
  return kinds.includes('text') && kinds.includes('number');
}

/** A 0 or 1 beside a boolean is one. */
function likeBoolean(side: Expression, other: string): Expression {
  if (other !== 'boolean') return side;
  const text = side.kind === 'number' ? side.text : side.kind === 'text' ? side.value : '';
  if (/^(?:1|t|true)$/i.test(text)) return { kind: 'boolean', value: true };
  return /^(?:0|f|false)$/i.test(text) ? { kind: 'boolean', value: false } : side;
}

function inCondition(
  { operand: tested, list, not }: Extract<Expression, { kind: 'in' }>,
  spelling: Spelling,
): string {
  const kind = valueKind(tested, spelling.columns);
  if (list.length === 0) throw new Unsayable();
  const mismatch = list.some((item) => isMismatch([kind, valueKind(item, spelling.columns)]));
  if (mismatch && !spelling.to.comparesAnything) throw new Unsayable();
  const members = list.map((item) => value(likeBoolean(item, kind), spelling));
  return `${operand(tested, spelling)} ${not ? 'NOT ' : ''}IN (${members.join(', ')})`;
}

/** Patterns whose signs and letters mean the same on both sides. */
function like({ operator, left, right }: Binary, spelling: Spelling): string {
  const pattern = withoutTextCasts(right);
  if (pattern.kind !== 'text' || /[\\[]/.test(pattern.value)) throw new Unsayable();
  const hasCase = pattern.value.toLowerCase() !== pattern.value.toUpperCase();
  if (hasCase && spelling.from.likeTellsCase !== spelling.to.likeTellsCase) throw new Unsayable();
  const words = operator === 'like' ? 'LIKE' : 'NOT LIKE';
  return `${operand(left, spelling)} ${words} ${value(pattern, spelling)}`;
}

function withoutTextCasts(expression: Expression): Expression {
  return expression.kind === 'cast' && castKind(expression.type) === 'text'
    ? withoutTextCasts(expression.operand)
    : expression;
}

// Values

/** A value that can stand beside an operator. */
function operand(expression: Expression, spelling: Spelling): string {
  const text = value(expression, spelling);
  const bare = expression.kind === 'cast' ? expression.operand : expression;
  const isSimple =
    ['column', 'text', 'boolean', 'null', 'bytes', 'bits', 'call'].includes(bare.kind) ||
    (bare.kind === 'number' && !bare.text.startsWith('-'));
  return isSimple || /^-?[\d.]+$/.test(text) ? text : `(${text})`;
}

function value(expression: Expression, spelling: Spelling): string {
  const { to } = spelling;
  switch (expression.kind) {
    case 'null':
      return 'NULL';
    case 'boolean':
      return booleanValue(expression.value, spelling);
    case 'number':
      return expression.text;
    case 'text':
      return textValue(expression.value, spelling);
    case 'bytes':
      return to.bytes(expression.hex);
    case 'bits':
      return to.bits(expression.digits);
    case 'column':
      return columnName(expression.name, spelling);
    case 'call':
      return call(expression, spelling);
    case 'cast':
      return cast(expression, spelling);
    case 'case':
      return caseValue(expression, spelling);
    case 'array':
      throw new Unsayable();
    default:
      return operation(expression, spelling);
  }
}

function booleanValue(isTrue: boolean, { to, use }: Spelling): string {
  // What a default is spelled of, `neutralDefault` knows.
  if (to.booleans === 'bit' && use !== 'default') return isTrue ? '1' : '0';
  return isTrue ? 'TRUE' : 'FALSE';
}

/** Defaults are neutral: `neutralDefault` gives their texts the dialect's marks. */
function textValue(content: string, { to, use }: Spelling): string {
  const isPlain = !to.lexical.backslashEscapes || !content.includes('\\');
  if (use === 'default' && isPlain) return `'${content.replaceAll("'", "''")}'`;
  return to.quoteText(content);
}

function columnName(name: string, { to, columns, use }: Spelling): string {
  const column = columns.get(name.toLowerCase());
  if (column === undefined || use === 'default') throw new Unsayable();
  return to.quoteName(column.name);
}

type Call = Extract<Expression, { kind: 'call' }>;

const asking: ReadonlySet<string> = new Set(['now', 'today', 'clock']);

function call({ name, args }: Call, spelling: Spelling): string {
  const { to, use } = spelling;
  if (asking.has(name)) {
    if (!asksForNow(args)) throw new Unsayable();
    if (use !== 'default' && !(use === 'check' && to.checksMayAskTime)) throw new Unsayable();
  }
  if (name === 'uuid' && use !== 'default') throw new Unsayable();
  const spelled =
    asking.has(name) || name === 'uuid' ? [] : args.map((arg) => value(arg, spelling));
  const written = to.call(name, spelled);
  if (written === undefined) throw new Unsayable();
  return written;
}

/** `now()`, `now(3)`, `datetime('now')`, `timezone('utc', now())`; not `datetime(created_at)`. */
function asksForNow(args: readonly Expression[]): boolean {
  const bare = args.map((arg) => withoutTextCasts(arg));
  if (bare.every((arg) => arg.kind === 'number')) return true;
  const isLiteral = (arg: Expression): boolean => arg.kind === 'text' || isNow(arg);
  return bare.every(isLiteral) && bare.some(isNow);
}

function isNow(arg: Expression): boolean {
  return (
    (arg.kind === 'call' && arg.name === 'now') || (arg.kind === 'text' && arg.value === 'now')
  );
}

/** A cast that changes nothing about what its value is goes without saying. */
function cast(
  { operand: inner, type }: Extract<Expression, { kind: 'cast' }>,
  spelling: Spelling,
): string {
  const wanted = castKind(type);
  const kind = valueKind(inner, spelling.columns);
  if (kind === wanted || inner.kind === 'null') return value(inner, spelling);
  if (inner.kind === 'text' && wanted === 'time') return value(inner, spelling);
  if (inner.kind === 'number' && wanted === 'boolean')
    return value(likeBoolean(inner, 'boolean'), spelling);
  const isNumber = inner.kind === 'text' && /^-?\d+(?:\.\d+)?$/.test(inner.value);
  if (isNumber && wanted === 'number') return inner.value;
  throw new Unsayable();
}

function caseValue(
  { subject, branches, otherwise }: Extract<Expression, { kind: 'case' }>,
  spelling: Spelling,
): string {
  const when = (test: Expression): string =>
    subject === undefined ? condition(test, spelling) : value(test, spelling);
  return [
    `CASE${subject === undefined ? '' : ` ${operand(subject, spelling)}`}`,
    ...branches.map((branch) => `WHEN ${when(branch.when)} THEN ${value(branch.result, spelling)}`),
    ...(otherwise === undefined ? [] : [`ELSE ${value(otherwise, spelling)}`]),
    'END',
  ].join(' ');
}

/** Arithmetic and joined texts; a condition that is wanted as a value. */
function operation(expression: Expression, spelling: Spelling): string {
  if (valueKind(expression, spelling.columns) === 'boolean')
    return conditionValue(expression, spelling);
  if (expression.kind === 'unary')
    return `${expression.operator}${operand(expression.operand, spelling)}`;
  if (expression.kind !== 'binary') throw new Unsayable();
  const { operator, left, right } = expression;
  if (operator === 'concat' || (operator === '+' && joinsTexts(expression, spelling)))
    return joined(expression, spelling);
  if (operator === '/' && spelling.from.integerDivision !== spelling.to.integerDivision)
    throw new Unsayable();
  return `${operand(left, spelling)} ${operator} ${operand(right, spelling)}`;
}

/** A bit cannot hold a condition; both of its answers are asked for, since NULL is neither. */
function conditionValue(expression: Expression, spelling: Spelling): string {
  const text = condition(expression, spelling);
  return spelling.to.booleans === 'bit'
    ? `CASE WHEN ${text} THEN 1 WHEN NOT (${text}) THEN 0 END`
    : text;
}

function joinsTexts({ left, right }: Binary, { from, columns }: Spelling): boolean {
  if (!from.plusJoins) return false;
  const kinds = [valueKind(left, columns), valueKind(right, columns)];
  if (kinds.every((kind) => kind === 'number')) return false;
  if (!kinds.every((kind) => kind === 'text')) throw new Unsayable();
  return true;
}

function joined({ left, right }: Binary, spelling: Spelling): string {
  const kinds = [valueKind(left, spelling.columns), valueKind(right, spelling.columns)];
  if (spelling.to.plusJoins && !kinds.every((kind) => kind === 'text')) throw new Unsayable();
  return spelling.to.concat(operand(left, spelling), operand(right, spelling));
}
