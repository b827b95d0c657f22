/** The `default:` that a column's field may have. */
import { parseTime } from '../models/parse-time.ts';
import type { ReportedColumn } from '../go-field-dialect.ts';
import type { Column } from '../../model/schema.ts';
import type { FieldKind } from '../models/field-kind.ts';

/**
 * Texts for a default as the driver reports it, each of which is the same value to a program that
 * inserts rows and to AutoMigrate that makes the column; `undefined` for a column without one.
 */
export function defaultCandidates(
  { default: expression = '' }: Column,
  { default: reported }: ReportedColumn,
  kind: FieldKind,
): readonly (string | undefined)[] {
  if (reported === undefined) return [undefined];
  const literal = literalOf(expression);
  const forms =
    literal === undefined ? ofExpression(reported, kind) : ofLiteral(literal, reported, kind);
  return forms.filter((form) => form === form.trim());
}

function ofExpression(reported: string, kind: FieldKind): readonly string[] {
  const isPlain = /^[-+]?[\d.]+(?:e[-+]?\d+)?$|^(?:true|false)$/i.test(reported);
  const isAccepted = kind !== 'string' || isPlain || isCall(reported);
  return isAccepted && reported !== '' && isComplete(reported) ? [reported] : [];
}

/** A Go string has the text itself; other types are written as they stand in SQL. */
function ofLiteral(literal: string, reported: string, kind: FieldKind): readonly string[] {
  if (kind === 'string') return ofText(literal, reported);
  if (kind === 'time') return ofTime(literal, reported);
  const isParsed = kind !== 'list' && kind !== 'bytes' && kind !== 'other' && kind !== 'unknown';
  if (isParsed) return reported === literal ? [literal] : [];
  return /^(?:[xbnXBN]?'|")/.test(reported) ? [reported] : [];
}

/** A moment that GORM reads is written in its own way; one that it does not stands as it is. */
function ofTime(literal: string, reported: string): readonly string[] {
  return (parseTime(reported) === undefined) === (reported !== literal) ? [reported] : [];
}

function ofText(literal: string, reported: string): readonly string[] {
  if (reported !== literal && reported !== `'${literal}'`) return [];
  if (/^['"]|['"]$/.test(literal) || literal !== literal.trim()) return [];
  return isCall(literal) || literal === '' || literal.toLowerCase() === 'null'
    ? [`'${literal}'`]
    : [literal];
}

/** A cast within an expression ends what the driver reports of it. */
function isComplete(text: string): boolean {
  const code = text.replaceAll(/'[^']*'/g, '');
  return !code.includes("'") && code.split('(').length === code.split(')').length;
}

/** GORM takes what has both brackets for a call, and leaves it as it is. */
function isCall(text: string): boolean {
  return text.includes('(') && text.includes(')');
}

/** The text that a string literal stands for, a cast behind it apart; undefined for anything else. */
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
