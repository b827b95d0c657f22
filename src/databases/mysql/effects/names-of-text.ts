/** Finds the names and calls in a statement; long texts are processed in a worker thread. */
import { StudioError } from '../../../model/errors.ts';
import { analyzeInThread } from '../../../processes/analyze-long-text.ts';
import { moduleUrl } from '../../../processes/module-url.ts';
import { codeOf } from '../../../portable/lexer/code.ts';
import { words } from '../../../portable/lexer/words.ts';
import { mysqlLexicalRules } from '../language/lexical-rules.ts';
import { nativeFunctions } from './native-functions.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';

export interface TextToRead {
  readonly text: string;
}

/** Runs in a worker thread for long texts, so that other requests do not wait. */
export const namesOfText = analyzeInThread<TextToRead, NamesOfText>(
  moduleUrl(new URL('./names-worker.ts', import.meta.url)),
  findNames,
);

/** Native functions and keywords. Directly before a parenthesis these names never refer to a stored routine. */
const builtIn: ReadonlySet<string> = new Set(
  words(`
    ABS ALL AND ANY AS AVG BETWEEN BY CASE CAST CEIL CEILING CHAR CHAR_LENGTH COALESCE CONCAT
    CONCAT_WS CONVERT COUNT DATE DATE_ADD DATE_FORMAT DATE_SUB DATEDIFF DECIMAL DENSE_RANK ELSE
    EXISTS EXTRACT FIRST_VALUE FLOOR FROM GREATEST GROUP_CONCAT HAVING HEX IF IFNULL IN INSTR
    JOIN JSON_EXTRACT JSON_UNQUOTE LAG LAST_VALUE LEAD LEAST LEFT LENGTH LIKE LIMIT LOWER MAX MIN
    MOD MONTH NOT NOW NULLIF ON OR OVER POW RANK REPLACE RIGHT ROUND ROW_NUMBER SELECT SIGN SQRT
    SUBSTR SUBSTRING SUM THEN TRIM UNION UPPER USING VALUES VARCHAR WHEN WHERE YEAR
  `),
);

const maxCalled = 1000;

/** Limits the number of calls: the server looks up each function before it reports one that does not exist. */
function rejectTooManyCalls(calls: readonly Call[]): void {
  const { size } = new Set(calls.map(({ name }) => name));
  if (size <= maxCalled) return;
  const message = `The statement calls ${size} different functions that are not the server's own; it may call ${maxCalled}.`;
  throw new StudioError('invalid_parameter', message, { parameter: 'query' });
}

/** The names in a text, in lower case. */
export interface NamesOfText {
  /** All names that may refer to a view. */
  readonly all: readonly string[];
  /** Names that may refer to a function. */
  readonly called: readonly string[];
  readonly calls: readonly Call[];
  /** All words, including those in strings and comments. A schema that is not among them is not referenced. */
  readonly words: readonly string[];
}

/** Matches unquoted names of MySQL, which may begin with a digit. */
export const plainWords = /[\w$\u{80}-\u{10ffff}]+/gu;

/** Names before a parenthesis count as called, and so do their qualifiers, which may be packages. */
export function findNames({ text }: TextToRead): NamesOfText {
  const calls = callsIn(text);
  rejectTooManyCalls(calls);
  const code = codeOf(text, mysqlLexicalRules);
  const nameAt = (i: number): string => {
    const token = code[i];
    if (token === undefined) return '';
    const tokenText = text.slice(token.start, token.end);
    if (token.kind === 'quoted-name') return tokenText.slice(1, -1).replaceAll('``', '`');
    return token.kind === 'word' ? tokenText : '';
  };
  // With versioned comments the token before a parenthesis depends on the server.
  const isVersioned = code.some(({ kind }) => kind === 'versioned-open');
  const called = code.flatMap(({ word }, i) => {
    if (isVersioned) return [nameAt(i)];
    if (word !== '(') return [];
    const qualifier = code[i - 2]?.word === '.' ? nameAt(i - 3) : '';
    const isBuiltIn = code[i - 1]?.end === code[i]?.start && builtIn.has(code[i - 1]?.word ?? '');
    return isBuiltIn && code[i - 2]?.word !== '.' ? [] : [nameAt(i - 1), qualifier];
  });
  return {
    all: distinct(code.map((_token, i) => nameAt(i))),
    called: distinct(called),
    calls,
    words: distinct(text.match(plainWords) ?? []),
  };
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== '').map((name) => name.toLowerCase()))];
}

export interface Call {
  readonly name: string;
  readonly isQuoted: boolean;
}

/** Calls by unqualified names that are not native functions. The result may include keywords. */
export function callsIn(text: string): readonly Call[] {
  const code = codeOf(text, mysqlLexicalRules);
  let isDefinition = false;
  return code.flatMap((token, i) => {
    // Before the query of a view or the body of a routine, parts of a definition look like calls.
    if (i === 0 || code[i - 1]?.kind === 'delimiter')
      isDefinition = token.word === 'CREATE' || token.word === 'ALTER';
    else if (bodyBegins.has(token.word)) isDefinition = false;
    if (isDefinition || !isCalled(code, i)) return [];
    const isQuoted = token.kind === 'quoted-name';
    const tokenText = text.slice(token.start, token.end);
    const name = (isQuoted ? tokenText.slice(1, -1) : tokenText).toLowerCase();
    return nativeFunctions.has(name) ? [] : [{ name, isQuoted }];
  });
}

const bodyBegins: ReadonlySet<string> = new Set(['SELECT', 'VALUES', 'BEGIN', 'RETURN']);

/** After these tokens, a name with a parenthesis is a table or index with its columns. */
const beforeColumns: ReadonlySet<string> = new Set(
  words(`
    . ) AS INTO TABLE EXISTS REFERENCES INDEX KEY UNIQUE FULLTEXT SPATIAL WITH RECURSIVE INSERT
    REPLACE IGNORE LOW_PRIORITY HIGH_PRIORITY DELAYED
  `),
);

function isCalled(code: readonly CodeToken[], i: number): boolean {
  const token = code[i];
  if (token?.kind !== 'word' && token?.kind !== 'quoted-name') return false;
  const before = code[i - 1]?.word ?? '';
  return code[i + 1]?.word === '(' && !beforeColumns.has(before) && !isNamedQuery(code, i);
}

/** Whether the name is a common table expression, `name (columns) AS (query)`, whose list holds names only. */
function isNamedQuery(code: readonly CodeToken[], i: number): boolean {
  let end = i + 2;
  while (code[end] !== undefined && code[end]?.word !== ')' && code[end]?.word !== '(') end += 1;
  return code[end + 1]?.word === 'AS' && code[end + 2]?.word === '(';
}
