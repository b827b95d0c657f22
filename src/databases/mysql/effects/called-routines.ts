/** Functions that a client's statement calls and views that it reads, judged by the catalog: a name does not show what is behind it. */
import { quoteText } from '../dialect/ddl.ts';
import { noLoadedFunctions, readLoadedFunctions } from './loaded-functions.ts';
import { callsIn, namesOfText, plainWords } from './names-of-text.ts';
import type { StatementEffect } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/connection.ts';
import type { Ask, LoadedFunctions } from './loaded-functions.ts';

/** What the stored and loadable functions do that a text calls, itself or by views. Whether one may write is the transaction's affair. */
export async function effectsOfCalls(
  text: string,
  session: Pick<Connection, 'run' | 'server'>,
): Promise<readonly StatementEffect[]> {
  const found = await namesOfText({ text });
  const names: Names = {
    all: new Set(found.all),
    called: new Set(found.called),
    words: new Set(found.words),
  };
  if (names.all.size === 0) return [];
  const { isMariadb } = session.server;
  const ask = askBy(session);
  const started = await findNamed(ask, names);
  const isPlain = names.called.size + started.length === 0;
  const loaded = isPlain ? noLoadedFunctions : await readLoadedFunctions(ask, isMariadb);
  const direct = [...loaded.names].filter((name) => names.called.has(name)).map(loadedEffect);
  const bodies = started.length === 0 ? [] : await readBodies(ask, { isMariadb, named: names.all });
  const routines = new Set(
    [...started, ...bodies].filter(({ kind }) => kind === 'routine').map(({ name }) => name),
  );
  const unknown = loaded.unknownIn(found.calls, routines);
  if (unknown !== undefined) direct.push(unknownEffect(`The function ${unknown}`));
  const judged = started.map((start) => effectOf(start, bodies, { ...loaded, routines }));
  return [...direct, ...judged.filter((effect) => effect !== undefined)];
}

/** The same for a read of these relations. Expressions of tables cannot call stored functions. */
export async function effectsOfReading(
  relations: readonly Table[],
  session: Pick<Connection, 'run' | 'server'>,
): Promise<readonly StatementEffect[]> {
  const views = relations.filter(({ kind }) => kind === 'view').map((view) => view.localName);
  if (views.length === 0) return [];
  const { isMariadb } = session.server;
  const ask = askBy(session);
  const rows = await ask(
    `SELECT LOWER(TABLE_NAME), LOWER(TABLE_SCHEMA) FROM information_schema.VIEWS
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (${views.map(quoteText).join(', ')})`,
  );
  const started = rows.map(([name, schema]): Named => ({
    kind: 'view',
    name: String(name),
    schema: String(schema),
  }));
  if (started.length === 0) return [];
  const loaded = await readLoadedFunctions(ask, isMariadb);
  const bodies = await readBodies(ask, { isMariadb, named: new Set() });
  const routines = new Set(bodies.filter(({ kind }) => kind === 'routine').map(({ name }) => name));
  const judged = started.map((start) => effectOf(start, bodies, { ...loaded, routines }));
  return judged.filter((effect) => effect !== undefined);
}

function askBy(session: Pick<Connection, 'run'>): Ask {
  return async (query) => (await session.run({ text: query, params: [] })).rows;
}

/** Whoever may write there makes routines that look like the server's own. */
const serverSchemas: ReadonlySet<string> = new Set(['sys', 'mysql']);

/** In these there are none but the server's own. */
const closedSchemas = ['information_schema', 'performance_schema'];

/** Leaves out the server's schemas that nothing names: MariaDB opens each view that it lists. */
function isOpen(column: string, named: ReadonlySet<string>): string {
  const left = [...serverSchemas].filter((schema) => !named.has(schema));
  const all = [...closedSchemas, ...left].map(quoteText).join(', ');
  return `(${column} NOT IN (${all}) OR ${column} = DATABASE())`;
}

interface Names {
  readonly all: ReadonlySet<string>;
  readonly called: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/** With more names than that, all views and routines are faster read than found by name. */
const mostNames = 500;

/** The views and functions that a text may name: of the current schema, and of schemas that it names. */
async function findNamed(ask: Ask, { all, called, words }: Names): Promise<readonly Named[]> {
  const isAny = (column: string, names: ReadonlySet<string>): string =>
    all.size > mostNames ? '' : `${column} IN (${[...names, ''].map(quoteText).join(', ')}) AND `;
  const rows = await ask(
    `SELECT 'view', LOWER(TABLE_NAME), LOWER(TABLE_SCHEMA), TABLE_SCHEMA = DATABASE()
FROM information_schema.VIEWS WHERE ${isAny('TABLE_NAME', all)}${isOpen('TABLE_SCHEMA', all)}
UNION SELECT 'routine', LOWER(ROUTINE_NAME), LOWER(ROUTINE_SCHEMA), ROUTINE_SCHEMA = DATABASE()
FROM information_schema.ROUTINES WHERE ${isAny('ROUTINE_NAME', called)}${isOpen('ROUTINE_SCHEMA', all)}`,
  );
  return rows.flatMap(([kind, found, inSchema, isCurrent]) => {
    const name = String(found);
    const schema = String(inSchema);
    const isReached = Number(isCurrent) === 1 || isNamed(schema, { text: '', words });
    const isReferenced = isReached && (kind === 'view' ? all : called).has(name);
    return isReferenced ? [{ kind: kind as Kind, name, schema }] : [];
  });
}

function loadedEffect(name: string): StatementEffect {
  return { kind: 'external', reason: `The function ${name} is a loaded program` };
}

function unknownEffect(what: string): StatementEffect {
  const reason = `${what} may be a loaded program, and this login may not see the list of those`;
  return { kind: 'execute', reason };
}

type Kind = 'view' | 'routine';

interface Named {
  readonly kind: Kind;
  readonly name: string;
  readonly schema: string;
}

interface Body extends Named {
  /** Undefined where the login may not see it. */
  readonly text: string | undefined;
  readonly words: ReadonlySet<string>;
  /** By its definer, an account that nobody can log in as. */
  readonly isShipped: boolean;
}

interface Reading {
  readonly isMariadb: boolean;
  /** What the text names, which a schema may be. */
  readonly named: ReadonlySet<string>;
}

/** Those of the server's schemas too, where anything names one. */
async function readBodies(ask: Ask, reading: Reading): Promise<readonly Body[]> {
  const { named } = reading;
  const bodies = await readBodiesOf(ask, reading);
  const missing = [...serverSchemas].filter(
    (schema) => !named.has(schema) && bodies.some(({ words: found }) => found.has(schema)),
  );
  return missing.length === 0
    ? bodies
    : readBodies(ask, { ...reading, named: new Set([...named, ...missing]) });
}

async function readBodiesOf(ask: Ask, { isMariadb, named }: Reading): Promise<readonly Body[]> {
  const rows = await ask(
    `SELECT 'routine', LOWER(ROUTINE_NAME), LOWER(ROUTINE_SCHEMA), ROUTINE_DEFINITION, DEFINER
FROM information_schema.ROUTINES WHERE ${isOpen('ROUTINE_SCHEMA', named)}
UNION ALL SELECT 'view', LOWER(TABLE_NAME), LOWER(TABLE_SCHEMA), VIEW_DEFINITION, DEFINER
FROM information_schema.VIEWS WHERE ${isOpen('TABLE_SCHEMA', named)}`,
  );
  const shipper = isMariadb ? 'mariadb.sys@localhost' : 'mysql.sys@localhost';
  return rows.map(([kind, name, inSchema, body, definer]) => {
    const text = body === null || body === '' ? undefined : String(body).toLowerCase();
    const schema = String(inSchema);
    return {
      kind: kind as Kind,
      name: String(name),
      schema,
      text,
      words: new Set(text?.match(plainWords)),
      isShipped: serverSchemas.has(schema) && definer === shipper,
    };
  });
}

/** Looked for in the whole body, strings and comments too: so no way of quoting hides one. */
const reachingWords =
  /\b(?:outfile|dumpfile|load_file|load\s+data|sys_eval|sys_exec|spider_\w+|innodb_(?:set_open|redo_log)_\w+)\b/;
const changingWords =
  /@@|\b(?:global|persist|persist_only|kill|shutdown|restart|flush|reset|purge|install|uninstall|stop)\b/;

/** The server's own functions read its settings; reading is no change. */
const changingOfShipped =
  /\bset\s+(?:global|persist)|@@\W*(?:global|persist)\w*\W+\w+\W*:?=|\b(?:kill|shutdown|install|uninstall)\b/;

interface Callable extends LoadedFunctions {
  readonly routines: ReadonlySet<string>;
}

/** Undefined for what stays within tables and its session, and so do the functions and views that it names. */
function effectOf(
  start: Named,
  bodies: readonly Body[],
  { names, unknownIn, routines }: Callable,
): StatementEffect | undefined {
  const followed = follow(start, bodies);
  const what = `The ${start.kind === 'view' ? 'view' : 'function'} ${start.name}`;
  const functions = followed.filter(({ kind }) => kind === 'routine');
  const hidden = functions.some(({ text, isShipped }) => text === undefined && !isShipped);
  if (hidden && start.kind === 'routine')
    return { kind: 'execute', reason: `${what} has a body that this login may not see` };
  if (hidden)
    return { kind: 'execute', reason: `${what} calls a function that this login may not see` };
  if (followed.some(({ text }) => reachingWords.test(text ?? '')))
    return { kind: 'external', reason: `${what} reaches files` };
  const program = [...names].find((name) => followed.some((body) => isNamed(name, body)));
  if (program !== undefined)
    return { kind: 'external', reason: `${what} calls ${program}, which is a loaded program` };
  const own = followed.filter(({ isShipped }) => !isShipped);
  const unknown = own
    .map(({ text }) => unknownIn(callsIn(text ?? ''), routines))
    .find((name) => name);
  if (unknown !== undefined) return unknownEffect(`${what} calls ${unknown}, which`);
  return functions.some(mayChange)
    ? { kind: 'administration', reason: `${what} may change the server` }
    : undefined;
}

function mayChange({ text = '', isShipped }: Body): boolean {
  return (isShipped ? changingOfShipped : changingWords).test(text);
}

/** The body of a routine or view and of all that they name. */
function follow(start: Named, bodies: readonly Body[]): readonly Body[] {
  const seen = new Set<Body>();
  const open = bodies.filter(
    ({ kind, name, schema }) =>
      kind === start.kind && name === start.name && schema === start.schema,
  );
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const from = next;
    open.push(...bodies.filter((body) => isNamed(body.name, from) && isNear(body, from)));
  }
  return [...seen];
}

/** Unqualified names are those of the body's own schema, so names of another one are qualified. */
function isNear({ schema }: Named, from: Body): boolean {
  return schema === from.schema || isNamed(schema, from);
}

/** A name of other signs than a plain word's stands in quotes, in whatever way they double. */
function isNamed(name: string, { text, words: found }: Pick<Body, 'text' | 'words'>): boolean {
  const parts = name.match(plainWords) ?? [];
  if (parts.length === 1 && parts[0] === name) return found.has(name);
  return text !== undefined && parts.every((part) => found.has(part));
}
