/** Finds what the functions that a statement calls and the views that it reads may do, by their bodies in the catalog. */
import { quoteText } from '../dialect/ddl.ts';
import { noLoadedFunctions, readLoadedFunctions } from './loaded-functions.ts';
import { callsIn, namesOfText, plainWords } from './names-of-text.ts';
import type { StatementEffect } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/connection.ts';
import type { RunQuery, LoadedFunctions } from './loaded-functions.ts';

/** Effects of the stored and loadable functions that a text calls, directly or through views. Writes are not included: the transaction controls them. */
export async function effectsOfCalls(
  text: string,
  session: Pick<Connection, 'run' | 'server'>,
): Promise<readonly StatementEffect[]> {
  const found = await namesOfText({ text });
  const names: TextNames = {
    all: new Set(found.all),
    called: new Set(found.called),
    words: new Set(found.words),
  };
  if (names.all.size === 0) return [];
  const { isMariadb } = session.server;
  const runQuery = queryRunner(session);
  const roots = await findReferenced(runQuery, names);
  const isPlain = names.called.size + roots.length === 0;
  const loaded = isPlain ? noLoadedFunctions : await readLoadedFunctions(runQuery, isMariadb);
  const direct = [...loaded.names].filter((name) => names.called.has(name)).map(loadedEffect);
  const bodies =
    roots.length === 0 ? [] : await readBodies(runQuery, { isMariadb, named: names.all });
  const routines = new Set(
    [...roots, ...bodies].filter(({ kind }) => kind === 'routine').map(({ name }) => name),
  );
  const unknown = loaded.unknownIn(found.calls, routines);
  if (unknown !== undefined) direct.push(unknownEffect(`The function ${unknown}`));
  const effects = roots.map((root) => effectOf(root, bodies, { ...loaded, routines }));
  return [...direct, ...effects.filter((effect) => effect !== undefined)];
}

/** The effects of options these relations. Only views count: expressions of tables cannot call stored functions. */
export async function effectsOfReading(
  relations: readonly Table[],
  session: Pick<Connection, 'run' | 'server'>,
): Promise<readonly StatementEffect[]> {
  const views = relations.filter(({ kind }) => kind === 'view').map((view) => view.localName);
  if (views.length === 0) return [];
  const { isMariadb } = session.server;
  const runQuery = queryRunner(session);
  const rows = await runQuery(
    `SELECT LOWER(TABLE_NAME), LOWER(TABLE_SCHEMA) FROM information_schema.VIEWS
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (${views.map(quoteText).join(', ')})`,
  );
  const roots = rows.map(([name, schema]): RoutineOrView => ({
    kind: 'view',
    name: String(name),
    schema: String(schema),
  }));
  if (roots.length === 0) return [];
  const loaded = await readLoadedFunctions(runQuery, isMariadb);
  const bodies = await readBodies(runQuery, { isMariadb, named: new Set() });
  const routines = new Set(bodies.filter(({ kind }) => kind === 'routine').map(({ name }) => name));
  const effects = roots.map((root) => effectOf(root, bodies, { ...loaded, routines }));
  return effects.filter((effect) => effect !== undefined);
}

function queryRunner(session: Pick<Connection, 'run'>): RunQuery {
  return async (query) => (await session.run({ text: query, params: [] })).rows;
}

/** Schemas with the server's own routines. Users with write access can add routines that look alike. */
const serverSchemas: ReadonlySet<string> = new Set(['sys', 'mysql']);

/** Schemas that contain nothing but the server's own objects. */
const closedSchemas = ['information_schema', 'performance_schema'];

/** A condition that skips server schemas which the text does not name: MariaDB opens every view that it lists. */
function schemaCondition(column: string, named: ReadonlySet<string>): string {
  const skipped = [...serverSchemas].filter((schema) => !named.has(schema));
  const all = [...closedSchemas, ...skipped].map(quoteText).join(', ');
  return `(${column} NOT IN (${all}) OR ${column} = DATABASE())`;
}

interface TextNames {
  readonly all: ReadonlySet<string>;
  readonly called: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/** With more names, options all views and routines is faster than searching by name. */
const maxNamesInQuery = 500;

/** The views and functions that a text may reference, in the current schema and in schemas that it names. */
async function findReferenced(
  runQuery: RunQuery,
  { all, called, words }: TextNames,
): Promise<readonly RoutineOrView[]> {
  const isAny = (column: string, names: ReadonlySet<string>): string =>
    all.size > maxNamesInQuery
      ? ''
      : `${column} IN (${[...names, ''].map(quoteText).join(', ')}) AND `;
  const rows = await runQuery(
    `SELECT 'view', LOWER(TABLE_NAME), LOWER(TABLE_SCHEMA), TABLE_SCHEMA = DATABASE()
FROM information_schema.VIEWS WHERE ${isAny('TABLE_NAME', all)}${schemaCondition('TABLE_SCHEMA', all)}
UNION SELECT 'routine', LOWER(ROUTINE_NAME), LOWER(ROUTINE_SCHEMA), ROUTINE_SCHEMA = DATABASE()
FROM information_schema.ROUTINES WHERE ${isAny('ROUTINE_NAME', called)}${schemaCondition('ROUTINE_SCHEMA', all)}`,
  );
  return rows.flatMap(([kind, found, inSchema, isCurrent]) => {
    const name = String(found);
    const schema = String(inSchema);
    const isReached = Number(isCurrent) === 1 || mentions(schema, { text: '', words });
    const isReferenced = isReached && (kind === 'view' ? all : called).has(name);
    return isReferenced ? [{ kind: kind as Kind, name, schema }] : [];
  });
}

function loadedEffect(name: string): StatementEffect {
  return { kind: 'external', reason: `The function ${name} is a loadable function` };
}

function unknownEffect(what: string): StatementEffect {
  const reason = `${what} may be a loadable function, and this login is not allowed to read the list of them`;
  return { kind: 'execute', reason };
}

type Kind = 'view' | 'routine';

interface RoutineOrView {
  readonly kind: Kind;
  readonly name: string;
  readonly schema: string;
}

interface Body extends RoutineOrView {
  /** The body in lower case; undefined where the login may not see it. */
  readonly text: string | undefined;
  readonly words: ReadonlySet<string>;
  /** Part of the server, recognized by its definer, an account that cannot log in. */
  readonly isShipped: boolean;
}

interface BodiesToRead {
  readonly isMariadb: boolean;
  /** TextNames in the text; some may be schemas. */
  readonly named: ReadonlySet<string>;
}

/** Reads all bodies, including those of server schemas that the text or another body names. */
async function readBodies(runQuery: RunQuery, options: BodiesToRead): Promise<readonly Body[]> {
  const { named } = options;
  const bodies = await readBodiesOf(runQuery, options);
  const missing = [...serverSchemas].filter(
    (schema) => !named.has(schema) && bodies.some(({ words: found }) => found.has(schema)),
  );
  return missing.length === 0
    ? bodies
    : readBodies(runQuery, { ...options, named: new Set([...named, ...missing]) });
}

async function readBodiesOf(
  runQuery: RunQuery,
  { isMariadb, named }: BodiesToRead,
): Promise<readonly Body[]> {
  const rows = await runQuery(
    `SELECT 'routine', LOWER(ROUTINE_NAME), LOWER(ROUTINE_SCHEMA), ROUTINE_DEFINITION, DEFINER
FROM information_schema.ROUTINES WHERE ${schemaCondition('ROUTINE_SCHEMA', named)}
UNION ALL SELECT 'view', LOWER(TABLE_NAME), LOWER(TABLE_SCHEMA), VIEW_DEFINITION, DEFINER
FROM information_schema.VIEWS WHERE ${schemaCondition('TABLE_SCHEMA', named)}`,
  );
  const serverDefiner = isMariadb ? 'mariadb.sys@localhost' : 'mysql.sys@localhost';
  return rows.map(([kind, name, inSchema, body, definer]) => {
    const text = body === null || body === '' ? undefined : String(body).toLowerCase();
    const schema = String(inSchema);
    return {
      kind: kind as Kind,
      name: String(name),
      schema,
      text,
      words: new Set(text?.match(plainWords)),
      isShipped: serverSchemas.has(schema) && definer === serverDefiner,
    };
  });
}

/** Searched in the whole body, including strings and comments, so that no quoting hides them. */
const externalAccessWords =
  /\b(?:outfile|dumpfile|load_file|load\s+data|sys_eval|sys_exec|spider_\w+|innodb_(?:set_open|redo_log)_\w+)\b/;
const serverChangeWords =
  /@@|\b(?:global|persist|persist_only|kill|shutdown|restart|flush|reset|purge|install|uninstall|stop)\b/;

/** For the server's own functions, which read settings: only changes count. */
const serverChangesInShipped =
  /\bset\s+(?:global|persist)|@@\W*(?:global|persist)\w*\W+\w+\W*:?=|\b(?:kill|shutdown|install|uninstall)\b/;

interface CallableFunctions extends LoadedFunctions {
  readonly routines: ReadonlySet<string>;
}

/** The effect of a view or function and of everything it references; undefined if none of them reaches beyond tables and the session. */
function effectOf(
  root: RoutineOrView,
  bodies: readonly Body[],
  { names, unknownIn, routines }: CallableFunctions,
): StatementEffect | undefined {
  const followed = follow(root, bodies);
  const what = `The ${root.kind === 'view' ? 'view' : 'function'} ${root.name}`;
  const functions = followed.filter(({ kind }) => kind === 'routine');
  const hidden = functions.some(({ text, isShipped }) => text === undefined && !isShipped);
  if (hidden && root.kind === 'routine')
    return { kind: 'execute', reason: `${what} has a body that this login is not allowed to see` };
  if (hidden)
    return {
      kind: 'execute',
      reason: `${what} calls a function whose body this login is not allowed to see`,
    };
  if (followed.some(({ text }) => externalAccessWords.test(text ?? '')))
    return { kind: 'external', reason: `${what} accesses files` };
  const program = [...names].find((name) => followed.some((body) => mentions(name, body)));
  if (program !== undefined)
    return { kind: 'external', reason: `${what} calls ${program}, which is a loadable function` };
  const own = followed.filter(({ isShipped }) => !isShipped);
  const unknown = own
    .map(({ text }) => unknownIn(callsIn(text ?? ''), routines))
    .find((name) => name);
  if (unknown !== undefined) return unknownEffect(`${what} calls ${unknown}, which`);
  return functions.some(mayChangeServer)
    ? { kind: 'administration', reason: `${what} may change the server` }
    : undefined;
}

function mayChangeServer({ text = '', isShipped }: Body): boolean {
  return (isShipped ? serverChangesInShipped : serverChangeWords).test(text);
}

/** The body of a routine or view, and all bodies that it references directly or indirectly. */
function follow(root: RoutineOrView, bodies: readonly Body[]): readonly Body[] {
  const seen = new Set<Body>();
  const open = bodies.filter(
    ({ kind, name, schema }) => kind === root.kind && name === root.name && schema === root.schema,
  );
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const from = next;
    open.push(...bodies.filter((body) => mentions(body.name, from) && isReachable(body, from)));
  }
  return [...seen];
}

/** Unqualified names belong to the schema of the body, so a body must name any other schema. */
function isReachable({ schema }: RoutineOrView, from: Body): boolean {
  return schema === from.schema || mentions(schema, from);
}

/** Matches a name with special characters by its words only, since quoting may change the characters between them. */
function mentions(name: string, { text, words: found }: Pick<Body, 'text' | 'words'>): boolean {
  const parts = name.match(plainWords) ?? [];
  if (parts.length === 1 && parts[0] === name) return found.has(name);
  return text !== undefined && parts.every((part) => found.has(part));
}
