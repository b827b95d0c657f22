import { quoteName } from '../dialect/ddl.ts';
import { readCatalogue } from './catalogue.ts';
import { readColumn, unescaped } from './read-column.ts';
import { readForeignKeys } from './read-foreign-keys.ts';
import { readIndexes } from './read-indexes.ts';
import { readLastingWrites } from './lasting-writes.ts';
import { revisionFrom } from './revision.ts';
import type { TableIndexes } from './read-indexes.ts';
import type { Column, ForeignKey, Schema, Table } from '../../../model/schema.ts';
import type { Catalogue, CatalogueCheck, CatalogueRelation } from './catalogue.ts';
import type { Connection } from '../driver/connection.ts';
import type { ServerFacts } from '../dialect/server-facts.ts';

/** The structure of the database that the connection is to, as far as its user may see it. */
export async function introspect(connection: Connection): Promise<Schema> {
  const { server } = connection;
  const catalogue = await readCatalogue(connection, server);
  const { relations, database } = catalogue;
  const own = relations.filter(isTable).map(({ name }) => name);
  const source: Source = {
    catalogue,
    server,
    lastingWrites: await readLastingWrites({ session: connection, server, database }, own),
    foreignKeys: await readForeignKeys(connection, catalogue),
    columns: Map.groupBy(catalogue.columns, ({ table }) => table),
    indexParts: Map.groupBy(catalogue.indexParts, ({ table }) => table),
    checks: Map.groupBy(catalogue.checks, ({ table }) => table),
  };
  return {
    database,
    serverVersion: server.version,
    tables: relations.filter(isTable).map((relation) => readTable(source, relation)),
    views: relations.filter(isView).map((relation) => readView(source, relation)),
    enums: [],
  };
}

interface Source {
  readonly catalogue: Catalogue;
  readonly server: ServerFacts;
  /** By the names of tables. */
  readonly lastingWrites: ReadonlyMap<string, string>;
  readonly foreignKeys: ReadonlyMap<string, readonly ForeignKey[]>;
  readonly columns: ReadonlyMap<string, Catalogue['columns']>;
  readonly indexParts: ReadonlyMap<string, Catalogue['indexParts']>;
  readonly checks: ReadonlyMap<string, Catalogue['checks']>;
}

/** MariaDB's sequences are none. */
function isTable({ type }: CatalogueRelation): boolean {
  return type === 'BASE TABLE' || type === 'SYSTEM VERSIONED';
}

function isView({ type }: CatalogueRelation): boolean {
  return type === 'VIEW';
}

function readTable(source: Source, relation: CatalogueRelation): Table {
  const { name, comment } = relation;
  const columns = readColumns(source, relation);
  const catalogued = source.columns.get(name) ?? [];
  const indexParts = source.indexParts.get(name) ?? [];
  const checks = source.checks.get(name) ?? [];
  const lastingWrites = source.lastingWrites.get(name);
  const jsonChecks = source.server.isMariadb ? checks : [];
  return {
    name,
    localName: name,
    kind: 'table',
    columns: columns.map((column) => withHiddenEquals(column, relation)),
    ...asEnforced(readIndexes(indexParts, usualMethodOf(relation)), relation),
    foreignKeys: source.foreignKeys.get(name) ?? [],
    checks: checks.map((check) => readCheck(check, source.server)),
    ...softDeleteOf(columns),
    ...(source.catalogue.locked.has(name) ? lockedTable : comment === '' ? {} : { comment }),
    revision: revisionFrom({
      type: relation.type,
      columns: catalogued,
      indexParts,
      checks: jsonChecks,
    }),
    ...(lastingWrites === undefined ? {} : { lastingWrites }),
    options: optionsOf(relation),
  };
}

/** Where an engine's default is a hash, the schema names the type of its other indexes. */
function usualMethodOf({ engine = '' }: CatalogueRelation): string {
  return engine.toUpperCase() === 'MEMORY' ? 'hash' : 'btree';
}

/** The comment that the catalog shows of it is the server's error. */
const lockedTable: Pick<Table, 'incomplete'> = {
  incomplete:
    'Another session holds an exclusive lock on it, so columns, keys and options cannot be read.',
};

/** Engines that show rows of other tables, or of other servers, which have keys of their own. */
const borrowingEngines: ReadonlySet<string> = new Set([
  'MRG_MYISAM',
  'FEDERATED',
  'CONNECT',
  'SPIDER',
]);

/** The error value of an ENUM is shown as the empty label, and another value to a key. */
function withHiddenEquals(column: Column, { engine = '' }: CatalogueRelation): Column {
  const { type } = column;
  const isAmbiguous = type.kind === 'enum' && type.values.includes('');
  return isAmbiguous || borrowingEngines.has(engine.toUpperCase())
    ? { ...column, hidesEquals: true }
    : column;
}

function asEnforced(
  { primaryKey, indexes }: TableIndexes,
  { engine = '' }: CatalogueRelation,
): TableIndexes {
  if (!borrowingEngines.has(engine.toUpperCase()))
    return primaryKey === undefined ? { indexes } : { primaryKey, indexes };
  return {
    ...(primaryKey === undefined ? {} : { primaryKey: { ...primaryKey, unenforced: true } }),
    indexes: indexes.map((index) => (index.unique ? { ...index, unenforced: true } : index)),
  };
}

function readColumns(
  { server, columns, checks }: Source,
  { name, collation }: CatalogueRelation,
): readonly Column[] {
  const context = { server, checks: checks.get(name) ?? [], collation };
  return (columns.get(name) ?? []).map((column) => readColumn(column, context));
}

function readCheck(
  { constraint, expression, enforced }: CatalogueCheck,
  { isMariadb }: ServerFacts,
): Table['checks'][number] {
  return {
    name: constraint,
    expression: isMariadb ? expression : unescaped(expression),
    ...(enforced ? {} : { enforced }),
  };
}

/** By its name and type, as in every database. */
function softDeleteOf(columns: readonly Column[]): Pick<Table, 'softDelete'> {
  const column = columns.find(({ name }) => name === 'deleted_at');
  const isMoment = column?.type.kind === 'timestamp' || column?.type.kind === 'date';
  return column?.nullable === true && isMoment
    ? { softDelete: { column: column.name, flavour: 'time' } }
    : {};
}

function optionsOf({
  engine,
  collation,
  createOptions,
}: CatalogueRelation): Record<string, string> {
  const rowFormat = /row_format=(\w+)/i.exec(createOptions)?.[1];
  return {
    ...(engine === undefined ? {} : { ENGINE: engine }),
    ...(rowFormat === undefined ? {} : { ROW_FORMAT: rowFormat }),
    ...(collation === undefined ? {} : { COLLATE: collation }),
  };
}

/** A view's columns have the defaults of the tables under it, which it takes no part in. */
function readView(source: Source, relation: CatalogueRelation): Table {
  const { name, type } = relation;
  const { database, viewDefinitions } = source.catalogue;
  const catalogued = source.columns.get(name) ?? [];
  const definition = viewDefinitions.get(name) ?? '';
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
    revision: revisionFrom({ type, columns: catalogued, indexParts: [], checks: [] }),
    // Hidden from who may not see it.
    ...(definition === ''
      ? {}
      : { definition: definition.replaceAll(`${quoteName(database)}.\``, '`') }),
  };
}
