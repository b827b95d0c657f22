import { codeOf, groupEnds } from '../../../portable/lexer/code.ts';
import { bindingsOf } from '../driver/bindings.ts';
import { readQueryPlan } from '../driver/explain.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';
import type { Query } from '../../../model/database.ts';
import type { Connection } from '../driver/driver.ts';

/** Operators that an index search can evaluate. */
const indexable: ReadonlySet<string> = new Set(['=', '<', '>', '<=', '>=', 'IN', 'IS']);

/**
 * Whether the lines of a plan read about as many rows as it returns: it must be
 * one line, on one table, without sorting, and each condition of the statement must be a term of the
 * index search. This holds for statements that the studio builds, `SELECT … FROM table
 * [WHERE a AND b] ORDER BY … LIMIT …`, on an ordinary table. It says nothing about rows skipped by
 * OFFSET, expensive expressions, or long values. In doubt the result is false.
 */
function isBoundedPlan(plan: readonly string[], text: string): boolean {
  const [line, another] = plan;
  if (line === undefined || another !== undefined) return false;
  const conditions = requiredTerms(readConditions(text));
  if (conditions === undefined) return false;
  if (conditions.length === 0)
    return /^SCAN (?!CONSTANT)/.test(line) && !line.includes('VIRTUAL TABLE');
  const terms = /^SEARCH .* USING (?!AUTOMATIC).*\(([^()]*(?:=|<|>)\?)\)(?: LEFT-JOIN)?$/s.exec(
    line,
  )?.[1];
  return terms !== undefined && terms.split(' AND ').length === conditions.length;
}

/** The table in the FROM clause. */
function tableRead(text: string): string | undefined {
  const code = codeOf(text, sqliteLexicalRules);
  const from = code.findIndex(({ word }) => word === 'FROM');
  const name = code[from + 1];
  if (from < 0 || name?.kind !== 'quoted-name') return undefined;
  return text.slice(name.start + 1, name.end - 1).replaceAll('""', '"');
}

function isOrdinaryTable(connection: Connection, table: string): boolean {
  const text = `SELECT type FROM pragma_table_list(?) WHERE schema = 'main'`;
  return connection.statement(text).all([table], false)[0]?.[0] === 'table';
}

interface Condition {
  readonly column: string;
  readonly operator: string;
}

/** The conditions that WHERE joins with AND; undefined for one that is not `"column" operator …`. */
function readConditions(text: string): readonly (Condition | undefined)[] {
  const code = topLevel(codeOf(text, sqliteLexicalRules));
  const where = code.findIndex(({ word }) => word === 'WHERE');
  if (where < 0) return [];
  const end = code.findIndex(({ word }, i) => i > where && (word === 'ORDER' || word === 'LIMIT'));
  const members: CodeToken[][] = [[]];
  for (const token of code.slice(where + 1, end < 0 ? code.length : end)) {
    if (token.word === 'AND') members.push([]);
    else members.at(-1)?.push(token);
  }
  return members.map((member) => readCondition(text, member));
}

function readCondition(
  text: string,
  [column, operator, next]: readonly CodeToken[],
): Condition | undefined {
  if (column?.kind !== 'quoted-name' || operator === undefined || !indexable.has(operator.word))
    return undefined;
  const isNot = operator.word === 'IS' && next?.word === 'NOT';
  return {
    column: text.slice(column.start, column.end),
    operator: isNot ? 'IS NOT' : operator.word,
  };
}

/** The conditions that the plan must have as terms. Any other condition on a column implies its IS NOT NULL. */
function requiredTerms(
  conditions: readonly (Condition | undefined)[],
): readonly Condition[] | undefined {
  const comparable = conditions.filter((condition) => condition !== undefined);
  if (comparable.length < conditions.length) return undefined;
  const compared = new Set(
    comparable.filter(({ operator }) => operator !== 'IS NOT').map(({ column }) => column),
  );
  return comparable.filter(
    ({ operator, column }) => operator !== 'IS NOT' || !compared.has(column),
  );
}

/** The tokens outside parentheses, and the opening ones. */
function topLevel(code: readonly CodeToken[]): readonly CodeToken[] {
  const ends = groupEnds(code);
  const outside: CodeToken[] = [];
  for (let i = 0; i < code.length; i = code[i]?.word === '(' ? (ends[i] ?? code.length) : i + 1) {
    const token = code[i];
    if (token !== undefined) outside.push(token);
  }
  return outside;
}

/** Whether the plan of a query on one table reads about as many rows as it returns. */
export function isBoundedRead(connection: Connection, { text, params }: Query): boolean {
  const table = tableRead(text);
  if (table === undefined || !isOrdinaryTable(connection, table)) return false;
  const plan = readQueryPlan(connection, text, bindingsOf(text, params));
  return isBoundedPlan(plan, text);
}
