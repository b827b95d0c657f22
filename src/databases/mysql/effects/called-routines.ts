/** Finds what the functions that a statement calls and the views that it reads may do, by their bodies in the catalog. */
import {
  catalogQuery,
  asFlag,
  asOptionalText,
  readCatalogRows,
  asText,
} from '../../catalog-query.ts';
import { quoteName, quoteText } from '../dialect/ddl.ts';
import { noLoadedFunctions, readLoadedFunctions } from './loaded-functions.ts';
import { callsIn, namesOfText, plainWords } from './names-of-text.ts';
import type { StatementEffect } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/connection.ts';
import type { LoadedFunctions } from './loaded-functions.ts';

/** Effects of the stored and loadable functions that a text calls, directly or through views. Writes are not included: the transaction controls them. */
export async function effectsOfCalls(
  statement: string,
  session: Pick<Connection, 'run' | 'server'>,
): Promise<readonly StatementEffect[]> {
  const found = await namesOfText({ text: statement });
  const names: TextNames = {
    all: new Set(found.all),
    called: new Set(found.called),
    words: new Set(found.words),
  };
  if (names.all.size === 0) return [];
  const { isMariadb } = session.server;
  const schemas = await readSchemas(session);
  const roots = await findReferenced(session, schemas, names);
  const callsNothing = names.called.size + roots.length === 0;
  const loadedFunctions = callsNothing
    ? noLoadedFunctions
    : await readLoadedFunctions(session, isMariadb);
  const direct = [...loadedFunctions.names]
    .filter((name) => names.called.has(name))
    .map(loadedEffect);
  const namesInText = new Set([...names.all, ...roots.map(({ schema }) => schema)]);
  const bodies =
    roots.length === 0 ? [] : await readBodies(session, { isMariadb, schemas, namesInText });
  const routines = new Set(
    [...roots, ...bodies].filter(({ kind }) => kind === 'routine').map(({ name }) => name),
  );
  const unknown = loadedFunctions.unknownIn(found.calls, routines);
  if (unknown !== undefined) direct.push(unknownEffect(`The function ${unknown}`));
  const effects = roots.map((root) => effectOf(root, bodies, { ...loadedFunctions, routines }));
  return [...direct, ...effects.filter((effect) => effect !== undefined)];
}

/** The effects of reading these relations. Only views count: expressions of tables cannot call stored functions. */
export async function effectsOfReading(
  relations: readonly Table[],
  session: Pick<Connection, 'run' | 'server'>,
): Promise<readonly StatementEffect[]> {
  const views = relations.filter(({ kind }) => kind === 'view').map((view) => view.localName);
  if (views.length === 0) return [];
  const { isMariadb } = session.server;
  const query = catalogQuery(
    { name: asText('LOWER(TABLE_NAME)'), schema: asText('LOWER(TABLE_SCHEMA)') },
    (selectList) => `SELECT ${selectList} FROM information_schema.VIEWS
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (${views.map(quoteText).join(', ')})`,
  );
  const rows = await readCatalogRows(session, query);
  const roots = rows.map((row): RoutineOrView => ({ kind: 'view', ...row }));
  if (roots.length === 0) return [];
  const loadedFunctions = await readLoadedFunctions(session, isMariadb);
  const schemas = await readSchemas(session);
  const bodies = await readBodies(session, { isMariadb, schemas, namesInText: new Set() });
  const routines = new Set(bodies.filter(({ kind }) => kind === 'routine').map(({ name }) => name));
  const effects = roots.map((root) => effectOf(root, bodies, { ...loadedFunctions, routines }));
  return effects.filter((effect) => effect !== undefined);
}

/** Schemas with the server's own routines. Users with write access can add routines that look alike. */
const serverSchemas: ReadonlySet<string> = new Set(['sys', 'mysql']);

/** Schemas that contain nothing but the server's own objects. */
const closedSchemas = ['information_schema', 'performance_schema'];

interface Schema {
  readonly name: string;
  /** The name in lower case. */
  readonly folded: string;
  readonly isCurrent: boolean;
}

async function readSchemas(session: Pick<Connection, 'run'>): Promise<readonly Schema[]> {
  const query = catalogQuery(
    { name: asText('SCHEMA_NAME'), isCurrent: asFlag('SCHEMA_NAME = DATABASE()') },
    (selectList) => `SELECT ${selectList} FROM information_schema.SCHEMATA
WHERE SCHEMA_NAME NOT IN (${closedSchemas.map(quoteText).join(', ')})`,
  );
  const rows = await readCatalogRows(session, query);
  return rows.map(({ name, isCurrent }) => ({ name, folded: name.toLowerCase(), isCurrent }));
}

/**
 * MariaDB lists views by opening every table of the schemas that it reads, and waits for those that
 * another session is creating. Only a condition that equates the schema restricts it to that schema,
 * and it opens only the tables whose names the condition lists.
 * https://mariadb.com/kb/en/information-schema-optimizations
 */
function viewCondition({ name }: Schema): string {
  return `TABLE_SCHEMA = ${quoteText(name)}`;
}

const tableTypes: ReadonlySet<string> = new Set(['BASE TABLE', 'SYSTEM VERSIONED', 'SEQUENCE']);

/** A condition on the views of the schema by name; undefined if it has none. SHOW TABLES does not wait. */
async function namedViewCondition(
  session: Pick<Connection, 'run'>,
  schema: Schema,
): Promise<string | undefined> {
  const text = `SHOW FULL TABLES IN ${quoteName(schema.name)}`;
  const tables = await session.run({ text, params: [] });
  const views = tables.rows.filter(([, type]) => !tableTypes.has(String(type)));
  const names = views.map(([name]) => quoteText(String(name))).join(', ');
  return names === '' ? undefined : `${viewCondition(schema)} AND TABLE_NAME IN (${names})`;
}

/** Skips server schemas which the text does not name. */
function routineCondition(namesInText: ReadonlySet<string>): string {
  const skipped = [...serverSchemas].filter((schema) => !namesInText.has(schema));
  const all = [...closedSchemas, ...skipped].map(quoteText).join(', ');
  return `(ROUTINE_SCHEMA NOT IN (${all}) OR ROUTINE_SCHEMA = DATABASE())`;
}

interface TextNames {
  readonly all: ReadonlySet<string>;
  readonly called: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/** With more names, reading all views and routines is faster than searching by name. */
const maxNamesInQuery = 500;

/** The views and functions that a text may reference, in the current schema and in schemas that it names. */
async function findReferenced(
  session: Pick<Connection, 'run'>,
  schemas: readonly Schema[],
  { all, called, words }: TextNames,
): Promise<readonly RoutineOrView[]> {
  const isAny = (column: string, names: ReadonlySet<string>): string =>
    all.size > maxNamesInQuery
      ? ''
      : `${column} IN (${[...names, ''].map(quoteText).join(', ')}) AND `;
  const isNamed = (schema: string): boolean => mentions(schema, { text: '', words });
  const reached = schemas.filter(({ folded, isCurrent }) => isCurrent || isNamed(folded));
  const query = catalogQuery(
    {
      kind: asText(`'routine'`),
      name: asText('LOWER(ROUTINE_NAME)'),
      schema: asText('LOWER(ROUTINE_SCHEMA)'),
      isCurrent: asFlag('ROUTINE_SCHEMA = DATABASE()'),
    },
    (selectList) =>
      [
        `SELECT ${selectList}
FROM information_schema.ROUTINES WHERE ${isAny('ROUTINE_NAME', called)}${routineCondition(all)}`,
        ...reached.map(
          (
            schema,
          ) => `SELECT 'view', LOWER(TABLE_NAME), LOWER(TABLE_SCHEMA), ${Number(schema.isCurrent)}
FROM information_schema.VIEWS WHERE ${isAny('TABLE_NAME', all)}${viewCondition(schema)}`,
        ),
      ].join('\nUNION '),
  );
  const rows = await readCatalogRows(session, query);
  return rows.flatMap(({ kind, name, schema, isCurrent }) => {
    const isReached = isCurrent || isNamed(schema);
    const isReferenced = isReached && (kind === 'view' ? all : called).has(name);
    return isReferenced ? [{ kind: kind as Kind, name, schema }] : [];
  });
}

function loadedEffect(name: string): StatementEffect {
  return { kind: 'external', reason: `The function ${name} is a loadable function` };
}

function unknownEffect(subject: string): StatementEffect {
  const reason = `${subject} may be a loadable function, and this login is not allowed to read the list of them`;
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
  readonly schemas: readonly Schema[];
  /** Names in the text, in lower case; some may be schemas. */
  readonly namesInText: ReadonlySet<string>;
}

/** Reads all bodies of the current schema, and of schemas that the text or another body names. */
async function readBodies(
  session: Pick<Connection, 'run'>,
  options: BodiesToRead,
): Promise<readonly Body[]> {
  const { schemas, namesInText } = options;
  const bodies = await readBodiesOf(session, options);
  const missing = schemas
    .map(({ folded }) => folded)
    .filter((schema) => !namesInText.has(schema) && bodies.some((body) => mentions(schema, body)));
  return missing.length === 0
    ? bodies
    : readBodies(session, { ...options, namesInText: new Set([...namesInText, ...missing]) });
}

async function readBodiesOf(
  session: Pick<Connection, 'run'>,
  { isMariadb, schemas, namesInText }: BodiesToRead,
): Promise<readonly Body[]> {
  const conditions: string[] = [];
  for (const schema of schemas) {
    if (!schema.isCurrent && !namesInText.has(schema.folded)) continue;
    const condition = await namedViewCondition(session, schema);
    if (condition !== undefined) conditions.push(condition);
  }
  const query = catalogQuery(
    {
      kind: asText(`'routine'`),
      name: asText('LOWER(ROUTINE_NAME)'),
      schema: asText('LOWER(ROUTINE_SCHEMA)'),
      body: asOptionalText('ROUTINE_DEFINITION'),
      definer: asText('DEFINER'),
    },
    (selectList) =>
      [
        `SELECT ${selectList}
FROM information_schema.ROUTINES WHERE ${routineCondition(namesInText)}`,
        ...conditions.map(
          (
            condition,
          ) => `SELECT 'view', LOWER(TABLE_NAME), LOWER(TABLE_SCHEMA), VIEW_DEFINITION, DEFINER
FROM information_schema.VIEWS WHERE ${condition}`,
        ),
      ].join('\nUNION ALL '),
  );
  const serverDefiner = isMariadb ? 'mariadb.sys@localhost' : 'mysql.sys@localhost';
  const rows = await readCatalogRows(session, query);
  return rows.map(({ kind, name, schema, body, definer }) => {
    const foldedBody = body === '' ? undefined : body?.toLowerCase();
    return {
      kind: kind as Kind,
      name,
      schema,
      text: foldedBody,
      words: new Set(foldedBody?.match(plainWords)),
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
  const reachable = reachableBodies(root, bodies);
  const subject = `The ${root.kind === 'view' ? 'view' : 'function'} ${root.name}`;
  const functions = reachable.filter(({ kind }) => kind === 'routine');
  const hidden = functions.some(({ text, isShipped }) => text === undefined && !isShipped);
  if (hidden && root.kind === 'routine')
    return {
      kind: 'execute',
      reason: `${subject} has a body that this login is not allowed to see`,
    };
  if (hidden)
    return {
      kind: 'execute',
      reason: `${subject} calls a function whose body this login is not allowed to see`,
    };
  if (reachable.some(({ text }) => externalAccessWords.test(text ?? '')))
    return { kind: 'external', reason: `${subject} accesses files` };
  const program = [...names].find((name) => reachable.some((body) => mentions(name, body)));
  if (program !== undefined)
    return {
      kind: 'external',
      reason: `${subject} calls ${program}, which is a loadable function`,
    };
  const userDefined = reachable.filter(({ isShipped }) => !isShipped);
  const unknown = userDefined
    .map(({ text }) => unknownIn(callsIn(text ?? ''), routines))
    .find((name) => name);
  if (unknown !== undefined) return unknownEffect(`${subject} calls ${unknown}, which`);
  return functions.some(mayChangeServer)
    ? { kind: 'administration', reason: `${subject} may change the server` }
    : undefined;
}

function mayChangeServer({ text = '', isShipped }: Body): boolean {
  return (isShipped ? serverChangesInShipped : serverChangeWords).test(text);
}

/** The body of a routine or view, and all bodies that it references directly or indirectly. */
function reachableBodies(root: RoutineOrView, bodies: readonly Body[]): readonly Body[] {
  const seenBodies = new Set<Body>();
  const open = bodies.filter(
    ({ kind, name, schema }) => kind === root.kind && name === root.name && schema === root.schema,
  );
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seenBodies.has(next)) continue;
    seenBodies.add(next);
    const from = next;
    open.push(...bodies.filter((body) => mentions(body.name, from) && isReachable(body, from)));
  }
  return [...seenBodies];
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
