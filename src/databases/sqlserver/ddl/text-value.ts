/** Tracks the texts that a script concatenates in variables, as far as they are constant. */
import {
  accept,
  acceptOne,
  expect,
  isAtEnd,
  isNext,
  openCursor,
  skipTo,
  textBetween,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { readString } from '../../../sql/expression/read-literal.ts';
import { evaluateAssignment } from '../../../sql/ddl/guards/query.ts';
import { generatedName, undetermined } from '../../../sql/ddl/guards/value.ts';
import { sqlserverLexicalRules } from '../language/lexical-rules.ts';
import { skipOperand } from './parse-scalar.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { GuardRules } from '../../../sql/ddl/guards/scope.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { Value } from '../../../sql/ddl/guards/value.ts';

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
  /** The value of a computed part that is no text, as far as it is known. */
  readonly value?: Value | undefined;
}

export interface DefaultOwner {
  /** As OBJECT_ID names it. */
  readonly table: string;
  readonly column: string;
}

export type TextValue = readonly TextPart[];

/** The variables of a batch. */
export interface Variables {
  /** By their names in lower case. */
  readonly values: Map<string, TextValue>;
  /** The declared types as they are written, by the names of variables in lower case. */
  readonly types: Map<string, string>;
  /** The value of an expression, as far as it is known. */
  readonly evaluate: (expression: string) => Value;
}

/** The value of a variable in a condition. */
export function variableValue({ values, types }: Variables, name: string): Value {
  const parts = values.get(name);
  const [part] = parts ?? [];
  const computed = parts?.length === 1 ? part?.value : undefined;
  const value = constantText(parts) ?? computed ?? (computed === null ? null : undetermined);
  return fitsType(value, types.get(name) ?? '') ? value : undetermined;
}

const integerRanges: Readonly<Record<string, readonly [low: number, high: number]>> = {
  bit: [0, 1],
  tinyint: [0, 255],
  smallint: [-32_768, 32_767],
  int: [-2_147_483_648, 2_147_483_647],
  integer: [-2_147_483_648, 2_147_483_647],
  bigint: [-Infinity, Infinity],
};

/** Whether a variable of the type holds the value as it is. The server converts other values. */
function fitsType(value: Value, type: string): boolean {
  if (value === null || type === '') return true;
  const [, name = '', size = '1'] =
    /^\[?(\w+)\]?\s*(?:\(\s*(\d+|max)\s*\))?$/i.exec(type)?.map((each) => each?.toLowerCase()) ??
    [];
  if (name === 'sql_variant') return true;
  const range = Object.hasOwn(integerRanges, name) ? integerRanges[name] : undefined;
  if (typeof value === 'number')
    return range !== undefined && value >= range[0] && value <= range[1];
  if (typeof value !== 'string')
    return range !== undefined ? name !== 'bit' : /^(?:sysname|nvarchar|varchar)$/.test(name);
  if (name === 'sysname') return value.length <= 128;
  return /^n?(?:var)?char$/.test(name) && (size === 'max' || value.length <= Number(size));
}

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
  if (depth < maxDepth && wordAt(cursor, 1) !== 'SELECT' && accept(cursor, '(')) {
    const value = parseTextValue(cursor, variables, depth + 1);
    expect(cursor, ')');
    return value;
  }
  if (accept(cursor, 'SCHEMA_NAME', '(', ')')) return constant('dbo');
  if (depth < maxDepth && accept(cursor, 'QUOTENAME', '('))
    return parseQuoteName(cursor, parseTextValue(cursor, variables, depth + 1), from);
  skipOperand(cursor, 'a text');
  const text = textBetween(cursor, from, cursor.at);
  const value = variables.values.get(text.toLowerCase());
  return value ?? partsOf(computedPart(cursor, from), variables.evaluate(text));
}

/** The parts for a value that the script computes. */
function partsOf(computed: TextPart, value: Value): TextValue {
  if (typeof value === 'string')
    return [{ ...computed, text: value, isComputed: false, literal: '' }];
  return [value === undetermined ? computed : { ...computed, value }];
}

/** Parses the rest of `QUOTENAME(name, '[')`, which begins at `from`. */
function parseQuoteName(cursor: Cursor, name: TextValue, from: number): TextValue {
  const hasOtherQuotes = wordAt(cursor) !== ')';
  skipTo(cursor, [')']);
  expect(cursor, ')');
  const text = hasOtherQuotes ? undefined : constantText(name);
  const { defaultOf } = name.find((part) => part.defaultOf !== undefined) ?? {};
  return text === undefined
    ? [{ ...computedPart(cursor, from), defaultOf, value: quotedValue(name) }]
    : [partOf(cursor, from, { text: `[${text.replaceAll(']', ']]')}]`, isComputed: false })];
}

/** A name that is no constant may be known not to exist, or to be generated by the server. */
function quotedValue(name: TextValue): Value | undefined {
  const [part] = name;
  return name.length === 1 && (part?.value === null || part?.value === generatedName)
    ? part.value
    : undefined;
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

/** Applies a statement that only sets variables. Returns whether it is one. */
export function trackVariables(
  statement: ScriptStatement,
  variables: Variables,
  rules: GuardRules,
): boolean {
  const cursor = openCursor(statement, sqlserverLexicalRules);
  if (accept(cursor, 'DECLARE')) return trackDeclaration(cursor, variables);
  const isAssignment =
    acceptOne(cursor, ['SET', 'SELECT']) !== undefined &&
    isVariable(cursor) &&
    assignment(cursor, 1) !== undefined;
  if (!isAssignment) return false;
  const { values } = variables;
  const assigned = new Map<string, TextValue>();
  do {
    const name = variableName(cursor);
    cursor.at += 1;
    const operator = assignment(cursor, 0) ?? '=';
    cursor.at += operator.length;
    const value = parseValue(cursor, variables);
    const before = operator === '+=' ? (values.get(name) ?? [computedPart(cursor, 0)]) : [];
    assigned.set(name, isAtValueEnd(cursor) ? [...before, ...value] : [computedPart(cursor, 0)]);
  } while (accept(cursor, ',') && isVariable(cursor) && assignment(cursor, 1) !== undefined);
  accept(cursor, ';');
  if (!isAtEnd(cursor)) assignFromRows(statement, { assigned, rules }, variables);
  else for (const [name, value] of assigned) values.set(name, value);
  return true;
}

interface Assignment {
  /** The expressions, whose values depend on the rows. */
  readonly assigned: ReadonlyMap<string, TextValue>;
  readonly rules: GuardRules;
}

/** `SELECT @a = name FROM …`: no row changes nothing, and the last of several rows stays. */
function assignFromRows(
  { text, start }: ScriptStatement,
  { assigned, rules }: Assignment,
  { values }: Variables,
): void {
  const found = evaluateAssignment(text, rules);
  for (const [name, parts] of assigned) {
    const value = found === undefined ? undetermined : found.get(name);
    if (value === undefined) continue;
    const expression = parts[0] ?? { text, start, literal: '' };
    const computed = { ...expression, isComputed: true, value: undefined };
    // The constant parts of a text with others are still known.
    const isPartial = value === undetermined && parts.some(({ isComputed }) => isComputed);
    values.set(name, isPartial ? parts : partsOf(computed, value));
  }
  markDefaults(text, [...assigned.keys()], values);
}

/** Parses a value. What is no text is evaluated as a whole. */
function parseValue(cursor: Cursor, variables: Variables): TextValue {
  const from = cursor.at;
  const parts = parseTextValue(cursor, variables);
  if (constantText(parts) !== undefined || parts.length < 2) return parts;
  const expressionValue = variables.evaluate(textBetween(cursor, from, cursor.at));
  return expressionValue === undetermined
    ? parts
    : partsOf(computedPart(cursor, from), expressionValue);
}

/** `@a nvarchar(10) = N'x', @b AS int`. Variables of tables and cursors are not tracked. */
function trackDeclaration(cursor: Cursor, variables: Variables): boolean {
  do {
    if (!isVariable(cursor)) return false;
    const name = variableName(cursor);
    const from = cursor.at;
    cursor.at += 1;
    accept(cursor, 'AS');
    if (isNext(cursor, 'TABLE') || isNext(cursor, 'CURSOR')) return false;
    const typeAt = cursor.at;
    skipTo(cursor, [',', '=', ';']);
    variables.types.set(name, textBetween(cursor, typeAt, cursor.at));
    const declared = computedPart({ ...cursor, at: from + 1 }, from);
    const value = accept(cursor, '=')
      ? parseValue(cursor, variables)
      : [{ ...declared, value: null }];
    variables.values.set(name, isAtValueEnd(cursor) ? value : [declared]);
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
function markDefaults(query: string, names: readonly string[], values: Variables['values']): void {
  if (!/\bdefault_constraints\b/i.test(query)) return;
  const table = /\bOBJECT_ID\s*\(\s*N?'([^']+)'/i.exec(query)?.[1];
  const column = /\bname\]?\s*=\s*N?'((?:[^']|'')+)'/i.exec(query)?.[1]?.replaceAll("''", "'");
  if (table === undefined || column === undefined) return;
  for (const name of names) {
    const value = values.get(name) ?? [];
    values.set(
      name,
      value.map((part) => (part.isComputed ? { ...part, defaultOf: { table, column } } : part)),
    );
  }
}

/** Removes the variables that a statement may change. */
export function discardVariables({ text, code }: ScriptStatement, { values }: Variables): void {
  for (const { kind, start, end } of code)
    if (kind === 'variable') values.delete(text.slice(start, end).toLowerCase());
}

const namePart = /^\s*(?:"((?:[^"]|"")*)"\s*|\[((?:[^\]]|\]\])*)\]\s*|((?:[^."[\]][^.]*)?))(\.|$)/;

/**
 * The parts of a name in a text, as procedures and functions of the system take it: quotes may be left
 * out around blanks. Undefined if the text is no name.
 */
export function systemNameParts(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  for (let rest = text.trim(); ;) {
    const [all, double, bracket, plain = '', end] = namePart.exec(rest) ?? [];
    if (all === undefined) return undefined;
    const quoted = double?.replaceAll('""', '"') ?? bracket?.replaceAll(']]', ']');
    parts.push(quoted ?? plain.trim());
    if (end === '') return parts.at(-1) === '' ? undefined : parts;
    rest = rest.slice(all.length);
  }
}
