import {
  checksQuery,
  columnsQuery,
  foreignKeysQuery,
  indexesQuery,
  relationsQuery,
  serverQuery,
} from './catalog.ts';
import { optional, readColumn } from './read-column.ts';
import { readChecks, readForeignKeys } from './read-constraints.ts';
import { readIndexes, readPrimaryKey } from './read-indexes.ts';
import { sqlserverDdl } from '../dialect/ddl.ts';
import { viewSelect } from '../dialect/view-definition.ts';
import { nameRelations } from '../../name-relations.ts';
import type { RelationName } from '../../name-relations.ts';
import type { Session } from '../../../model/database.ts';
import type { Column, Schema, SoftDelete, Table } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { ColumnOf } from './read-indexes.ts';

/** Reads the structure with few queries, each for all tables at once. */
export async function introspect(session: Session): Promise<Schema> {
  const ask = async (text: string): Promise<readonly Row[]> =>
    (await session.run({ text, params: [] })).rows;
  const [server = []] = await ask(serverQuery);
  const relations = await ask(relationsQuery);
  const catalog: Catalog = {
    nameOf: namesIn(String(server[2]), relations),
    columns: byRelation(await ask(columnsQuery)),
    indexes: byRelation(await ask(indexesQuery)),
    foreignKeys: byRelation(await ask(foreignKeysQuery)),
    checks: byRelation(await ask(checksQuery)),
  };
  const tables = relations.map((row) => readTable(catalog, row));
  return {
    database: String(server[0]),
    serverVersion: String(server[1]),
    tables: tables.filter(({ kind }) => kind === 'table'),
    views: tables.filter(({ kind }) => kind === 'view'),
    enums: [],
  };
}

interface Catalog {
  readonly nameOf: RelationName;
  /** All by object_id of the table. */
  readonly columns: RowsByRelation;
  readonly indexes: RowsByRelation;
  readonly foreignKeys: RowsByRelation;
  readonly checks: RowsByRelation;
}

type RowsByRelation = ReadonlyMap<unknown, readonly Row[]>;

function byRelation(rows: readonly Row[]): RowsByRelation {
  return Map.groupBy(rows, (row) => row[0]);
}

function namesIn(defaultNamespace: string, relations: readonly Row[]): RelationName {
  const placed = relations.map(([, namespace, localName]) => ({
    namespace: String(namespace),
    localName: String(localName),
  }));
  return nameRelations(placed, {
    isDefault: (namespace) => namespace.toLowerCase() === defaultNamespace.toLowerCase(),
    quoteName: sqlserverDdl.quoteName,
  });
}

function readTable(catalog: Catalog, row: Row): Table {
  const [id, namespace, localName, type, definition, comment, , revision] = row;
  const rowsOf = (rows: RowsByRelation): readonly Row[] => rows.get(id) ?? [];
  const columnRows = rowsOf(catalog.columns);
  const columns = columnRows.map(readColumn);
  const columnOf: ColumnOf = (number) =>
    columns[columnRows.findIndex((other) => other[1] === number)];
  const names = { namespace: String(namespace), localName: String(localName) };
  const isView = String(type).trim() === 'V';
  return {
    name: catalog.nameOf(names),
    ...names,
    kind: isView ? 'view' : 'table',
    columns,
    ...readPrimaryKey(rowsOf(catalog.indexes), columnOf),
    indexes: readIndexes(rowsOf(catalog.indexes), columnOf),
    foreignKeys: readForeignKeys(rowsOf(catalog.foreignKeys), {
      columnOf,
      nameOf: catalog.nameOf,
    }),
    checks: readChecks(rowsOf(catalog.checks)),
    ...softDeleteOf(columns),
    ...optional('comment', comment),
    ...optional('revision', revision),
    ...optional(
      'definition',
      isView && definition !== null ? viewSelect(String(definition)) : undefined,
    ),
    ...temporalOptions(row),
  };
}

function softDeleteOf(columns: readonly Column[]): { readonly softDelete?: SoftDelete } {
  const marker = columns.find(({ name }) => name === 'deleted_at');
  const isTime = marker?.type.kind === 'timestamp' || marker?.type.kind === 'date';
  return isTime && marker.nullable ? { softDelete: { column: marker.name, flavour: 'time' } } : {};
}

const temporalTypes: Readonly<Record<string, string>> = { 1: 'history', 2: 'system_versioned' };

function temporalOptions(row: Row): Pick<Table, 'options'> {
  const temporal = temporalTypes[String(row[6])];
  return temporal === undefined ? {} : { options: { temporal } };
}
