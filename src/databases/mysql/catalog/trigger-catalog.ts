/** Catalog data of one schema that shows what triggers do. All names are in lower case. */
import { notUndone } from '../dialect/write.ts';
import { everyRow, withoutWaiting } from './catalog.ts';
import { readBodyWrites } from '../effects/body-writes.ts';
import { catalogQuery, readCatalogRows, asText } from '../../catalog-query.ts';
import type { Session } from '../../../model/database.ts';
import type { CatalogQuery, RowOf } from '../../catalog-query.ts';
import type { BodyWrites } from '../effects/body-writes.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

export interface TriggerCatalog {
  /** By table. */
  readonly triggers: ReadonlyMap<string, readonly Body[]>;
  readonly routines: ReadonlyMap<string, readonly Body[]>;
  readonly views: ReadonlyMap<string, readonly Body[]>;
  /** The engines of nontransactional tables, by table. */
  readonly nontransactional: ReadonlyMap<string, string>;
  /** By table: the tables whose rows its foreign keys change (ON DELETE CASCADE …), where that activates triggers. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

export interface Body {
  readonly kind: 'trigger' | 'function' | 'procedure' | 'view' | 'package';
  readonly name: string;
  readonly schema: string;
  /** Undefined where the login may not see the body. */
  readonly writes: BodyWrites | undefined;
  /**
   * Whether a body that the login may not see counts as writing: a procedure, or a routine declared
   * MODIFIES SQL DATA. Logins without further privileges see no trigger bodies and few functions, so
   * all of these cannot count. Rows that their writes leave behind are reported after the rollback.
   */
  readonly mayWrite: boolean;
}

export type ReadTriggerCatalog = (schema: string) => Promise<TriggerCatalog>;

/** Reads each schema once, ignoring the case of its name. The catalog of a qualifier that is not a schema is empty. */
export async function createTriggerCatalogs(
  session: Session,
  server: ServerInfo,
): Promise<ReadTriggerCatalog> {
  const query = { ...schemasQuery, text: schemasQuery.text + everyRow };
  const names = (await readCatalogRows(session, query)).map(({ name }) => name);
  const schemas = Map.groupBy(names, fold);
  const cache = new Map<string, Promise<TriggerCatalog>>();
  return (schema) => {
    const name = fold(schema);
    const found = serverSchemas.has(name) ? [] : (schemas.get(name) ?? []);
    const catalog = cache.get(name) ?? readTriggerCatalog(session, server, found);
    cache.set(name, catalog);
    return catalog;
  };
}

/** These have many views, none of which writes to user tables. */
const serverSchemas: ReadonlySet<string> = new Set([
  'information_schema',
  'performance_schema',
  'sys',
]);

const emptyCatalog: TriggerCatalog = {
  triggers: new Map(),
  routines: new Map(),
  views: new Map(),
  nontransactional: new Map(),
  children: new Map(),
};

async function readTriggerCatalog(
  session: Session,
  server: ServerInfo,
  schemas: readonly string[],
): Promise<TriggerCatalog> {
  const [schema] = schemas;
  if (schema === undefined) return emptyCatalog;
  const read = <R>(query: CatalogQuery<R>): Promise<readonly R[]> => {
    const names = schemas.map(() => '?').join(', ');
    const statement = `${query.text.replace('= ?', `IN (${names})`)}${everyRow}`;
    const wholeQuery = { ...query, text: withoutWaiting(statement, server) };
    return readCatalogRows(session, wholeQuery, { params: schemas });
  };
  const readBodies = async (
    query: CatalogQuery<BodyRow>,
  ): Promise<ReadonlyMap<string, readonly Body[]>> => {
    const grouped = Map.groupBy(await read(query), ({ key }) => fold(key));
    return new Map(
      [...grouped].map(([key, rows]) => [key, rows.map((row) => bodyOf(schema, row))]),
    );
  };
  const engines = await read(enginesQuery);
  return {
    triggers: await readBodies(triggersQuery),
    routines: await readBodies(routinesQuery),
    views: await readBodies(viewsQuery),
    nontransactional: new Map(
      engines.flatMap(({ table, engine }) =>
        notUndone.has(fold(engine)) ? [[fold(table), engine] as const] : [],
      ),
    ),
    children: activatesByKeys(server) ? childrenOf(await read(cascadesQuery)) : new Map(),
  };
}

function fold(name: string): string {
  return name.toLowerCase();
}

function bodyOf(schema: string, { kind, name, body, access }: BodyRow): Body {
  const foldedKind = fold(kind);
  return {
    kind: foldedKind.startsWith('package') ? 'package' : (foldedKind as Body['kind']),
    name,
    schema,
    writes: body === '' ? undefined : readBodyWrites(body),
    mayWrite: foldedKind === 'procedure' || access === 'MODIFIES SQL DATA',
  };
}

function childrenOf(
  rows: readonly RowOf<typeof cascadesQuery>[],
): ReadonlyMap<string, readonly string[]> {
  const pairs = rows.map(({ parent, child }) => ({ parent: fold(parent), child: fold(child) }));
  const grouped = Map.groupBy(pairs, ({ parent }) => parent);
  return new Map([...grouped].map(([parent, of]) => [parent, of.map(({ child }) => child)]));
}

/** Since 9.6, MySQL activates triggers for rows that a foreign key changes. MariaDB 10 and 11 do not. */
function activatesByKeys({ isMariadb, version }: ServerInfo): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return isMariadb ? major > 11 : major > 9 || (major === 9 && minor >= 6);
}

const schemasQuery = catalogQuery(
  { name: asText('schema_name') },
  (selectList) => `SELECT ${selectList} FROM information_schema.schemata`,
);

interface BodyRow {
  /** The table of a trigger, or the name of the object. */
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  /** Empty where the login may not see it. */
  readonly body: string;
  readonly access: string;
}

const triggersQuery = catalogQuery(
  {
    key: asText('event_object_table'),
    kind: asText(`'trigger'`),
    name: asText('trigger_name'),
    body: asText('action_statement'),
    access: asText('NULL'),
  },
  (selectList) =>
    `SELECT ${selectList} FROM information_schema.triggers WHERE event_object_schema = ?`,
);

const routinesQuery = catalogQuery(
  {
    key: asText('routine_name'),
    kind: asText('routine_type'),
    name: asText('routine_name'),
    body: asText('routine_definition'),
    access: asText('sql_data_access'),
  },
  (selectList) => `SELECT ${selectList} FROM information_schema.routines WHERE routine_schema = ?`,
);

const viewsQuery = catalogQuery(
  {
    key: asText('table_name'),
    kind: asText(`'view'`),
    name: asText('table_name'),
    body: asText('view_definition'),
    access: asText('NULL'),
  },
  (selectList) => `SELECT ${selectList} FROM information_schema.views WHERE table_schema = ?`,
);

const enginesQuery = catalogQuery(
  { table: asText('table_name'), engine: asText('engine') },
  (selectList) =>
    `SELECT ${selectList} FROM information_schema.tables WHERE table_schema = ? AND table_type <> 'VIEW'`,
);

const cascadesQuery = catalogQuery(
  { parent: asText('referenced_table_name'), child: asText('table_name') },
  (selectList) => `SELECT ${selectList}
FROM information_schema.referential_constraints WHERE constraint_schema = ?
AND (update_rule IN ('CASCADE', 'SET NULL', 'SET DEFAULT') OR delete_rule IN ('CASCADE', 'SET NULL', 'SET DEFAULT'))`,
);
