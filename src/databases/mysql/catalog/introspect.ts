import { randomUUID } from 'node:crypto';
import { quoteName } from '../dialect/ddl.ts';
import { isImportMarker } from '../dialect/import-marker.ts';
import { periodClause, systemVersioning } from '../dialect/temporal-tables.ts';
import { readCatalog } from './catalog.ts';
import { readColumn, unescaped } from './read-column.ts';
import { readForeignKeys } from './read-foreign-keys.ts';
import { readIndexes } from './read-indexes.ts';
import { readIncompleteRollbacks } from './incomplete-rollbacks.ts';
import { revisionFrom } from './revision.ts';
import type { TableIndexes } from './read-indexes.ts';
import type { Column, ForeignKey, Schema, Table } from '../../../model/schema.ts';
import type { Catalog, CatalogCheck, CatalogRelation, CatalogView } from './catalog.ts';
import type { Session } from '../../../model/database.ts';
import type { Connection } from '../driver/connection.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

type Introspected = Pick<Connection, 'run' | 'stream' | 'server'>;

/** Reads the structure of the connected database, as far as the login may see it. */
export async function introspect(connection: Introspected): Promise<Schema> {
  const { server } = connection;
  const catalog = await readCatalog(connection, server);
  const { relations, database } = catalog;
  const tableNames = relations.filter(isTable).map(({ name }) => name);
  const source: Source = {
    catalog,
    server,
    incompleteRollbacks: await readIncompleteRollbacks(
      { session: connection, server, database },
      tableNames,
    ),
    foreignKeys: await readForeignKeys(connection, catalog),
    columns: Map.groupBy(catalog.columns, ({ table }) => table),
    indexParts: Map.groupBy(catalog.indexParts, ({ table }) => table),
    checks: Map.groupBy(catalog.checks, ({ table }) => table),
  };
  return {
    database,
    serverVersion: server.version,
    tables: relations.filter(isTable).map((relation) => readTable(source, relation)),
    views: relations.filter(isView).map((relation) => readView(source, relation)),
    enums: [],
  };
}

/** Like `introspect`, for a session that may have changed its database. */
export function introspectWithin(session: Session, server: ServerInfo): Promise<Schema> {
  // The driver caches prepared statements by their text, and the server runs each in the database in which it was prepared.
  const suffix = `\n-- ${randomUUID()}`;
  return introspect({
    server,
    stream: (query, options) => session.stream(query, options),
    run: (query, options) => session.run({ ...query, text: query.text + suffix }, options),
  });
}

interface Source {
  readonly catalog: Catalog;
  readonly server: ServerInfo;
  /** By table name. */
  readonly incompleteRollbacks: ReadonlyMap<string, string>;
  readonly foreignKeys: ReadonlyMap<string, readonly ForeignKey[]>;
  readonly columns: ReadonlyMap<string, Catalog['columns']>;
  readonly indexParts: ReadonlyMap<string, Catalog['indexParts']>;
  readonly checks: ReadonlyMap<string, Catalog['checks']>;
}

/** MariaDB lists sequences as tables too; they are excluded. */
function isTable({ type, name }: CatalogRelation): boolean {
  return (type === 'BASE TABLE' || type === 'SYSTEM VERSIONED') && !isImportMarker(name);
}

function isView({ type }: CatalogRelation): boolean {
  return type === 'VIEW';
}

function readTable(source: Source, relation: CatalogRelation): Table {
  const { name, comment } = relation;
  const columns = readColumns(source, relation);
  const catalogRows = source.columns.get(name) ?? [];
  const indexParts = source.indexParts.get(name) ?? [];
  const checks = source.checks.get(name) ?? [];
  const incompleteRollback = source.incompleteRollbacks.get(name);
  const jsonChecks = source.server.isMariadb ? checks : [];
  return {
    name,
    localName: name,
    kind: 'table',
    columns: columns.map((column) => withHiddenEquals(column, relation)),
    ...asEnforced(readIndexes(indexParts, defaultIndexMethodOf(relation)), relation),
    foreignKeys: source.foreignKeys.get(name) ?? [],
    checks: checks.map((check) => readCheck(check, source.server)),
    ...softDeleteOf(columns),
    ...(source.catalog.locked.has(name) ? lockedTable : comment === '' ? {} : { comment }),
    revision: revisionFrom({
      type: relation.type,
      columns: catalogRows,
      indexParts,
      checks: jsonChecks,
    }),
    ...(incompleteRollback === undefined ? {} : { incompleteRollback }),
    options: { ...optionsOf(relation), ...versioningOf(relation, columns) },
  };
}

/** The catalog has no periods. That of a versioned table has the columns that the server fills. */
function versioningOf(
  { type }: CatalogRelation,
  columns: readonly Column[],
): Record<string, string> {
  if (type !== 'SYSTEM VERSIONED') return {};
  const [start, end] = ['ROW START', 'ROW END'].map((expression) =>
    columns.find(({ generated }) => generated?.expression === expression),
  );
  return {
    temporal: systemVersioning,
    ...(start && end ? { constraints: periodClause(undefined, [start.name, end.name]) } : {}),
  };
}

/** The engine's default index method. The schema records the method only where hash is the default. */
function defaultIndexMethodOf({ engine = '' }: CatalogRelation): string {
  return engine.toUpperCase() === 'MEMORY' ? 'hash' : 'btree';
}

/** For a locked table the catalog has the server's error as its comment. */
const lockedTable: Pick<Table, 'incomplete'> = {
  incomplete:
    'Another session holds an exclusive lock on it, so columns, keys and options cannot be read.',
};

/** Engines that show rows of other tables or servers, so their keys are not enforced. */
const borrowingEngines: ReadonlySet<string> = new Set([
  'MRG_MYISAM',
  'FEDERATED',
  'CONNECT',
  'SPIDER',
]);

/** An index would miss equal values: the error value of an ENUM is displayed as '' but is another value in an index. */
function withHiddenEquals(column: Column, { engine = '' }: CatalogRelation): Column {
  const { type } = column;
  const isAmbiguous = type.kind === 'enum' && type.values.includes('');
  return isAmbiguous || borrowingEngines.has(engine.toUpperCase())
    ? { ...column, hidesEquals: true }
    : column;
}

function asEnforced(
  { primaryKey, indexes }: TableIndexes,
  { engine = '' }: CatalogRelation,
): TableIndexes {
  if (!borrowingEngines.has(engine.toUpperCase()))
    return primaryKey === undefined ? { indexes } : { primaryKey, indexes };
  return {
    ...(primaryKey === undefined ? {} : { primaryKey: { ...primaryKey, unenforced: true } }),
    indexes: indexes.map((index) => (index.unique ? { ...index, unenforced: true } : index)),
  };
}

function readColumns(
  { server, columns, checks, catalog: { database } }: Source,
  { name, collation }: CatalogRelation,
): readonly Column[] {
  const context = { server, database, checks: checks.get(name) ?? [], collation };
  return (columns.get(name) ?? []).map((column) => readColumn(column, context));
}

function readCheck(
  { constraint, expression, enforced }: CatalogCheck,
  { isMariadb }: ServerInfo,
): Table['checks'][number] {
  return {
    name: constraint,
    expression: isMariadb ? expression : unescaped(expression),
    ...(isMariadb && isOfColumn({ constraint, expression }) ? { column: constraint } : {}),
    ...(enforced ? {} : { enforced }),
  };
}

/** MariaDB names the check of a column as the column. */
function isOfColumn({
  constraint,
  expression,
}: Pick<CatalogCheck, 'constraint' | 'expression'>): boolean {
  const names = expression.match(/`(?:[^`]|``)+`/g) ?? [];
  return names.length > 0 && names.every((name) => name === quoteName(constraint));
}

/** A nullable timestamp or date named `deleted_at`, as in every database. */
function softDeleteOf(columns: readonly Column[]): Pick<Table, 'softDelete'> {
  const column = columns.find(({ name }) => name === 'deleted_at');
  const isDateOrTimestamp = column?.type.kind === 'timestamp' || column?.type.kind === 'date';
  return column?.nullable === true && isDateOrTimestamp
    ? { softDelete: { column: column.name, mode: 'time' } }
    : {};
}

function optionsOf({ engine, collation, createOptions }: CatalogRelation): Record<string, string> {
  const rowFormat = /row_format=(\w+)/i.exec(createOptions)?.[1];
  return {
    ...(engine === undefined ? {} : { ENGINE: engine }),
    ...(rowFormat === undefined ? {} : { ROW_FORMAT: rowFormat }),
    ...(collation === undefined ? {} : { COLLATE: collation }),
  };
}

/** The catalog lists defaults of the underlying tables for a view's columns; they do not apply to the view. */
function readView(source: Source, relation: CatalogRelation): Table {
  const { name, type } = relation;
  const { database, views } = source.catalog;
  const catalogRows = source.columns.get(name) ?? [];
  const view = views.get(name);
  const definition = view?.definition ?? '';
  return {
    name,
    localName: name,
    kind: 'view',
    columns: readColumns(source, relation).map(
      ({ default: _default, onUpdate: _onUpdate, ...column }) => column,
    ),
    indexes: [],
    foreignKeys: [],
    checks: [],
    revision: revisionFrom({ type, columns: catalogRows, indexParts: [], checks: [] }),
    // Empty if the login may not see it.
    ...(definition === ''
      ? {}
      : { definition: definition.replaceAll(`${quoteName(database)}.\``, '`') }),
    ...viewOptionsOf(view),
  };
}

/** Those that differ from what CREATE VIEW does by itself, by the names that imported scripts use. */
function viewOptionsOf(view: CatalogView | undefined): Pick<Table, 'options'> {
  if (view === undefined) return {};
  const { algorithm, security, checkOption } = view;
  const options = {
    ...(algorithm === 'UNDEFINED' ? {} : { algorithm }),
    ...(security === 'INVOKER' ? { sql_security: security } : {}),
    ...(checkOption === 'NONE' ? {} : { check_option: checkOption }),
  };
  return Object.keys(options).length === 0 ? {} : { options };
}
