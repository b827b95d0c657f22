/** What a statement's text names and calls, found in a thread where the text is long. */
import { StudioError } from '../../../model/errors.ts';
import { judgeInThread } from '../../../processes/judge-long-text.ts';
import { moduleUrl } from '../../../processes/module-url.ts';
import { codeOf } from '../../../sql/code.ts';
import { words } from '../../../sql/words.ts';
import { mysqlLexicalRules } from '../language/lexical-rules.ts';
import { nativeFunctions } from './native-functions.ts';
import type { CodeToken } from '../../../sql/code.ts';

export interface TextToRead {
  readonly text: string;
}

/** Does not hold up other requests where the text is long. */
export const namesOfText = judgeInThread<TextToRead, NamesOfText>(
  moduleUrl(new URL('./names-worker.ts', import.meta.url)),
  namesHere,
);

/** Functions of the server, and words that a parenthesis may follow. A routine cannot take these names while the parenthesis stands at once behind them. */
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

const mostCalled = 1000;

/** The server looks for each of them, one after the other, before it says that one does not exist. */
function mustBeFew(calls: readonly Call[]): void {
  const { size } = new Set(calls.map(({ name }) => name));
  if (size <= mostCalled) return;
  const message = `The statement calls ${size} different functions that are not the server's own; it may call ${mostCalled}.`;
  throw new StudioError('invalid_parameter', message, { parameter: 'query' });
}

/** What a text names, in small letters. */
export interface NamesOfText {
  /** Whatever may name a view. */
  readonly all: readonly string[];
  /** What may name a function. */
  readonly called: readonly string[];
  readonly calls: readonly Call[];
  /** All words, those of strings and comments too: a schema that is none of them is not named. */
  readonly words: readonly string[];
}

/** Words as MySQL writes names without quotes. They may begin with a digit. */
export const plainWords = /[\w$\u{80}-\u{10ffff}]+/gu;

/** Names before a parenthesis, and what qualifies them, are called: packages have functions. */
export function namesHere({ text }: TextToRead): NamesOfText {
  const calls = callsIn(text);
  mustBeFew(calls);
  const code = codeOf(text, mysqlLexicalRules);
  const nameAt = (i: number): string => {
    const token = code[i];
    if (token === undefined) return '';
    const written = text.slice(token.start, token.end);
    if (token.kind === 'quoted-name') return written.slice(1, -1).replaceAll('``', '`');
    return token.kind === 'word' ? written : '';
  };
  // With versioned comments it depends on the server what stands before a parenthesis.
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

/** What a text may call by an unqualified name that is none of the servers' own. Keywords may be among it. */
export function callsIn(text: string): readonly Call[] {
  const code = codeOf(text, mysqlLexicalRules);
  let isDefinition = false;
  return code.flatMap((token, i) => {
    // Parts of a definition look like calls, up to the query of a view or the body of a routine.
    if (i === 0 || code[i - 1]?.kind === 'delimiter')
      isDefinition = token.word === 'CREATE' || token.word === 'ALTER';
    else if (bodyBegins.has(token.word)) isDefinition = false;
    if (isDefinition || !isCalled(code, i)) return [];
    const isQuoted = token.kind === 'quoted-name';
    const written = text.slice(token.start, token.end);
    const name = (isQuoted ? written.slice(1, -1) : written).toLowerCase();
    return nativeFunctions.has(name) ? [] : [{ name, isQuoted }];
  });
}

const bodyBegins: ReadonlySet<string> = new Set(['SELECT', 'VALUES', 'BEGIN', 'RETURN']);

/** What a name with a parenthesis follows that is no function: a table or an index with its columns. */
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

/** `, name (columns) AS (query)`: such a list holds names alone. */
function isNamedQuery(code: readonly CodeToken[], i: number): boolean {
  let end = i + 2;
  while (code[end] !== undefined && code[end]?.word !== ')' && code[end]?.word !== '(') end += 1;
  return code[end + 1]?.word === 'AS' && code[end + 2]?.word === '(';
}
