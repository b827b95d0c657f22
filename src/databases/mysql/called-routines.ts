/** Functions that a client's statement calls and views that it reads, judged by the catalog: a name does not show what is behind it. */
import { codeOf } from '../../sql/code.ts';
import { words } from '../../sql/words.ts';
import { quoteText } from './ddl.ts';
import { mysqlLexicalRules } from './lexical-rules.ts';
import type { Session, StatementEffect } from '../../model/database.ts';
import type { Row } from '../../model/values.ts';

/** What the stored and loadable functions do that a text calls, itself or by views. Whether one may write is the transaction's affair. */
export async function effectsOfCalls(
  text: string,
  session: Session,
): Promise<readonly StatementEffect[]> {
  const { all, called } = namesIn(text);
  if (all.length === 0) return [];
  const ask: Ask = async (query) => (await session.run({ text: query, params: [] })).rows;
  const found = await ask(
    `SELECT 'view', LOWER(TABLE_NAME) FROM information_schema.VIEWS
WHERE TABLE_NAME IN (${all.map(quoteText).join(', ')}) AND TABLE_SCHEMA NOT IN (${ownSchemas})
UNION SELECT 'routine', LOWER(ROUTINE_NAME) FROM information_schema.ROUTINES
WHERE ROUTINE_NAME IN (${[...called, ''].map(quoteText).join(', ')}) AND ROUTINE_SCHEMA NOT IN (${ownSchemas})`,
  );
  const loaded = called.length + found.length === 0 ? [] : await loadedFunctions(ask);
  const direct = loaded.filter((name) => called.includes(name)).map(loadedEffect);
  if (found.length === 0) return direct;
  const bodies = await readBodies(ask);
  const judged = found.map(([kind, name]) => {
    const start = { kind: kind as Kind, name: String(name) };
    return effectOf(start, bodies, loaded);
  });
  return [...direct, ...judged.filter((effect) => effect !== undefined)];
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

interface Names {
  /** Whatever may name a view. */
  readonly all: readonly string[];
  /** What may name a function. */
  readonly called: readonly string[];
}

/** Names before a parenthesis, and what qualifies them, are called: packages have functions. */
function namesIn(text: string): Names {
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
  return { all: distinct(code.map((_token, i) => nameAt(i))), called: distinct(called) };
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== '').map((name) => name.toLowerCase()))];
}

/** Loadable functions are programs of their own. Logins that may not read the list may still call what is in it. */
async function loadedFunctions(ask: Ask): Promise<readonly string[]> {
  const found = await ask('SELECT LOWER(name) FROM mysql.func').catch(() => []);
  return found.map(([name]) => String(name));
}

function loadedEffect(name: string): StatementEffect {
  return { kind: 'external', reason: `The function ${name} is a loaded program` };
}

type Kind = 'view' | 'routine';

interface Named {
  readonly kind: Kind;
  readonly name: string;
}

interface Body extends Named {
  /** Undefined where the login may not see it. */
  readonly text: string | undefined;
  readonly words: ReadonlySet<string>;
}

async function readBodies(ask: Ask): Promise<readonly Body[]> {
  const rows = await ask(
    `SELECT 'routine', LOWER(ROUTINE_NAME), ROUTINE_DEFINITION FROM information_schema.ROUTINES
WHERE ROUTINE_SCHEMA NOT IN (${ownSchemas})
UNION ALL SELECT 'view', LOWER(TABLE_NAME), VIEW_DEFINITION FROM information_schema.VIEWS
WHERE TABLE_SCHEMA NOT IN (${ownSchemas})`,
  );
  return rows.map(([kind, name, body]) => {
    const text = body === null || body === '' ? undefined : String(body).toLowerCase();
    const found = text?.match(plainWords) ?? [];
    return { kind: kind as Kind, name: String(name), text, words: new Set(found) };
  });
}

const plainWords = /[\w$\u{80}-\u{10ffff}]+/gu;

/** Looked for in the whole body, strings and comments too: so no way of quoting hides one. */
const reachingWords = /\b(?:outfile|dumpfile|load_file|load\s+data|sys_eval|sys_exec|spider_\w+)\b/;
const changingWords =
  /@@|\b(?:global|persist|persist_only|kill|shutdown|restart|flush|reset|purge|install|uninstall|stop)\b/;

/** Undefined for what stays within tables and its session, and so do the functions and views that it names. */
function effectOf(
  start: Named,
  bodies: readonly Body[],
  loaded: readonly string[],
): StatementEffect | undefined {
  const followed = follow(start, bodies);
  const what = `The ${start.kind === 'view' ? 'view' : 'function'} ${start.name}`;
  const routines = followed.filter(({ kind }) => kind === 'routine');
  const hidden = routines.some(({ text }) => text === undefined);
  if (hidden && start.kind === 'routine')
    return { kind: 'execute', reason: `${what} has a body that this login may not see` };
  if (hidden)
    return { kind: 'execute', reason: `${what} calls a function that this login may not see` };
  if (followed.some(({ text }) => reachingWords.test(text ?? '')))
    return { kind: 'external', reason: `${what} reaches files` };
  const program = loaded.find((name) => followed.some((body) => isNamed(name, body)));
  if (program !== undefined)
    return { kind: 'external', reason: `${what} calls ${program}, which is a loaded program` };
  return routines.some(({ text }) => changingWords.test(text ?? ''))
    ? { kind: 'administration', reason: `${what} may change the server` }
    : undefined;
}

/** The body of a routine or view and of all that they name. */
function follow(start: Named, bodies: readonly Body[]): readonly Body[] {
  const seen = new Set<Body>();
  const open = bodies.filter(({ kind, name }) => kind === start.kind && name === start.name);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const from = next;
    open.push(...bodies.filter(({ name }) => isNamed(name, from)));
  }
  return [...seen];
}

/** A name of other signs than a plain word's stands in quotes, in whatever way they double. */
function isNamed(name: string, { text, words: found }: Body): boolean {
  const parts = name.match(plainWords) ?? [];
  if (parts.length === 1 && parts[0] === name) return found.has(name);
  return text !== undefined && parts.every((part) => found.has(part));
}
