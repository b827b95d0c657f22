import {
  checksQuery,
  columnsQuery,
  foreignKeysQuery,
  indexesQuery,
  relationsQuery,
  serverQuery,
} from './catalog.ts';
import { readCatalogRows } from '../../catalog-query.ts';
import { optional, readColumn } from './read-column.ts';
import { readChecks, readForeignKeys } from './read-constraints.ts';
import { readIndexes, readPrimaryKey } from './read-indexes.ts';
import { sqlserverDdl } from '../dialect/ddl.ts';
import { viewSelect } from '../dialect/view-definition.ts';
import { nameRelations } from '../../name-relations.ts';
import type { FormatRelationName } from '../../name-relations.ts';
import type { Session } from '../../../model/database.ts';
import type { Column, Schema, SoftDelete, Table } from '../../../model/schema.ts';
import type { CheckRow, ColumnRow, ForeignKeyRow, IndexRow, RelationRow } from './catalog.ts';
import type { ColumnOf } from './read-indexes.ts';

/** Reads the structure with few queries, each for all tables at once. */
export async function introspect(session: Session): Promise<Schema> {
  const [server] = await readCatalogRows(session, serverQuery);
  if (server === undefined) throw new Error('The server returned no row for its version.');
  const relations = await readCatalogRows(session, relationsQuery);
  const catalog: Catalog = {
    nameOf: namesIn(server.defaultNamespace, relations),
    columns: byRelation(await readCatalogRows(session, columnsQuery)),
    indexes: byRelation(await readCatalogRows(session, indexesQuery)),
    foreignKeys: byRelation(await readCatalogRows(session, foreignKeysQuery)),
    checks: byRelation(await readCatalogRows(session, checksQuery)),
  };
  const tables = relations.map((row) => readTable(catalog, row));
  return {
    database: server.database,
    serverVersion: server.version,
    tables: tables.filter(({ kind }) => kind === 'table'),
    views: tables.filter(({ kind }) => kind === 'view'),
    enums: [],
  };
}

interface Catalog {
  readonly nameOf: FormatRelationName;
  /** All by object_id of the table. */
  readonly columns: ByRelation<ColumnRow>;
  readonly indexes: ByRelation<IndexRow>;
  readonly foreignKeys: ByRelation<ForeignKeyRow>;
  readonly checks: ByRelation<CheckRow>;
}

type ByRelation<R> = ReadonlyMap<number, readonly R[]>;

function byRelation<R extends { readonly relation: number }>(rows: readonly R[]): ByRelation<R> {
  return Map.groupBy(rows, ({ relation }) => relation);
}

function namesIn(defaultNamespace: string, relations: readonly RelationRow[]): FormatRelationName {
  return nameRelations(relations, {
    isDefault: (namespace) => namespace.toLowerCase() === defaultNamespace.toLowerCase(),
    quoteName: sqlserverDdl.quoteName,
  });
}

function readTable(catalog: Catalog, row: RelationRow): Table {
  const { id, namespace, localName, isView, definition } = row;
  const columnRows = catalog.columns.get(id) ?? [];
  const columns = columnRows.map(readColumn);
  const columnOf: ColumnOf = (number) =>
    columns[columnRows.findIndex((other) => other.number === number)];
  const indexes = catalog.indexes.get(id) ?? [];
  return {
    name: catalog.nameOf(row),
    namespace,
    localName,
    kind: isView ? 'view' : 'table',
    columns,
    ...readPrimaryKey(indexes, columnOf),
    indexes: readIndexes(indexes, columnOf),
    foreignKeys: readForeignKeys(catalog.foreignKeys.get(id) ?? [], {
      columnOf,
      nameOf: catalog.nameOf,
    }),
    checks: readChecks(catalog.checks.get(id) ?? []),
    ...softDeleteOf(columns),
    ...optional('comment', row.comment),
    ...optional('revision', row.revision),
    ...optional(
      'definition',
      isView && definition !== undefined ? viewSelect(definition) : undefined,
    ),
    ...temporalOptions(row),
  };
}

function softDeleteOf(columns: readonly Column[]): { readonly softDelete?: SoftDelete } {
  const marker = columns.find(({ name }) => name === 'deleted_at');
  const isTime = marker?.type.kind === 'timestamp' || marker?.type.kind === 'date';
  return isTime && marker.nullable ? { softDelete: { column: marker.name, mode: 'time' } } : {};
}

const temporalTypes: Readonly<Record<number, string>> = { 1: 'history', 2: 'system_versioned' };

function temporalOptions({ temporalType = 0 }: RelationRow): Pick<Table, 'options'> {
  const temporal = temporalTypes[temporalType];
  return temporal === undefined ? {} : { options: { temporal } };
}
