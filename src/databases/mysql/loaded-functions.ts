/** Functions that are programs of their own, loaded into the server by CREATE FUNCTION … SONAME, a plugin or a component. */
import { codeOf } from '../../sql/code.ts';
import { words } from '../../sql/words.ts';
import { mysqlLexicalRules } from './lexical-rules.ts';
import { nativeFunctions } from './native-functions.ts';
import type { CodeToken } from '../../sql/code.ts';
import type { Row } from '../../model/values.ts';

export type Ask = (text: string) => Promise<readonly Row[]>;

export interface LoadedFunctions {
  /** In small letters. */
  readonly names: ReadonlySet<string>;
  /** The function of a text that may be a loaded program, where the login may not see which there are. */
  unknownIn(text: string, routines: ReadonlySet<string>): string | undefined;
}

export const noLoadedFunctions: LoadedFunctions = { names: new Set(), unknownIn: () => undefined };

/**
 * MySQL lists those of components and of its storage engines in performance_schema alone. A login
 * that may not read a list may still call what is in it: then what is known to be harmless may be
 * called, and nothing else.
 */
export async function readLoadedFunctions(ask: Ask, isMariadb: boolean): Promise<LoadedFunctions> {
  const list = async (text: string): Promise<readonly string[] | undefined> => {
    const rows = await ask(text).catch(() => undefined);
    return rows?.map(([name]) => String(name));
  };
  const created = await list('SELECT LOWER(name) FROM mysql.func');
  const plugins = await list(
    "SELECT LOWER(PLUGIN_NAME) FROM information_schema.PLUGINS WHERE PLUGIN_TYPE = 'FUNCTION' AND PLUGIN_LIBRARY IS NOT NULL",
  );
  const all = isMariadb
    ? created
    : await list('SELECT LOWER(UDF_NAME) FROM performance_schema.user_defined_functions');
  const names = new Set([...(created ?? []), ...(plugins ?? []), ...(all ?? [])]);
  // MySQL's own list is never empty, unless it is switched off.
  const isComplete = all !== undefined && (isMariadb || all.length > 0);
  if (isComplete) return { names, unknownIn: () => undefined };
  const keywords = new Set(await list('SELECT LOWER(WORD) FROM information_schema.KEYWORDS'));
  return { names, unknownIn: (text, routines) => unknownIn(text, { keywords, routines }) };
}

interface Known {
  readonly keywords: ReadonlySet<string>;
  readonly routines: ReadonlySet<string>;
}

function unknownIn(text: string, { keywords, routines }: Known): string | undefined {
  return callsIn(text).find(
    ({ name, isQuoted }) => (isQuoted || !keywords.has(name)) && !routines.has(name),
  )?.name;
}

interface Call {
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
