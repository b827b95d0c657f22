/** Functions that a client's statement calls, judged by the catalog: a name does not show what a function does. */
import { codeOf } from '../../sql/code.ts';
import { words } from '../../sql/words.ts';
import { quoteText } from './ddl.ts';
import { mysqlLexicalRules } from './lexical-rules.ts';
import type { Session, StatementEffect } from '../../model/database.ts';
import type { Row } from '../../model/values.ts';

/** What the stored and loadable functions do that a text calls. Whether one may write is the transaction's affair. */
export async function effectsOfCalls(
  text: string,
  session: Session,
): Promise<readonly StatementEffect[]> {
  const names = calledNames(text);
  if (names.length === 0) return [];
  const ask: Ask = async (query) => (await session.run({ text: query, params: [] })).rows;
  const list = names.map(quoteText).join(', ');
  const found = await ask(
    `SELECT DISTINCT LOWER(ROUTINE_NAME) FROM information_schema.ROUTINES
WHERE ROUTINE_NAME IN (${list}) AND ROUTINE_SCHEMA NOT IN (${ownSchemas})`,
  );
  const loaded = await loadableFunctions(list, ask);
  if (found.length === 0) return loaded;
  const routines = await readRoutines(ask);
  const judged = found.map(([name]) => effectOf(String(name), routines));
  return [...loaded, ...judged.filter((effect) => effect !== undefined)];
}

type Ask = (text: string) => Promise<readonly Row[]>;

/** Of the server's own making. */
const ownSchemas = "'sys', 'mysql', 'information_schema', 'performance_schema'";

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

/** Names before a parenthesis, and what qualifies them: packages have functions. */
function calledNames(text: string): readonly string[] {
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
  const names = code.flatMap(({ word }, i) => {
    if (isVersioned) return [nameAt(i)];
    if (word !== '(') return [];
    const qualifier = code[i - 2]?.word === '.' ? nameAt(i - 3) : '';
    const isBuiltIn = code[i - 1]?.end === code[i]?.start && builtIn.has(code[i - 1]?.word ?? '');
    return isBuiltIn && code[i - 2]?.word !== '.' ? [] : [nameAt(i - 1), qualifier];
  });
  const found = names.filter((name) => name !== '').map((name) => name.toLowerCase());
  return [...new Set(found)];
}

/** A loadable function is a program of its own. Logins that may not read the list may still call what is in it. */
async function loadableFunctions(list: string, ask: Ask): Promise<readonly StatementEffect[]> {
  const found = await ask(`SELECT name FROM mysql.func WHERE name IN (${list})`).catch(() => []);
  return found.map(([name]) => ({
    kind: 'external',
    reason: `The function ${String(name)} is a loaded program`,
  }));
}

interface Routine {
  readonly name: string;
  /** Undefined where the login may not see it. */
  readonly body: string | undefined;
}

async function readRoutines(ask: Ask): Promise<readonly Routine[]> {
  const rows = await ask(
    `SELECT LOWER(ROUTINE_NAME), ROUTINE_DEFINITION FROM information_schema.ROUTINES
WHERE ROUTINE_SCHEMA NOT IN (${ownSchemas})`,
  );
  return rows.map(([name, body]) => ({
    name: String(name),
    body: body === null ? undefined : String(body).toLowerCase(),
  }));
}

/** Looked for in the whole body, strings and comments too: so no way of quoting hides one. */
const reachingWords = /\b(?:outfile|dumpfile|load_file|load\s+data)\b/;
const changingWords =
  /@@|\b(?:global|persist|persist_only|kill|shutdown|restart|flush|reset|purge|install|uninstall|stop)\b/;

/** Undefined for a function that stays within tables and its session, and calls such functions only. */
function effectOf(name: string, routines: readonly Routine[]): StatementEffect | undefined {
  const bodies = bodiesOf(name, routines);
  if (bodies.includes(undefined))
    return {
      kind: 'execute',
      reason: `The function ${name} has a body that this login may not see`,
    };
  const isAny = (pattern: RegExp): boolean => bodies.some((body) => pattern.test(body ?? ''));
  if (isAny(reachingWords))
    return { kind: 'external', reason: `The function ${name} reaches files` };
  return isAny(changingWords)
    ? { kind: 'administration', reason: `The function ${name} may change the server` }
    : undefined;
}

/** The bodies of a routine and of all that they name. */
function bodiesOf(name: string, routines: readonly Routine[]): readonly Routine['body'][] {
  const seen = new Set<Routine>();
  const open = routines.filter((routine) => routine.name === name);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const { body } = next;
    open.push(...routines.filter((other) => body?.includes(other.name) === true));
  }
  return [...seen].map(({ body }) => body);
}
