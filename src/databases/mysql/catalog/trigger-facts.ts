/** Catalog data of one schema that shows what triggers do. All names are in lower case. */
import { notUndone } from '../dialect/load-dialect.ts';
import { everyRow, withoutWaiting } from './catalog.ts';
import { readBodyWrites } from '../effects/body-writes.ts';
import type { Session } from '../../../model/database.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { BodyWrites } from '../effects/body-writes.ts';
import type { ServerFacts } from '../dialect/server-facts.ts';

export interface TriggerFacts {
  /** By table. */
  readonly triggers: ReadonlyMap<string, readonly Body[]>;
  readonly routines: ReadonlyMap<string, readonly Body[]>;
  readonly views: ReadonlyMap<string, readonly Body[]>;
  /** The engines of nontransactional tables, by table. */
  readonly lasting: ReadonlyMap<string, string>;
  /** By table: the tables whose rows a foreign key changes along with it, on servers where that activates triggers. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

export interface Body {
  readonly kind: 'trigger' | 'function' | 'procedure' | 'view' | 'package';
  readonly name: string;
  readonly schema: string;
  /** Undefined where the login may not see the body. */
  readonly writes: BodyWrites | undefined;
  /**
   * Whether a body that the login may not see counts as writing. Logins that may only write rows see
   * no trigger bodies and few functions, so others are trusted. What their writes leave is reported
   * after the rollback.
   */
  readonly mayWrite: boolean;
}

export type FactsOf = (schema: string) => Promise<TriggerFacts>;

/** Reads each schema once, ignoring the case of its name. A qualifier that is not a schema has no facts. */
export async function createFacts(session: Session, server: ServerFacts): Promise<FactsOf> {
  const list = 'SELECT schema_name FROM information_schema.schemata';
  const { rows } = await session.run({ text: list + everyRow, params: [] });
  const schemas = Map.groupBy(
    rows.map(([name]) => String(name)),
    fold,
  );
  const known = new Map<string, Promise<TriggerFacts>>();
  return (schema) => {
    const name = fold(schema);
    const found = serverSchemas.has(name) ? [] : (schemas.get(name) ?? []);
    const facts = known.get(name) ?? readFacts(session, server, found);
    known.set(name, facts);
    return facts;
  };
}

/** These have many views, none of which writes to user tables. */
const serverSchemas: ReadonlySet<string> = new Set([
  'information_schema',
  'performance_schema',
  'sys',
]);

const nothing: TriggerFacts = {
  triggers: new Map(),
  routines: new Map(),
  views: new Map(),
  lasting: new Map(),
  children: new Map(),
};

async function readFacts(
  session: Session,
  server: ServerFacts,
  schemas: readonly string[],
): Promise<TriggerFacts> {
  const [schema] = schemas;
  if (schema === undefined) return nothing;
  const ask = async (text: string): Promise<readonly Row[]> => {
    const names = schemas.map(() => '?').join(', ');
    const whole = `${text.replace('= ?', `IN (${names})`)}${everyRow}`;
    return (await session.run({ text: withoutWaiting(whole, server), params: schemas })).rows;
  };
  const bodies = async (text: string): Promise<ReadonlyMap<string, readonly Body[]>> => {
    const read = (await ask(text)).map(([key, kind, name, body, access]) => ({
      key: fold(key),
      body: bodyOf({ schema, kind: fold(kind), name: String(name) }, body, access),
    }));
    const grouped = Map.groupBy(read, ({ key }) => key);
    return new Map([...grouped].map(([key, of]) => [key, of.map(({ body }) => body)]));
  };
  const engines = await ask(tables);
  return {
    triggers: await bodies(triggers),
    routines: await bodies(routines),
    views: await bodies(views),
    lasting: new Map(
      engines.flatMap(([name, engine]) =>
        notUndone.has(fold(engine)) ? [[fold(name), String(engine)] as const] : [],
      ),
    ),
    children: activatesByKeys(server) ? childrenOf(await ask(cascades)) : new Map(),
  };
}

function fold(value: Value | undefined): string {
  return String(value ?? '').toLowerCase();
}

function bodyOf(
  { schema, kind, name }: { schema: string; kind: string; name: string },
  text: Value | undefined,
  access: Value | undefined,
): Body {
  const isHidden = text === null || text === undefined || text === '';
  return {
    kind: kind.startsWith('package') ? 'package' : (kind as Body['kind']),
    name,
    schema,
    writes: isHidden ? undefined : readBodyWrites(String(text)),
    mayWrite: kind === 'procedure' || access === 'MODIFIES SQL DATA',
  };
}

function childrenOf(rows: readonly Row[]): ReadonlyMap<string, readonly string[]> {
  const pairs = rows.map(([parent, child]) => ({ parent: fold(parent), child: fold(child) }));
  const grouped = Map.groupBy(pairs, ({ parent }) => parent);
  return new Map([...grouped].map(([parent, of]) => [parent, of.map(({ child }) => child)]));
}

/** Since 9.6, MySQL activates triggers for rows that a foreign key changes. MariaDB 10 and 11 do not. */
function activatesByKeys({ isMariadb, version }: ServerFacts): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return isMariadb ? major > 11 : major > 9 || (major === 9 && minor >= 6);
}

const triggers = `SELECT event_object_table, 'trigger', trigger_name, action_statement, NULL
FROM information_schema.triggers WHERE trigger_schema = ?`;

const routines = `SELECT routine_name, routine_type, routine_name, routine_definition, sql_data_access
FROM information_schema.routines WHERE routine_schema = ?`;

const views = `SELECT table_name, 'view', table_name, view_definition, NULL
FROM information_schema.views WHERE table_schema = ?`;

const tables = `SELECT table_name, engine
FROM information_schema.tables WHERE table_schema = ? AND table_type <> 'VIEW'`;

const cascades = `SELECT referenced_table_name, table_name
FROM information_schema.referential_constraints WHERE constraint_schema = ?
AND (update_rule IN ('CASCADE', 'SET NULL', 'SET DEFAULT') OR delete_rule IN ('CASCADE', 'SET NULL', 'SET DEFAULT'))`;
