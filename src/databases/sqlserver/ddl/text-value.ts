/** Follows the texts that a script puts together in variables, as far as they are constant. */
import {
  accept,
  acceptOne,
  expect,
  isAtEnd,
  isNext,
  openCursor,
  parseQualifiedName,
  skipTo,
  textBetween,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { readString } from '../../../sql/expression/read-literal.ts';
import { sqlserverLexicalRules } from '../language/lexical-rules.ts';
import { skipOperand } from './parse-scalar.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';

/** A part of a text: constant, or computed when the script runs. */
export interface TextPart {
  /** The constant text; for a computed part its expression. */
  readonly text: string;
  readonly isComputed: boolean;
  /** Offset of the literal in the file. */
  readonly start: number;
  /** The literal with its quotes. */
  readonly literal: string;
  /** The column whose default constraint a query of the catalog finds. */
  readonly defaultOf?: DefaultOwner | undefined;
}

export interface DefaultOwner {
  /** As OBJECT_ID names it. */
  readonly table: string;
  readonly column: string;
}

export type TextValue = readonly TextPart[];

/** The variables of a batch, by their names in lower case. */
export type Variables = Map<string, TextValue>;

/** The text, if all of its parts are constant. */
export function constantText(value: TextValue | undefined): string | undefined {
  if (value === undefined || value.some(({ isComputed }) => isComputed)) return undefined;
  return value.map(({ text }) => text).join('');
}

/** The text as messages show it, with the expressions of computed parts. */
export function shownText(value: TextValue): string {
  return value.map(({ text }) => text).join('');
}

/** A text in more parentheses counts as computed. */
const maxDepth = 20;

/** Parses texts that `+` joins. */
export function parseTextValue(cursor: Cursor, variables: Variables, depth = 0): TextValue {
  const parts = [...parseTextTerm(cursor, variables, depth)];
  while (accept(cursor, '+')) parts.push(...parseTextTerm(cursor, variables, depth));
  return parts;
}

function parseTextTerm(cursor: Cursor, variables: Variables, depth: number): TextValue {
  const from = cursor.at;
  const token = cursor.code[from];
  const constant = (text: string): TextValue => [partOf(cursor, from, { text, isComputed: false })];
  if (token?.kind === 'string') {
    cursor.at += 1;
    const literal = readString(textBetween(cursor, from, cursor.at), cursor.lexical);
    return constant(literal?.kind === 'text' ? literal.value : '');
  }
  if (depth < maxDepth && accept(cursor, '(')) {
    const value = parseTextValue(cursor, variables, depth + 1);
    expect(cursor, ')');
    return value;
  }
  if (accept(cursor, 'SCHEMA_NAME', '(', ')')) return constant('dbo');
  if (depth < maxDepth && accept(cursor, 'QUOTENAME', '('))
    return parseQuoteName(cursor, parseTextValue(cursor, variables, depth + 1), from);
  skipOperand(cursor, 'a text');
  const known = variables.get(textBetween(cursor, from, cursor.at).toLowerCase());
  return known ?? [computedPart(cursor, from)];
}

/** Parses the rest of `QUOTENAME(name, '[')`, which begins at `from`. */
function parseQuoteName(cursor: Cursor, name: TextValue, from: number): TextValue {
  const hasOtherQuotes = wordAt(cursor) !== ')';
  skipTo(cursor, [')']);
  expect(cursor, ')');
  const text = hasOtherQuotes ? undefined : constantText(name);
  const { defaultOf } = name.find((part) => part.defaultOf !== undefined) ?? {};
  return text === undefined
    ? [{ ...computedPart(cursor, from), defaultOf }]
    : [partOf(cursor, from, { text: `[${text.replaceAll(']', ']]')}]`, isComputed: false })];
}

function computedPart(cursor: Cursor, from: number): TextPart {
  return partOf(cursor, from, { text: textBetween(cursor, from, cursor.at), isComputed: true });
}

function partOf(
  cursor: Cursor,
  from: number,
  part: Pick<TextPart, 'text' | 'isComputed'>,
): TextPart {
  const start = cursor.offset + (cursor.code[from]?.start ?? 0);
  return { ...part, start, literal: textBetween(cursor, from, cursor.at) };
}

/** Offset in the file of an offset in the text. */
export function offsetInFile(value: TextValue, offset: number): number {
  let rest = offset;
  for (const { text, start, literal } of value) {
    if (rest <= text.length) {
      const open = literal.indexOf("'") + 1;
      const isPlain = open > 0 && literal.length - open - 1 >= text.length;
      return isPlain ? start + open + lengthInLiteral(text.slice(0, rest)) : start;
    }
    rest -= text.length;
  }
  return value[0]?.start ?? 0;
}

function lengthInLiteral(text: string): number {
  return text.replaceAll("'", "''").length;
}

// DECLARE, SET, SELECT

/** Follows a statement that only sets variables. Returns whether it is one. */
export function followVariables(statement: ScriptStatement, variables: Variables): boolean {
  const cursor = openCursor(statement, sqlserverLexicalRules);
  if (accept(cursor, 'DECLARE')) return followDeclaration(cursor, variables);
  const isAssignment =
    acceptOne(cursor, ['SET', 'SELECT']) !== undefined &&
    isVariable(cursor) &&
    assignment(cursor, 1) !== undefined;
  if (!isAssignment) return false;
  const names: string[] = [];
  do {
    const name = variableName(cursor);
    cursor.at += 1;
    const operator = assignment(cursor, 0) ?? '=';
    cursor.at += operator.length;
    const value = parseTextValue(cursor, variables);
    const before = operator === '+=' ? (variables.get(name) ?? [computedPart(cursor, 0)]) : [];
    variables.set(name, isAtValueEnd(cursor) ? [...before, ...value] : [computedPart(cursor, 0)]);
    names.push(name);
  } while (accept(cursor, ',') && isVariable(cursor) && assignment(cursor, 1) !== undefined);
  if (!isAtEnd(cursor)) markDefaults(statement.text, names, variables);
  return true;
}

/** `@a nvarchar(10) = N'x', @b AS int`. Variables of tables and cursors are not followed. */
function followDeclaration(cursor: Cursor, variables: Variables): boolean {
  do {
    if (!isVariable(cursor)) return false;
    const name = variableName(cursor);
    const from = cursor.at;
    cursor.at += 1;
    accept(cursor, 'AS');
    if (isNext(cursor, 'TABLE') || isNext(cursor, 'CURSOR')) return false;
    skipTo(cursor, [',', '=', ';']);
    const declared = [computedPart({ ...cursor, at: from + 1 }, from)];
    const value = accept(cursor, '=') ? parseTextValue(cursor, variables) : declared;
    variables.set(name, isAtValueEnd(cursor) ? value : declared);
    skipTo(cursor, [',', ';']);
  } while (accept(cursor, ','));
  return true;
}

function isVariable({ code, at }: Cursor): boolean {
  return code[at]?.kind === 'variable';
}

function variableName(cursor: Cursor): string {
  return textBetween(cursor, cursor.at, cursor.at + 1).toLowerCase();
}

/** `=` or `+=`, of which the latter is two tokens. */
function assignment(cursor: Cursor, ahead: number): '=' | '+=' | undefined {
  if (wordAt(cursor, ahead) === '=') return '=';
  return wordAt(cursor, ahead) === '+' && wordAt(cursor, ahead + 1) === '=' ? '+=' : undefined;
}

function isAtValueEnd(cursor: Cursor): boolean {
  return isAtEnd(cursor) || [',', ';', 'FROM', 'WHERE'].includes(wordAt(cursor));
}

/** Notes the column whose default constraint the query finds, as Entity Framework and Liquibase do before they drop it. */
function markDefaults(query: string, names: readonly string[], variables: Variables): void {
  if (!/\bdefault_constraints\b/i.test(query)) return;
  const table = /\bOBJECT_ID\s*\(\s*N?'([^']+)'/i.exec(query)?.[1];
  const column = /\bname\]?\s*=\s*N?'((?:[^']|'')+)'/i.exec(query)?.[1]?.replaceAll("''", "'");
  if (table === undefined || column === undefined) return;
  for (const name of names) {
    const value = variables.get(name) ?? [];
    variables.set(
      name,
      value.map((part) => (part.isComputed ? { ...part, defaultOf: { table, column } } : part)),
    );
  }
}

/** Forgets the variables that a statement may change. */
export function forgetVariables({ text, code }: ScriptStatement, variables: Variables): void {
  for (const { kind, start, end } of code)
    if (kind === 'variable') variables.delete(text.slice(start, end).toLowerCase());
}

/** The parts of a name in a text: `[dbo].[Blogs]`. Undefined if the text is no name. */
export function nameParts(text: string): readonly string[] | undefined {
  const cursor = openCursor({ text, start: 0 }, sqlserverLexicalRules);
  if (isAtEnd(cursor)) return undefined;
  const parts = parseQualifiedName(cursor);
  return isAtEnd(cursor) ? parts : undefined;
}
