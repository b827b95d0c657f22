/** Makes the operands of a comparison compare in the target dialect as they do in their own. */
import { valueKind, castKind } from './infer.ts';
import { inferType } from './infer-type.ts';
import { convertTime, isTimeType } from './time-literal.ts';
import type { ColumnsByName } from './infer.ts';
import type { ExpressionSyntax } from './syntax.ts';
import type { TimeType } from './time-literal.ts';
import type { Expression } from './tree.ts';

export interface ComparisonContext {
  readonly from: ExpressionSyntax;
  readonly to: ExpressionSyntax;
  readonly columns: ColumnsByName;
}

/** The operands, with literals in the form of the target; undefined if they would compare differently. */
export function comparable(
  operands: readonly Expression[],
  context: ComparisonContext,
): readonly Expression[] | undefined {
  const kinds = operands.map((operand) => valueKind(operand, context.columns));
  if (
    operands.some(endsInBlank) &&
    ignoresBlanks(operands, context.from, context) !== ignoresBlanks(operands, context.to, context)
  )
    return undefined;
  // In SQLite, the type of a column converts the other operand. Values of expressions have no type.
  const hasNumberColumn = operands.some(
    ({ kind }, i) => kind === 'column' && kinds[i] === 'number',
  );
  const isByClass = context.from.mixedComparison === 'by-class' && !hasNumberColumn;
  if (isByClass && kinds.includes('number') && kinds.includes('text')) return undefined;
  const time = operands.map((operand) => timeType(operand, context)).find(isTimeType);
  const converted = operands.map((operand) => {
    if (time !== undefined) return comparedTime(operand, time, context);
    if (kinds.includes('boolean')) return booleanLiteral(operand);
    return kinds.includes('number') ? numberLiteral(operand) : operand;
  });
  const isMixed = converted.some(
    (operand) => operand && valueKind(operand, context.columns) === 'text',
  );
  const converts = [context.from, context.to].every((each) => each.mixedComparison === 'converts');
  if (time === undefined && kinds.includes('number') && isMixed && !converts) return undefined;
  return converted.every((operand) => operand !== undefined) ? converted : undefined;
}

/** A text or number that is compared with a date or time. */
function comparedTime(
  operand: Expression,
  type: TimeType,
  { from, to, columns }: ComparisonContext,
): Expression | undefined {
  const literal = operand.kind === 'cast' && isLiteral(operand.operand) ? operand.operand : operand;
  if (literal.kind === 'null' || (literal === operand && valueKind(operand, columns) === 'time'))
    return operand;
  const text =
    literal.kind === 'text' ? literal.value : literal.kind === 'number' ? literal.text : undefined;
  const isNumber = literal.kind === 'number' && !from.times.takesNumbers;
  return text === undefined || isNumber ? undefined : timeLiteral(text, type, { from, to });
}

function isLiteral({ kind }: Expression): boolean {
  return kind === 'text' || kind === 'number';
}

/** A literal of a date or time in the form of the target. */
export function timeLiteral(
  text: string,
  type: TimeType,
  { from, to }: Pick<ComparisonContext, 'from' | 'to'>,
): Expression | undefined {
  const value = convertTime(text, type, { from: from.times, to: to.times });
  return value === undefined ? undefined : { kind: 'text', value };
}

/** The type of an operand that is a date or time, but no literal. */
function timeType(operand: Expression, { columns }: ComparisonContext): TimeType | undefined {
  if (operand.kind === 'cast' && isLiteral(operand.operand)) return undefined;
  if (valueKind(operand, columns) !== 'time') return undefined;
  const type = inferType(operand, columns);
  if (isTimeType(type)) return type;
  if (operand.kind === 'cast') return typeOfTimeCast(operand.type);
  const isToday = operand.kind === 'call' && operand.name === 'today';
  return isToday ? { kind: 'date' } : { kind: 'timestamp', precision: 6 };
}

/** The type of a cast to a date or time; undefined for other types. */
export function typeOfTimeCast(name: string): TimeType | undefined {
  if (castKind(name) !== 'time') return undefined;
  if (name === 'date') return { kind: 'date' };
  const zone = /with time zone|tz$|offset/.test(name) ? { zone: true } : {};
  return { kind: /^time(?:$|tz| )/.test(name) ? 'time' : 'timestamp', ...zone };
}

/** 0, 1 and the texts for true and false as boolean literals. */
export function booleanLiteral(side: Expression): Expression {
  const text = side.kind === 'number' ? side.text : side.kind === 'text' ? side.value : '';
  if (/^(?:1|t|true)$/i.test(text)) return { kind: 'boolean', value: true };
  return /^(?:0|f|false)$/i.test(text) ? { kind: 'boolean', value: false } : side;
}

/** A text of digits that is compared with a number. */
function numberLiteral(side: Expression): Expression {
  const isNumber = side.kind === 'text' && /^-?\d+(?:\.\d+)?$/.test(side.value);
  return isNumber ? { kind: 'number', text: side.value } : side;
}

function endsInBlank(operand: Expression): boolean {
  if (operand.kind === 'cast') return endsInBlank(operand.operand);
  return operand.kind === 'text' && operand.value.endsWith(' ');
}

/** Whether the dialect ignores trailing blanks when it compares these operands. */
function ignoresBlanks(
  operands: readonly Expression[],
  { trailingBlanks }: ExpressionSyntax,
  { columns }: ComparisonContext,
): boolean {
  if (trailingBlanks !== 'ignored in char columns') return trailingBlanks === 'ignored';
  return operands.some((operand) => {
    const type = operand.kind === 'column' ? inferType(operand, columns) : undefined;
    return type?.kind === 'text' && type.fixed === true;
  });
}
