import {
  columnsQuery,
  constraintsQuery,
  enumsQuery,
  extensionsQuery,
  indexesQuery,
  dependenciesQuery,
  referencesQuery,
  relationsQuery,
  revisionsQuery,
  serverQuery,
} from './catalog.ts';
import { readDistributions } from './distribution.ts';
import { withLocators } from './locators.ts';
import { readColumn } from './read-column.ts';
import { readIndexes } from './read-indexes.ts';
import { readChecks, readForeignKeys, readPrimaryKey } from './read-constraints.ts';
import { loadTypes } from '../dialect/load-types.ts';
import { concealedQuery, isLockTimeout, oidArray, readConcealed } from './locked-relations.ts';
import type { Session } from '../../../model/database.ts';
import type {
  Column,
  EnumType,
  Schema,
  SoftDelete,
  Table,
  TableKind,
} from '../../../model/schema.ts';
import type { ColumnName } from './read-column.ts';
import { readCatalogRows } from '../../catalog-query.ts';
import type { CatalogQuery } from '../../catalog-query.ts';
import type { ColumnRow, ConstraintRow, IndexRow, RelationRow } from './catalog.ts';
import { nameRelations } from '../../name-relations.ts';
import { postgresQuoteName } from '../dialect/quote.ts';
import type { FormatRelationName } from '../../name-relations.ts';
import type { ConcealedRelations } from './locked-relations.ts';
import type { DependencyOf, Reference } from './read-constraints.ts';
import type { TypeCatalog } from '../dialect/types.ts';

/** Another session may lock a relation between the query for locks and those for definitions. */
const maxAttempts = 3;

/** Reads the structure with a few queries, each for all tables, and without waiting for locks. */
export async function introspect(session: Session, types: TypeCatalog): Promise<Schema> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readSchema(session, types);
    } catch (error) {
      if (attempt === maxAttempts || !isLockTimeout(error)) throw error;
    }
  }
}

async function readSchema(session: Session, types: TypeCatalog): Promise<Schema> {
  const [server] = await readCatalogRows(session, serverQuery);
  if (server === undefined) throw new Error('The server returned no row for its version.');
  const { versionNumber } = server;
  const revisions = await readCatalogRows(session, revisionsQuery);
  const concealed = readConcealed(await readCatalogRows(session, concealedQuery));
  const readVisible = <R>(query: CatalogQuery<R>): Promise<readonly R[]> =>
    readCatalogRows(session, query, { params: [oidArray(concealed)] });
  const relations = await readVisible(relationsQuery);
  const columns = await readVisible(columnsQuery);
  types.add(await loadTypes(session, [...new Set(columns.map(({ type }) => type))]));
  const catalog: CatalogRows = {
    defaultNamespace: server.defaultNamespace,
    types,
    concealed,
    revisions: new Map(revisions.map(({ relation, revision }) => [relation, revision])),
    columns: byRelation(columns),
    constraints: byRelation(await readVisible(constraintsQuery(versionNumber))),
    indexes: byRelation(await readVisible(indexesQuery(versionNumber))),
    references: await readReferences(session),
    distributions: server.hasCitus ? await readDistributions(session) : new Map(),
    needs: new Map(
      (await readCatalogRows(session, dependenciesQuery)).map(({ relation, object, needs }) => [
        `${relation} ${object}`,
        needs,
      ]),
    ),
  };
  const names = namesIn(catalog, relations);
  const tables = relations.map((row) => readTable(catalog, names, row));
  return {
    ...(['', 'public'].includes(server.defaultNamespace)
      ? {}
      : { defaultNamespace: server.defaultNamespace }),
    database: server.database,
    serverVersion: server.version,
    tables: tables.filter(({ kind }) => kind === 'table'),
    views: tables.filter(({ kind }) => kind !== 'table'),
    enums: await readEnums(session),
    ...(await readExtensions(session)),
  };
}

interface CatalogRows {
  readonly defaultNamespace: string;
  readonly types: TypeCatalog;
  /** This and the following maps are by the relation's oid. */
  readonly concealed: ConcealedRelations;
  readonly revisions: ReadonlyMap<string, string>;
  readonly columns: ReadonlyMap<string, readonly ColumnRow[]>;
  readonly constraints: ReadonlyMap<string, readonly ConstraintRow[]>;
  readonly indexes: ReadonlyMap<string, readonly IndexRow[]>;
  readonly references: ReadonlyMap<string, Reference>;
  readonly distributions: ReadonlyMap<string, string>;
  /** The user-defined function or type that an object depends on, by the relation's oid and the object: `42 column 1`. */
  readonly needs: ReadonlyMap<string, string>;
}

function byRelation<R extends { readonly relation: string }>(
  rows: readonly R[],
): ReadonlyMap<string, readonly R[]> {
  return Map.groupBy(rows, ({ relation }) => relation);
}

async function readReferences(session: Session): Promise<ReadonlyMap<string, Reference>> {
  const rows = await readCatalogRows(session, referencesQuery);
  return new Map(
    rows.map(({ oid, namespace, localName, columnNames: names = {} }) => {
      const columns = new Map(
        Object.entries(names).map(([number, name]) => [Number(number), name]),
      );
      return [oid, { namespace, localName, columns }];
    }),
  );
}

async function readEnums(session: Session): Promise<readonly EnumType[]> {
  const rows = await readCatalogRows(session, enumsQuery);
  return rows.map(({ name, namespace, values = [], comment }) => ({
    name,
    namespace,
    values,
    ...optional('comment', comment),
  }));
}

async function readExtensions(session: Session): Promise<Pick<Schema, 'externalObjects'>> {
  const rows = await readCatalogRows(session, extensionsQuery);
  if (rows.length === 0) return {};
  const named = rows.flatMap(({ name, namespace }) =>
    namespace === undefined ? [] : [[name, namespace] as const],
  );
  return {
    externalObjects: {
      extensions: rows.map(({ name }) => name),
      ...(named.length === 0 ? {} : { extensionNamespaces: Object.fromEntries(named) }),
      routines: [],
      types: [],
    },
  };
}

/** An object with one text member, or an empty one. */
function optional<K extends string>(
  name: K,
  value: string | undefined,
): { readonly [P in K]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: string };
}

function namesIn(
  { defaultNamespace }: CatalogRows,
  relations: readonly RelationRow[],
): FormatRelationName {
  return nameRelations(relations, {
    isDefault: (namespace) => namespace === defaultNamespace,
    quoteName: postgresQuoteName,
  });
}

const kinds: Readonly<Record<string, TableKind>> = { v: 'view', m: 'materialized_view' };

function readTable(catalog: CatalogRows, nameOf: FormatRelationName, row: RelationRow): Table {
  const { oid, namespace, localName, kind, comment, definition } = row;
  const columnRows = catalog.columns.get(oid) ?? [];
  const needsOf: DependencyOf = (objectKey) =>
    optional('needs', catalog.needs.get(`${oid} ${objectKey}`));
  const columns = columnRows.map((column) => ({
    ...readColumn(column, catalog.types),
    ...needsOf(`column ${column.number}`),
  }));
  const columnName = columnNames(columnRows);
  const constraints = catalog.constraints.get(oid) ?? [];
  const indexes = catalog.indexes.get(oid) ?? [];
  return withLocators(row, {
    name: nameOf(row),
    localName,
    namespace,
    kind: kinds[kind] ?? 'table',
    columns,
    ...primaryKeyOf(constraints, { columnName, indexes }),
    indexes: readIndexes(indexes, constraints, { columnName, needsOf }),
    foreignKeys: readForeignKeys(constraints, {
      columnName,
      nameOf,
      references: catalog.references,
    }),
    checks: readChecks(constraints, needsOf),
    ...softDeleteOf(columns),
    ...optional('revision', catalog.revisions.get(oid)),
    ...optional('comment', comment),
    ...optional('definition', definition?.trim().replace(/;$/, '')),
    ...needsOf('view'),
    ...optional('incomplete', catalog.concealed.get(oid)),
    ...optionsOf(row, catalog),
    ...(row.redirectsWrites && kind !== 'v' ? { redirectsWrites: true } : {}),
  });
}

/** While its index is invalid, keys may not be unique. */
function primaryKeyOf(
  constraints: readonly ConstraintRow[],
  {
    columnName,
    indexes,
  }: { readonly columnName: ColumnName; readonly indexes: readonly IndexRow[] },
): Pick<Table, 'primaryKey'> {
  const { primaryKey } = readPrimaryKey(constraints, columnName);
  if (primaryKey === undefined) return {};
  const isInvalid = indexes.some(({ isPrimary, isValid }) => isPrimary && !isValid);
  return { primaryKey: isInvalid ? { ...primaryKey, unenforced: true } : primaryKey };
}

function columnNames(rows: readonly ColumnRow[]): ColumnName {
  const names = new Map(rows.map((row) => [row.number, row.name]));
  return (number) => names.get(number);
}

function softDeleteOf(columns: readonly Column[]): { readonly softDelete?: SoftDelete } {
  const marker = columns.find(({ name }) => name === 'deleted_at');
  const isTime = marker?.type.kind === 'timestamp' || marker?.type.kind === 'date';
  return isTime && marker.nullable ? { softDelete: { column: marker.name, mode: 'time' } } : {};
}

/** Properties that only PostgreSQL has. */
function optionsOf(row: RelationRow, { distributions }: CatalogRows): Pick<Table, 'options'> {
  const options = {
    ...optional('partition_by', row.partitioning),
    ...optional('inherits', row.parents),
    ...optional('foreign_server', row.foreignServer),
    ...optional('extension', row.extension),
    ...optional('distribution', distributions.get(row.oid)),
    ...optional('row_security', row.rowSecurity),
    ...(row.isUnlogged ? { persistence: 'unlogged' } : {}),
    ...optional('constraints', row.exclusionConstraints),
    ...row.viewOptions,
  };
  return Object.keys(options).length === 0 ? {} : { options };
}
