/** Renders an expression tree in a dialect. If the dialect has no equivalent for a part, the whole expression fails. */
import { booleanLiteral, comparable, timeLiteral, typeOfTimeCast } from './comparable.ts';
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
      return betweenCondition(expression, context);
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
  const [comparedLeft, comparedRight] = comparableOperands([left, right], context);
  return `${operand(comparedLeft!, context)} ${operator} ${operand(comparedRight!, context)}`;
}

function comparableOperands(
  operands: readonly Expression[],
  context: RenderContext,
): readonly Expression[] {
  const converted = comparable(operands, context);
  if (converted === undefined) throw new UntranslatableError();
  return converted;
}

function betweenCondition(
  { operand: tested, low, high, not }: Extract<Expression, { kind: 'between' }>,
  context: RenderContext,
): string {
  const [subject, from, to] = comparableOperands([tested, low, high], context).map((each) =>
    operand(each, context),
  );
  return `${subject} ${not ? 'NOT ' : ''}BETWEEN ${from} AND ${to}`;
}

function inCondition(
  { operand: tested, list, not }: Extract<Expression, { kind: 'in' }>,
  context: RenderContext,
): string {
  if (list.length === 0) throw new UntranslatableError();
  const [first, ...items] = comparableOperands([tested, ...list], context);
  const members = items.map((item) => value(item, context));
  return `${operand(first!, context)} ${not ? 'NOT ' : ''}IN (${members.join(', ')})`;
}

/** Renders LIKE if wildcards and case sensitivity mean the same in both dialects. */
function like({ operator, left, right }: Binary, context: RenderContext): string {
  if (['time', 'number'].includes(valueKind(left, context.columns)))
    throw new UntranslatableError();
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
  const withoutCast = expression.kind === 'cast' ? expression.operand : expression;
  const isSimple =
    ['column', 'text', 'boolean', 'null', 'bytes', 'bits', 'call'].includes(withoutCast.kind) ||
    (withoutCast.kind === 'number' && !withoutCast.text.startsWith('-'));
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

const timeFunctions: ReadonlySet<string> = new Set(['now', 'today', 'timeOfDay']);

function call({ name, args }: Call, context: RenderContext): string {
  const { to, use } = context;
  if (timeFunctions.has(name)) {
    if (!isCurrentTime(args)) throw new UntranslatableError();
    if (use !== 'default' && !(use === 'check' && to.checksMayUseTime))
      throw new UntranslatableError();
  }
  if (name === 'uuid' && use !== 'default') throw new UntranslatableError();
  const [text] = args;
  if (/^(?:c|trimmedC)haracters$/.test(name) && !(text && isText(text, context)))
    throw new UntranslatableError();
  const renderedArgs =
    timeFunctions.has(name) || name === 'uuid' ? [] : args.map((arg) => value(arg, context));
  const renderedCall = to.call(lengthFunction(name, text, context), renderedArgs);
  if (renderedCall === undefined) throw new UntranslatableError();
  return renderedCall;
}

function isText(expression: Expression, { columns }: RenderContext): boolean {
  return valueKind(expression, columns) === 'text';
}

/** PostgreSQL and MySQL do not count the blanks that pad the values of a char column. */
function lengthFunction(
  name: Call['name'],
  text: Expression | undefined,
  { columns }: RenderContext,
): Call['name'] {
  const type = text === undefined ? undefined : inferType(text, columns);
  const isPadded = type?.kind === 'text' && type.fixed === true;
  return name === 'characters' && isPadded ? 'trimmedCharacters' : name;
}

/** `now()`, `now(3)`, `datetime('now')`, `timezone('utc', now())`; not `datetime(created_at)`. */
function isCurrentTime(args: readonly Expression[]): boolean {
  const withoutCast = args.map((arg) => withoutTextCasts(arg));
  if (withoutCast.every((arg) => arg.kind === 'number')) return true;
  const isLiteral = (arg: Expression): boolean => arg.kind === 'text' || isNow(arg);
  return withoutCast.every(isLiteral) && withoutCast.some(isNow);
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
  const timeType = typeOfTimeCast(type);
  if (inner.kind === 'text' && timeType !== undefined) {
    const literal = timeLiteral(inner.value, timeType, context);
    if (literal === undefined) throw new UntranslatableError();
    return value(literal, context);
  }
  if (inner.kind === 'number' && castTo === 'boolean') return value(booleanLiteral(inner), context);
  const isNumber = inner.kind === 'text' && /^-?\d+(?:\.\d+)?$/.test(inner.value);
  if (isNumber && castTo === 'number') return inner.value;
  throw new UntranslatableError();
}

function caseValue(
  { subject, branches, otherwise }: Extract<Expression, { kind: 'case' }>,
  context: RenderContext,
): string {
  const tests = branches.map(({ when }) => when);
  const [first, ...values] =
    subject === undefined ? [] : comparableOperands([subject, ...tests], context);
  const whens =
    first === undefined
      ? tests.map((test) => condition(test, context))
      : values.map((test) => value(test, context));
  return [
    `CASE${first === undefined ? '' : ` ${operand(first, context)}`}`,
    ...branches.map(({ result }, i) => `WHEN ${whens[i]} THEN ${value(result, context)}`),
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
  const withoutCast = sides.map((side) => (side.kind === 'cast' ? side.operand : side));
  return (
    sides.some(({ kind }) => kind === 'cast') &&
    withoutCast.every((side) => inferType(side, columns)?.kind === 'integer')
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
