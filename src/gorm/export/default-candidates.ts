/** Candidates for the `default:` setting of a column's field. */
import { parseTime } from '../models/parse-time.ts';
import type { ReportedColumn } from '../go-field-dialect.ts';
import type { Column } from '../../model/schema.ts';
import type { FieldKind } from '../models/field-kind.ts';

/**
 * Possible texts for a default that the driver reports. Each has the same value for a program that
 * inserts rows and for AutoMigrate that creates the column. `undefined` means that the column has
 * no default.
 */
export function defaultCandidates(
  { default: expression = '' }: Column,
  { default: reported }: ReportedColumn,
  kind: FieldKind,
): readonly (string | undefined)[] {
  if (reported === undefined) return [undefined];
  const literal = literalOf(expression);
  const forms =
    literal === undefined
      ? expressionCandidates(reported, kind)
      : literalCandidates(literal, reported, kind);
  return forms.filter((form) => form === form.trim());
}

function expressionCandidates(reported: string, kind: FieldKind): readonly string[] {
  const isPlain = /^[-+]?[\d.]+(?:e[-+]?\d+)?$|^(?:true|false)$/i.test(reported);
  const isAccepted = kind !== 'string' || isPlain || isCall(reported);
  return isAccepted && reported !== '' && isComplete(reported) ? [reported] : [];
}

/** A Go string has the text itself. Other types have their SQL text. */
function literalCandidates(literal: string, reported: string, kind: FieldKind): readonly string[] {
  if (kind === 'string') return textCandidates(literal, reported);
  if (kind === 'time') return timeCandidates(literal, reported);
  const isParsedByGorm =
    kind !== 'list' && kind !== 'bytes' && kind !== 'other' && kind !== 'unknown';
  if (isParsedByGorm) return reported === literal ? [literal] : [];
  return /^(?:[xbnXBN]?'|")/.test(reported) ? [reported] : [];
}

/** The driver reports a timestamp that GORM can parse in GORM's format, and any other unchanged. */
function timeCandidates(literal: string, reported: string): readonly string[] {
  return (parseTime(reported) === undefined) === (reported !== literal) ? [reported] : [];
}

function textCandidates(literal: string, reported: string): readonly string[] {
  if (reported !== literal && reported !== `'${literal}'`) return [];
  if (/^['"]|['"]$/.test(literal) || literal !== literal.trim()) return [];
  return isCall(literal) || literal === '' || literal.toLowerCase() === 'null'
    ? [`'${literal}'`]
    : [literal];
}

/** The driver reports an expression only up to the first cast. */
function isComplete(text: string): boolean {
  const code = text.replaceAll(/'[^']*'/g, '');
  return !code.includes("'") && code.split('(').length === code.split(')').length;
}

/** GORM treats a text with both brackets as a call, and does not change it. */
function isCall(text: string): boolean {
  return text.includes('(') && text.includes(')');
}

/** The value of a string literal, without a cast after it. Undefined for any other expression. */
export function literalOf(expression: string): string | undefined {
  const [, single, double] =
    /^N?(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)")(?:::[\w\s."()[\],]+)?$/s.exec(
      withoutParentheses(expression.trim()),
    ) ?? [];
  return single?.replaceAll("''", "'") ?? double?.replaceAll('""', '"');
}

function withoutParentheses(expression: string): string {
  const [, inner] = /^\(('(?:[^']|'')*')\)$/s.exec(expression) ?? [];
  return inner ?? expression;
}
