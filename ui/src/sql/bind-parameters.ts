import { presentationOf } from '../../../src/databases/presentations.ts';
import { tokenize } from '../../../src/portable/lexer/lexer.ts';
import type { Token } from '../../../src/portable/lexer/lexer.ts';
import type { DatabasePresentation, ParameterSyntax } from '../../../src/portable/presentation.ts';

/** A statement with parameters in the syntax of the database, and the names of its values. */
export interface BoundStatement {
  readonly query: string;
  /** The name of each value, in the order of the parameters. */
  readonly names: readonly string[];
}

/** Converts `:name` parameters to the syntax of the database. */
export function bindParameters(statement: string, driver: string | undefined): BoundStatement {
  const database = presentationOf(driver);
  const names: string[] = [];
  let query = '';
  let end = 0;
  for (const { name, from, to } of database === undefined
    ? []
    : findParameters(statement, database)) {
    const index = database?.parameters.isByOrder === true ? -1 : names.indexOf(name);
    const position = index < 0 ? names.push(name) : index + 1;
    query += statement.slice(end, from) + (database?.parameters.placeholder(position) ?? '');
    end = to;
  }
  return { query: query + statement.slice(end), names };
}

interface FoundParameter {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

function findParameters(
  statement: string,
  { lexicalRules, parameters }: DatabasePresentation,
): readonly FoundParameter[] {
  const found: FoundParameter[] = [];
  const tokens = tokenize(statement, lexicalRules);
  let brackets = 0;
  for (const [i, token] of tokens.entries()) {
    const text = textOf(statement, token);
    if (text === '[') brackets++;
    if (text === ']') brackets--;
    const isNamed = brackets === 0 && isColonName(statement, tokens, i);
    const to = isNamed ? (tokens[i + 1]?.end ?? token.end) : token.end;
    if (isNamed || token.kind === 'parameter' || isVariable(text, token, parameters))
      found.push({ name: nameOf(statement.slice(token.start, to), found), from: token.start, to });
  }
  return found;
}

/** Anonymous parameters are named by their number. */
function nameOf(text: string, before: readonly FoundParameter[]): string {
  return text === '?' ? `? ${before.length + 1}` : text;
}

function isVariable(text: string, { kind }: Token, { areVariables = false }: ParameterSyntax) {
  return areVariables && kind === 'variable' && !text.startsWith('@@');
}

/** A colon that is neither part of a cast nor of a slice or a pair, and a word directly after it. */
function isColonName(statement: string, tokens: readonly Token[], at: number): boolean {
  const [before, colon, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (before === undefined || colon === undefined || after?.kind !== 'word') return false;
  const isFree = before.kind === 'space' || before.kind === 'operator';
  return textOf(statement, colon) === ':' && (isFree || '(,'.includes(textOf(statement, before)));
}

function textOf(statement: string, { start, end }: Token): string {
  return statement.slice(start, end);
}
