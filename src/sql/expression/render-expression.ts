/** Renders an expression tree in a dialect. If the dialect has no equivalent for a part, the whole expression fails. */
import { castKind, valueKind } from './infer.ts';
import { inferType } from './infer-type.ts';
import { preservesValues } from './preserves-values.ts';
import { comparisons } from './tree.ts';
import type { ColumnsByName } from './infer.ts';
import type { ExpressionSyntax } from './syntax.ts';
import type { BinaryOperator, Expression } from './tree.ts';

/** Where the expression is used: `key` in an index, `predicate` in the WHERE of a partial index. */
export type ExpressionUse = 'default' | 'check' | 'generated' | 'key' | 'predicate';

export interface RenderContext {
  readonly from: ExpressionSyntax;
  readonly to: ExpressionSyntax;
  readonly use: ExpressionUse;
  readonly columns: ColumnsByName;
}

/** Thrown where the dialect has no equivalent; `renderExpression` catches it. */
class UntranslatableError extends Error {}

export function renderExpression(
  expression: Expression,
  context: RenderContext,
): string | undefined {
  const isCondition = context.use === 'check' || context.use === 'predicate';
  try {
    return isCondition ? condition(expression, context) : value(expression, context);
  } catch (error) {
    if (error instanceof UntranslatableError) return undefined;
    throw error;
  }
}

// Conditions: true, false or NULL

function condition(expression: Expression, context: RenderContext): string {
  switch (expression.kind) {
    case 'boolean':
      return truth(expression.value, context);
    case 'unary':
      return expression.operator === 'not'
        ? `NOT (${condition(expression.operand, context)})`
        : valueAsCondition(expression, context);
    case 'binary':
      return binaryCondition(expression, context);
    case 'in':
      return inCondition(expression, context);
    case 'between':
      return `${operand(expression.operand, context)} ${expression.not ? 'NOT ' : ''}BETWEEN ${operand(expression.low, context)} AND ${operand(expression.high, context)}`;
    case 'isNull':
      return `${operand(expression.operand, context)} IS ${expression.not ? 'NOT ' : ''}NULL`;
    case 'case':
      return valueAsCondition(expression, context);
    case 'cast':
      if (castKind(expression.type) !== 'boolean') throw new UntranslatableError();
      return condition(expression.operand, context);
    default:
      return valueAsCondition(expression, context);
  }
}

function truth(isTrue: boolean, { to }: RenderContext): string {
  if (to.booleans === 'bit') return isTrue ? '1 = 1' : '1 = 0';
  return isTrue ? 'TRUE' : 'FALSE';
}

/** Renders a boolean or number where a condition is required. */
function valueAsCondition(expression: Expression, context: RenderContext): string {
  const kind = valueKind(expression, context.columns);
  const text = operand(expression, context);
  if (context.to.booleans === 'number') return text;
  if (kind === 'number') return `${text} <> 0`;
  if (kind !== 'boolean') throw new UntranslatableError();
  return context.to.booleans === 'bit' ? `${text} = 1` : text;
}

type Binary = Extract<Expression, { kind: 'binary' }>;

function binaryCondition(expression: Binary, context: RenderContext): string {
  const { operator, left, right } = expression;
  if (operator === 'and' || operator === 'or') {
    const inner = (side: Expression): string => bracketedUnless(operator, side, context);
    return `${inner(left)} ${operator.toUpperCase()} ${inner(right)}`;
  }
  if (operator === 'like' || operator === 'not like') return like(expression, context);
  if (!comparisons.has(operator)) return valueAsCondition(expression, context);
  return comparison(expression, context);
}

/** AND within AND and OR within OR need no parentheses. */
function bracketedUnless(
  operator: BinaryOperator,
  side: Expression,
  context: RenderContext,
): string {
  const text = condition(side, context);
  const isOther =
    side.kind === 'binary' && ['and', 'or'].includes(side.operator) && side.operator !== operator;
  return isOther ? `(${text})` : text;
}

function comparison({ operator, left, right }: Binary, context: RenderContext): string {
  const kinds = [valueKind(left, context.columns), valueKind(right, context.columns)] as const;
  if (isMismatch(kinds) && !context.to.comparesAnything) throw new UntranslatableError();
  const one = operand(toBooleanLiteral(left, kinds[1]), context);
  const two = operand(toBooleanLiteral(right, kinds[0]), context);
  return `${one} ${operator} ${two}`;
}

function isMismatch(kinds: readonly string[]): boolean {
  return kinds.includes('text') && kinds.includes('number');
}

/** Converts 0, 1 and the texts for true and false to a boolean literal if the other side is a boolean. */
function toBooleanLiteral(side: Expression, other: string): Expression {
  if (other !== 'boolean') return side;
  const text = side.kind === 'number' ? side.text : side.kind === 'text' ? side.value : '';
  if (/^(?:1|t|true)$/i.test(text)) return { kind: 'boolean', value: true };
  return /^(?:0|f|false)$/i.test(text) ? { kind: 'boolean', value: false } : side;
}

function inCondition(
  { operand: tested, list, not }: Extract<Expression, { kind: 'in' }>,
  context: RenderContext,
): string {
  const kind = valueKind(tested, context.columns);
  if (list.length === 0) throw new UntranslatableError();
  const mismatch = list.some((item) => isMismatch([kind, valueKind(item, context.columns)]));
  if (mismatch && !context.to.comparesAnything) throw new UntranslatableError();
  const members = list.map((item) => value(toBooleanLiteral(item, kind), context));
  return `${operand(tested, context)} ${not ? 'NOT ' : ''}IN (${members.join(', ')})`;
}

/** Renders LIKE if wildcards and case sensitivity mean the same in both dialects. */
function like({ operator, left, right }: Binary, context: RenderContext): string {
  const pattern = withoutTextCasts(right);
  if (pattern.kind !== 'text' || /[\\[]/.test(pattern.value)) throw new UntranslatableError();
  const hasCase = pattern.value.toLowerCase() !== pattern.value.toUpperCase();
  if (hasCase && context.from.likeIsCaseSensitive !== context.to.likeIsCaseSensitive)
    throw new UntranslatableError();
  const words = operator === 'like' ? 'LIKE' : 'NOT LIKE';
  return `${operand(left, context)} ${words} ${value(pattern, context)}`;
}

function withoutTextCasts(expression: Expression): Expression {
  return expression.kind === 'cast' && castKind(expression.type) === 'text'
    ? withoutTextCasts(expression.operand)
    : expression;
}

// Values

/** Renders a value as an operand, with parentheses where needed. */
function operand(expression: Expression, context: RenderContext): string {
  const text = value(expression, context);
  const bare = expression.kind === 'cast' ? expression.operand : expression;
  const isSimple =
    ['column', 'text', 'boolean', 'null', 'bytes', 'bits', 'call'].includes(bare.kind) ||
    (bare.kind === 'number' && !bare.text.startsWith('-'));
  return isSimple || /^-?[\d.]+$/.test(text) ? text : `(${text})`;
}

function value(expression: Expression, context: RenderContext): string {
  const { to } = context;
  switch (expression.kind) {
    case 'null':
      return 'NULL';
    case 'boolean':
      return booleanValue(expression.value, context);
    case 'number':
      return expression.text;
    case 'text':
      return textValue(expression.value, context);
    case 'bytes':
      return to.bytes(expression.hex);
    case 'bits':
      return to.bits(expression.digits);
    case 'column':
      return columnName(expression.name, context);
    case 'call':
      return call(expression, context);
    case 'cast':
      return cast(expression, context);
    case 'case':
      return caseValue(expression, context);
    case 'array':
      throw new UntranslatableError();
    default:
      return operation(expression, context);
  }
}

function booleanValue(isTrue: boolean, { to, use }: RenderContext): string {
  // `neutralDefault` renders booleans in defaults.
  if (to.booleans === 'bit' && use !== 'default') return isTrue ? '1' : '0';
  return isTrue ? 'TRUE' : 'FALSE';
}

/** Texts in defaults stay neutral: `neutralDefault` quotes them for the dialect. */
function textValue(content: string, { to, use }: RenderContext): string {
  const isPlain = !to.lexical.backslashEscapes || !content.includes('\\');
  if (use === 'default' && isPlain) return `'${content.replaceAll("'", "''")}'`;
  return to.quoteText(content);
}

function columnName(name: string, { to, columns, use }: RenderContext): string {
  const column = columns.get(name.toLowerCase());
  if (column === undefined || use === 'default') throw new UntranslatableError();
  return to.quoteName(column.name);
}

type Call = Extract<Expression, { kind: 'call' }>;

const timeFunctions: ReadonlySet<string> = new Set(['now', 'today', 'clock']);

function call({ name, args }: Call, context: RenderContext): string {
  const { to, use } = context;
  if (timeFunctions.has(name)) {
    if (!isCurrentTime(args)) throw new UntranslatableError();
    if (use !== 'default' && !(use === 'check' && to.checksMayUseTime))
      throw new UntranslatableError();
  }
  if (name === 'uuid' && use !== 'default') throw new UntranslatableError();
  const renderedArgs =
    timeFunctions.has(name) || name === 'uuid' ? [] : args.map((arg) => value(arg, context));
  const written = to.call(name, renderedArgs);
  if (written === undefined) throw new UntranslatableError();
  return written;
}

/** `now()`, `now(3)`, `datetime('now')`, `timezone('utc', now())`; not `datetime(created_at)`. */
function isCurrentTime(args: readonly Expression[]): boolean {
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

/** Omits a cast that changes neither the kind of a value nor the value; other casts fail. */
function cast(expression: Extract<Expression, { kind: 'cast' }>, context: RenderContext): string {
  const { operand: inner, type } = expression;
  const castTo = castKind(type);
  const kind = valueKind(inner, context.columns);
  if (inner.kind === 'null') return value(inner, context);
  if (kind === castTo) {
    if (!preservesValues(expression, context.columns)) throw new UntranslatableError();
    return value(inner, context);
  }
  if (inner.kind === 'text' && castTo === 'time') return value(inner, context);
  if (inner.kind === 'number' && castTo === 'boolean')
    return value(toBooleanLiteral(inner, 'boolean'), context);
  const isNumber = inner.kind === 'text' && /^-?\d+(?:\.\d+)?$/.test(inner.value);
  if (isNumber && castTo === 'number') return inner.value;
  throw new UntranslatableError();
}

function caseValue(
  { subject, branches, otherwise }: Extract<Expression, { kind: 'case' }>,
  context: RenderContext,
): string {
  const when = (test: Expression): string =>
    subject === undefined ? condition(test, context) : value(test, context);
  return [
    `CASE${subject === undefined ? '' : ` ${operand(subject, context)}`}`,
    ...branches.map((branch) => `WHEN ${when(branch.when)} THEN ${value(branch.result, context)}`),
    ...(otherwise === undefined ? [] : [`ELSE ${value(otherwise, context)}`]),
    'END',
  ].join(' ');
}

/** Renders arithmetic, concatenation, and conditions that are used as values. */
function operation(expression: Expression, context: RenderContext): string {
  if (valueKind(expression, context.columns) === 'boolean')
    return conditionValue(expression, context);
  if (expression.kind === 'unary')
    return `${expression.operator}${operand(expression.operand, context)}`;
  if (expression.kind !== 'binary') throw new UntranslatableError();
  const { operator, left, right } = expression;
  if (operator === 'concat' || (operator === '+' && isConcatenation(expression, context)))
    return concatenation(expression, context);
  if (operator === '/' && context.from.integerDivision !== context.to.integerDivision)
    throw new UntranslatableError();
  if (operator === '/' && becomesIntegerDivision([left, right], context))
    throw new UntranslatableError();
  return `${operand(left, context)} ${operator} ${operand(right, context)}`;
}

/** Whether only casts, which `cast` omits, keep the division from being one of integers. */
function becomesIntegerDivision(sides: readonly Expression[], { columns }: RenderContext): boolean {
  const bare = sides.map((side) => (side.kind === 'cast' ? side.operand : side));
  return (
    sides.some(({ kind }) => kind === 'cast') &&
    bare.every((side) => inferType(side, columns)?.kind === 'integer')
  );
}

/** Renders a condition as a value. For a bit, CASE tests both outcomes, since NULL is neither. */
function conditionValue(expression: Expression, context: RenderContext): string {
  const text = condition(expression, context);
  return context.to.booleans === 'bit'
    ? `CASE WHEN ${text} THEN 1 WHEN NOT (${text}) THEN 0 END`
    : text;
}

function isConcatenation({ left, right }: Binary, { from, columns }: RenderContext): boolean {
  if (!from.plusConcatenates) return false;
  const kinds = [valueKind(left, columns), valueKind(right, columns)];
  if (kinds.every((kind) => kind === 'number')) return false;
  if (!kinds.every((kind) => kind === 'text')) throw new UntranslatableError();
  return true;
}

function concatenation({ left, right }: Binary, context: RenderContext): string {
  const kinds = [valueKind(left, context.columns), valueKind(right, context.columns)];
  if (context.to.plusConcatenates && !kinds.every((kind) => kind === 'text'))
    throw new UntranslatableError();
  return context.to.concat(operand(left, context), operand(right, context));
}
