import { isOneOf, operatorOf } from './compare-column.ts';
import { StudioError } from '../model/errors.ts';
import { parseExactJson } from '../model/values/exact-json.ts';
import { didYouMean, closestName } from '../model/nearest.ts';
import { join, param, raw, sql } from '../model/fragment.ts';
import { readLikePattern } from './like-pattern.ts';
import type { Dialect, LikePattern } from '../model/database.ts';
import type { JsonNode } from '../model/values/exact-json.ts';
import type { Fragment } from '../model/fragment.ts';
import type { Column, Table } from '../model/schema.ts';
import type { Value } from '../model/values.ts';

/** A filter parameter of a request; `name` is the part after `filter_`. */
export interface FilterParameter {
  readonly name: string;
  readonly value: string;
}

/** Filters of which at least one must hold. */
export interface FilterAlternatives {
  readonly any: readonly FilterParameter[];
}

export type Filter = FilterParameter | FilterAlternatives;

interface Operand {
  readonly dialect: Dialect;
  readonly column: Column;
  /** The full parameter name, for error messages. */
  readonly parameter: string;
}

/** The conditions of all filters, to be combined with AND. */
export function filterConditions(
  dialect: Dialect,
  table: Table,
  filters: readonly Filter[],
): readonly Fragment[] {
  const conditionsOf = (parameters: readonly FilterParameter[]): readonly Fragment[] =>
    parameterConditions(dialect, table, parameters);
  const alternatives = filters.filter((filter) => 'any' in filter);
  return [
    ...conditionsOf(filters.filter((filter) => 'name' in filter)),
    ...alternatives.map(({ any }) => {
      const conditions = any.flatMap((parameter) => conditionsOf([parameter]));
      return sql`(${join(conditions, ' OR ')})`;
    }),
  ];
}

function parameterConditions(
  dialect: Dialect,
  table: Table,
  filters: readonly FilterParameter[],
): readonly Fragment[] {
  const lists = new Map<string, ListFilter>();
  const conditions: Fragment[] = [];
  for (const filter of filters) {
    const { column, operator } = resolveFilter(table, filter.name);
    const operand = { dialect, column, parameter: `filter_${filter.name}` };
    if (operator === 'in' || operator === 'nin') {
      addToList(lists, { operand, negated: operator === 'nin' }, filter.value);
    } else {
      conditions.push(operators[operator](operand, filter.value));
    }
  }
  return [...conditions, ...[...lists.values()].map(listCondition)];
}

const comparison =
  (symbol: string) =>
  (operand: Operand, value: string): Fragment =>
    compare(operand, symbol, value);

const affix =
  (pattern: (text: string) => LikePattern) =>
  (operand: Operand, value: string): Fragment =>
    operand.dialect.like(asText(operand), pattern(value), true);

/** The operators of `filter_<column>__<operator>`. */
const operators = {
  match: (operand: Operand, value: string): Fragment =>
    value.includes('%') ? like(operand, value, false) : compare(operand, '=', value),
  eq: comparison('='),
  ne: comparison('<>'),
  gt: comparison('>'),
  gte: comparison('>='),
  lt: comparison('<'),
  lte: comparison('<='),
  like: (operand: Operand, value: string): Fragment => like(operand, value, false),
  ilike: (operand: Operand, value: string): Fragment => like(operand, value, true),
  contains: affix((literal) => ['any', { literal }, 'any']),
  starts: affix((literal) => [{ literal }, 'any']),
  ends: affix((literal) => ['any', { literal }]),
  null: isNull,
} satisfies Record<string, (operand: Operand, value: string) => Fragment>;

type Operator = keyof typeof operators | 'in' | 'nin';

/** The operator names that clients may use. */
const filterOperators: readonly string[] = [
  ...Object.keys(operators).filter((name) => name !== 'match'),
  'in',
  'nin',
];

/** A column with exactly this name takes precedence over an operator suffix. */
function resolveFilter(table: Table, name: string): { column: Column; operator: Operator } {
  const exact = table.columns.find((column) => column.name === name);
  if (exact !== undefined) return { column: exact, operator: 'match' };
  const split = name.lastIndexOf('__');
  if (split > 0) {
    const column = table.columns.find((candidate) => candidate.name === name.slice(0, split));
    if (column !== undefined) return { column, operator: readOperator(name.slice(split + 2)) };
  }
  throw unknownColumn(
    table,
    split > 0 && isOperator(name.slice(split + 2)) ? name.slice(0, split) : name,
  );
}

function isOperator(name: string): boolean {
  return filterOperators.includes(name);
}

function readOperator(name: string): Operator {
  if (isOperator(name)) return name as Operator;
  throw new StudioError(
    'invalid_parameter',
    `There is no filter operator "${name}".${didYouMean(name, filterOperators)} Known: ${filterOperators.join(', ')}.`,
  );
}

export function unknownColumn(table: Table, name: string): StudioError {
  const names = table.columns.map((column) => column.name);
  const closest = closestName(name, names);
  return new StudioError(
    'unknown_column',
    `Table "${table.name}" has no column "${name}".${didYouMean(name, names)}`,
    { column: name, ...(closest === undefined ? {} : { nearest: closest }) },
  );
}

function compare(operand: Operand, symbol: string, text: string): Fragment {
  const { dialect, column } = operand;
  if (!dialect.isComparable(column.type)) return sql`${asText(operand)} ${symbol} ${param(text)}`;
  const values = comparedValues(symbol, readValues(operand, text));
  const name = dialect.quoteName(column.name);
  const operator = operatorOf(column, symbol);
  const tests = values.map((value) => sql`${name} ${operator} ${param(value, column.type)}`);
  return anyOf(tests, symbol === '<>' ? ' AND ' : ' OR ');
}

/** SQLite orders numbers before texts, so `<` and `>` compare with one of them: the number, if the text can be read as one. */
function comparedValues(symbol: string, values: readonly Value[]): readonly Value[] {
  if (symbol === '=' || symbol === '<>' || values.length === 1) return values;
  const number = values.find((value) => typeof value === 'number' || typeof value === 'bigint');
  return [number ?? values[0] ?? null];
}

function anyOf(tests: readonly Fragment[], separator: string): Fragment {
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : sql`(${join(tests, separator)})`;
}

function readValues({ dialect, column, parameter }: Operand, text: string): readonly Value[] {
  const values = dialect.readParameter(text, column);
  if (values.length > 0) return values;
  throw new StudioError(
    'invalid_parameter',
    `${parameter}: ${JSON.stringify(text)} is not a value of column "${column.name}" (${column.nativeType}).`,
    { parameter, column: column.name },
  );
}

function like(operand: Operand, text: string, ignoreCase: boolean): Fragment {
  return operand.dialect.like(asText(operand), readLikePattern(text), ignoreCase);
}

function asText({ dialect, column }: Operand): string {
  return dialect.asText(dialect.quoteName(column.name), column);
}

function isNull({ dialect, column, parameter }: Operand, text: string): Fragment {
  const name = dialect.quoteName(column.name);
  if (text === 'true' || text === '1') return raw(`${name} IS NULL`);
  if (text === 'false' || text === '0') return raw(`${name} IS NOT NULL`);
  throw new StudioError(
    'invalid_parameter',
    `${parameter} takes true or false, not ${JSON.stringify(text)}.`,
    {
      parameter,
    },
  );
}

interface ListFilter {
  readonly operand: Operand;
  readonly negated: boolean;
  readonly texts: string[];
}

/** Repeated `in` parameters form one list; a JSON array adds several values at once. */
function addToList(
  lists: Map<string, ListFilter>,
  filter: Omit<ListFilter, 'texts'>,
  value: string,
): void {
  const key = filter.operand.parameter;
  const list = lists.get(key) ?? { ...filter, texts: [] };
  list.texts.push(...(value.startsWith('[') ? readList(value, key) : [value]));
  lists.set(key, list);
}

function readList(text: string, parameter: string): readonly string[] {
  const items = parseList(text);
  if (items !== undefined) return items;
  throw new StudioError(
    'invalid_parameter',
    `${parameter} takes a value, repeated for more, or a JSON array of strings, numbers and booleans.`,
    { parameter },
  );
}

function parseList(text: string): readonly string[] | undefined {
  try {
    const node = parseExactJson(text);
    const items = node.kind === 'array' ? node.items.map(itemText) : [undefined];
    return items.every((item) => item !== undefined) ? items : undefined;
  } catch {
    return undefined;
  }
}

function itemText(node: JsonNode): string | undefined {
  if (node.kind === 'number') return node.digits;
  return node.kind === 'string' || node.kind === 'boolean' ? String(node.value) : undefined;
}

function listCondition({ operand, negated, texts }: ListFilter): Fragment {
  const { dialect, column } = operand;
  if (texts.length === 0) return raw(negated ? '1 = 1' : '1 = 0');
  if (dialect.isComparable(column.type)) {
    const among = isOneOf(
      dialect,
      column,
      texts.flatMap((text) => readValues(operand, text)),
    );
    return negated ? sql`NOT (${among})` : among;
  }
  const params = texts.map((text) => param(text));
  return sql`${asText(operand)} ${negated ? 'NOT IN' : 'IN'} (${join(params, ', ')})`;
}

/** A parenthesized "contains" test over all searchable columns; false if there are none. */
export function searchCondition(dialect: Dialect, table: Table, term: string): Fragment {
  const tests = table.columns
    .filter((column) => dialect.isSearchable(column))
    .map((column) =>
      dialect.like(
        dialect.asText(dialect.quoteName(column.name), column),
        ['any', { literal: term }, 'any'],
        true,
      ),
    );
  return tests.length === 0 ? raw('1 = 0') : sql`(${join(tests, ' OR ')})`;
}

/** Excludes rows that are marked as deleted. */
export function notDeletedCondition(dialect: Dialect, table: Table): readonly Fragment[] {
  if (table.softDelete === undefined) return [];
  const name = dialect.quoteName(table.softDelete.column);
  return [raw(table.softDelete.mode === 'time' ? `${name} IS NULL` : `${name} = 0`)];
}
