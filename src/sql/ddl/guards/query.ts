/** Evaluates conditions and queries of a script against what the script has created so far. */
import {
  DdlError,
  accept,
  acceptOne,
  expect,
  isAtEnd,
  isNext,
  openCursor,
  parseGroup,
  parseName,
  parseNumber,
  parseQualifiedName,
  skipTo,
  textBetween,
  unexpected,
  wordAt,
} from '../cursor.ts';
import { parseCondition } from './parse-condition.ts';
import { compare, truthOf, undetermined } from './value.ts';
import type { GuardParser, Subquery } from './parse-condition.ts';
import type { Evaluate, GuardRules, Relation, Row, Scope, Source } from './scope.ts';
import type { Truth, Value } from './value.ts';

/** The value of an expression or condition; undetermined if the rules do not determine it. */
export function evaluate(text: string, rules: GuardRules): Value {
  try {
    const parser = openParser(text, rules);
    const found = parseCondition(parser);
    if (!isAtEnd(parser.cursor)) throw unexpected(parser.cursor, 'the end');
    return found(undefined);
  } catch (error) {
    if (error instanceof DdlError) return undetermined;
    throw error;
  }
}

/** The values that a SELECT assigns to variables, by their names in lower case. */
export type Assigned = ReadonlyMap<string, Value>;

/** Empty if the query has no row and assigns nothing. Undefined if the text is not such a query. */
export function evaluateAssignment(text: string, rules: GuardRules): Assigned | undefined {
  try {
    const parser = openParser(text, rules);
    const query = parseSelect(parser);
    const { cursor } = parser;
    accept(cursor, ';');
    const variables = cursor.code.filter(({ kind }) => kind === 'variable').length;
    const usesVariables =
      variables > query.items.filter(({ target }) => target !== undefined).length;
    return isAtEnd(cursor) ? assignedBy(query, usesVariables) : undefined;
  } catch (error) {
    if (error instanceof DdlError) return undefined;
    throw error;
  }
}

function openParser(text: string, rules: GuardRules): GuardParser {
  const cursor = openCursor({ text, start: 0 }, rules.lexical);
  return { cursor, rules, parseSubquery, hasAggregates: false, depth: 0 };
}

interface Item {
  /** Undefined for `*`. */
  readonly evaluate: Evaluate | undefined;
  /** The variable that it is assigned to. */
  readonly target: string | undefined;
}

interface Join {
  readonly source: Source;
  /** Undefined if the rows are not known. */
  readonly rows: readonly Row[] | undefined;
  readonly isOuter: boolean;
  readonly on: Evaluate | undefined;
}

interface Query {
  readonly items: readonly Item[];
  readonly joins: readonly Join[];
  readonly where: Evaluate | undefined;
  readonly isAggregate: boolean;
  /** At most one row. */
  readonly isFirst: boolean;
  readonly rules: GuardRules;
}

function parseSubquery(parser: GuardParser): Subquery {
  const query = parseSelect(parser);
  return {
    exists: (scope) => exists(query, scope),
    value: (scope) => valueOf(query, scope),
    values: (scope) => valuesOf(query, scope),
  };
}

// Parsing

function parseSelect(parser: GuardParser): Query {
  const { cursor, rules } = parser;
  const hadAggregates = parser.hasAggregates;
  parser.hasAggregates = false;
  expect(cursor, 'SELECT');
  acceptOne(cursor, ['ALL', 'DISTINCT']);
  let isFirst = accept(cursor, 'TOP') && parseTop(cursor) === 1;
  const items: Item[] = [];
  // PostgreSQL: SELECT FROM t
  if (!isNext(cursor, 'FROM'))
    do items.push(parseItem(parser));
    while (accept(cursor, ','));
  const targets = parseInto(cursor);
  const isAggregate = parser.hasAggregates;
  parser.hasAggregates = hadAggregates;
  const joins = accept(cursor, 'FROM') ? parseFrom(parser) : [];
  const where = accept(cursor, 'WHERE') ? parseCondition(parser) : undefined;
  if (accept(cursor, 'ORDER', 'BY')) skipTo(cursor, [')', ';', 'LIMIT']);
  if (accept(cursor, 'LIMIT')) {
    const count = parseNumber(cursor);
    if (count === 0) throw unexpected(cursor, 'a limit above zero');
    isFirst ||= count === 1;
  }
  const assigned = items.map((item, i) => ({ ...item, target: item.target ?? targets[i] }));
  return { items: assigned, joins, where, isAggregate, isFirst, rules };
}

/** `TOP 1`, `TOP (1)` */
function parseTop(cursor: GuardParser['cursor']): number {
  const count = wordAt(cursor) === '(' ? Number(parseGroup(cursor)) : parseNumber(cursor);
  if (!(count > 0) || accept(cursor, 'PERCENT')) throw unexpected(cursor, 'a number of rows');
  return count;
}

function parseItem(parser: GuardParser): Item {
  const { cursor } = parser;
  const isVariable = cursor.code[cursor.at]?.kind === 'variable';
  const assigns = isVariable && (wordAt(cursor, 1) === '=' || wordAt(cursor, 1) === ':=');
  const target = assigns ? textBetween(cursor, cursor.at, cursor.at + 1).toLowerCase() : undefined;
  if (assigns) cursor.at += 2;
  const ahead = { ...cursor };
  if (accept(cursor, '*') || isStarOf(ahead)) {
    cursor.at = Math.max(cursor.at, ahead.at);
    return { evaluate: undefined, target };
  }
  const found = parseCondition(parser);
  if (accept(cursor, 'AS')) parseName(cursor, 'an alias');
  else if (isAlias(cursor)) cursor.at += 1;
  return { evaluate: found, target };
}

function isStarOf(cursor: GuardParser['cursor']): boolean {
  while (cursor.code[cursor.at]?.word !== '(' && wordAt(cursor, 1) === '.') cursor.at += 2;
  return accept(cursor, '*');
}

const notAliases: ReadonlySet<string> = new Set(
  'FROM WHERE INTO ORDER GROUP HAVING UNION EXCEPT INTERSECT ON JOIN INNER LEFT RIGHT FULL CROSS OUTER WITH LIMIT FOR NATURAL USING OPTION'.split(
    ' ',
  ),
);

function isAlias({ code, at }: GuardParser['cursor']): boolean {
  const token = code[at];
  if (token?.kind === 'quoted-name' || token?.kind === 'string') return true;
  return token?.kind === 'word' && !notAliases.has(token.word);
}

/** MySQL: `SELECT COUNT(*) INTO @n FROM …` */
function parseInto(cursor: GuardParser['cursor']): readonly string[] {
  if (!accept(cursor, 'INTO')) return [];
  const names: string[] = [];
  do {
    const isVariable = ['variable', 'word'].includes(cursor.code[cursor.at]?.kind ?? '');
    if (!isVariable) throw unexpected(cursor, 'a variable');
    names.push(textBetween(cursor, cursor.at, cursor.at + 1).toLowerCase());
    cursor.at += 1;
  } while (accept(cursor, ','));
  return names;
}

function parseFrom(parser: GuardParser): readonly Join[] {
  const { cursor } = parser;
  const joins = [parseSource(parser, false)];
  for (;;) {
    if (accept(cursor, ',')) {
      joins.push(parseSource(parser, false));
      continue;
    }
    const isOuter = accept(cursor, 'LEFT');
    if (isOuter) accept(cursor, 'OUTER');
    const isCross = !isOuter && accept(cursor, 'CROSS');
    if (!isOuter && !isCross) accept(cursor, 'INNER');
    if (!accept(cursor, 'JOIN')) {
      if (isOuter || isCross) throw unexpected(cursor, 'JOIN');
      return joins;
    }
    const join = parseSource(parser, isOuter);
    if (isCross) joins.push(join);
    else {
      expect(cursor, 'ON');
      joins.push({ ...join, on: parseCondition(parser) });
    }
  }
}

function parseSource(parser: GuardParser, isOuter: boolean): Join {
  const { cursor, rules } = parser;
  const parts = parseQualifiedName(cursor, 'a table');
  const args = wordAt(cursor) === '(' ? parseArguments(parser) : undefined;
  const relation: Relation | undefined = rules.relation(parts, args);
  const name = parseAlias(cursor) ?? parts.at(-1) ?? '';
  if (accept(cursor, 'WITH')) parseGroup(cursor);
  const source = { name: name.toLowerCase(), columns: relation?.columns };
  return { source, rows: relation?.rows, isOuter, on: undefined };
}

function parseArguments(parser: GuardParser): readonly Value[] {
  const { cursor } = parser;
  expect(cursor, '(');
  const args: Value[] = [];
  while (!isNext(cursor, ')')) {
    if (!accept(cursor, 'DEFAULT')) args.push(parseCondition(parser)(undefined));
    else args.push(undetermined);
    if (!accept(cursor, ',')) break;
  }
  expect(cursor, ')');
  return args;
}

function parseAlias(cursor: GuardParser['cursor']): string | undefined {
  if (accept(cursor, 'AS')) return parseName(cursor, 'an alias');
  return isAlias(cursor) ? parseName(cursor, 'an alias') : undefined;
}

// Evaluation

interface Match {
  readonly scope: Scope;
  /** Otherwise the row may or may not be there. */
  readonly isSure: boolean;
}

interface JoinedRow {
  readonly scope: Scope;
  /** Of the condition of the join. */
  readonly truth: Truth;
}

/** More combinations of rows than this leave a query undetermined. */
const maxCombinations = 300_000;

/** Undefined if the rows of a source are not known. */
function matchesOf(
  { joins, where }: Query,
  outer: Scope | undefined,
): readonly Match[] | undefined {
  const sources = joins.map(({ source }) => source);
  let combinations = 0;
  let matches: readonly Match[] = [{ scope: { sources, rows: [], outer }, isSure: true }];
  const passes = (test: Evaluate | undefined, scope: Scope): Truth =>
    test === undefined ? true : truthOf(test(scope));
  for (const { rows, isOuter, on } of joins) {
    if (rows === undefined) return undefined;
    const next: Match[] = [];
    for (const { scope, isSure } of matches) {
      combinations += rows.length;
      if (combinations > maxCombinations) return undefined;
      const joined = rows
        .map((row) => ({ ...scope, rows: [...scope.rows, row] }))
        .map((each): JoinedRow => ({ scope: each, truth: passes(on, each) }))
        .filter(({ truth }) => isPossible(truth));
      const isMatched = joined.some(({ truth }) => truth === true);
      next.push(
        ...joined.map((each) => ({ scope: each.scope, isSure: isSure && each.truth === true })),
      );
      if (isOuter && !isMatched)
        next.push({
          scope: { ...scope, rows: [...scope.rows, null] },
          isSure: isSure && joined.length === 0,
        });
    }
    // A condition on the rows so far. Columns of later sources are undetermined.
    matches = next.filter(({ scope }) => isPossible(passes(where, scope)));
  }
  return matches
    .map(({ scope, isSure }): Match & JoinedRow => {
      const truth = passes(where, scope);
      return { scope, truth, isSure: isSure && truth === true };
    })
    .filter(({ truth }) => isPossible(truth));
}

function isPossible(truth: Truth): boolean {
  return truth === true || truth === undetermined;
}

function exists(query: Query, outer: Scope | undefined): Truth {
  if (query.isAggregate) return true;
  const matches = matchesOf(query, outer);
  if (matches === undefined) return undetermined;
  if (matches.some(({ isSure }) => isSure)) return true;
  return matches.length > 0 ? undetermined : false;
}

/** The scopes of the rows; undefined if it is not certain which rows there are. */
function scopesOf(query: Query, outer: Scope | undefined): readonly Scope[] | undefined {
  const matches = matchesOf(query, outer);
  const isKnown = matches?.every(({ isSure }) => isSure) === true;
  const scopes = matches?.map(({ scope }) => scope);
  if (!query.isAggregate) return isKnown ? scopes : undefined;
  const sources = query.joins.map(({ source }) => source);
  return [{ sources, rows: [], outer, group: isKnown ? (scopes ?? []) : undetermined }];
}

function anyValue(): Value {
  return undetermined;
}

function valuesOf(query: Query, outer: Scope | undefined): readonly Value[] | undefined {
  const value = query.items[0]?.evaluate ?? anyValue;
  return scopesOf(query, outer)?.map((scope) => value(scope));
}

function valueOf(query: Query, outer: Scope | undefined): Value {
  const values = valuesOf(query, outer);
  if (values === undefined) return undetermined;
  const [first = null] = values;
  return values.length < 2 || (query.isFirst && areSame(values, query)) ? first : undetermined;
}

function areSame(values: readonly Value[], { rules }: Query): boolean {
  const [first = null] = values;
  return values.every((value) => compare([value, first], '=', rules) === true);
}

/** Several rows assign one after the other, so a value that depends on variables changes with each. */
function assignedBy(query: Query, usesVariables: boolean): Assigned {
  const scopes = scopesOf(query, undefined);
  const assigned = new Map<string, Value>();
  for (const { target, evaluate: value = anyValue } of query.items) {
    if (target === undefined) continue;
    const values = scopes?.map((scope) => value(scope));
    if (values === undefined) assigned.set(target, undetermined);
    else if (values.length > 0)
      assigned.set(
        target,
        values.length === 1 || (!usesVariables && areSame(values, query))
          ? values[0]!
          : undetermined,
      );
  }
  return assigned;
}
