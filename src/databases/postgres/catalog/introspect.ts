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
import type { Row } from '../../../model/values.ts';
import type { ColumnName } from './read-column.ts';
import { nameRelations } from '../../name-relations.ts';
import { postgresQuoteName } from '../dialect/quote.ts';
import type { RelationName } from '../../name-relations.ts';
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
  const query = async (text: string, params: readonly string[] = []): Promise<readonly Row[]> =>
    (await session.run({ text, params })).rows;
  const [server = []] = await query(serverQuery);
  const revisions = (await query(revisionsQuery)).map(
    ([oid, revision]) => [String(oid), String(revision)] as const,
  );
  const concealed = readConcealed(await query(concealedQuery));
  const queryVisible = (text: string): Promise<readonly Row[]> =>
    query(text, [oidArray(concealed)]);
  const relations = await queryVisible(relationsQuery);
  const columns = await queryVisible(columnsQuery);
  types.add(await loadTypes(session, typesOf(columns)));
  const catalog: CatalogRows = {
    defaultNamespace: String(server[2]),
    types,
    concealed,
    revisions: new Map(revisions),
    columns: byRelation(columns),
    constraints: byRelation(await queryVisible(constraintsQuery(Number(server[3])))),
    indexes: byRelation(await queryVisible(indexesQuery(Number(server[3])))),
    references: new Map(
      (await query(referencesQuery)).map((row) => [String(row[0]), readReference(row)]),
    ),
    needs: new Map(
      (await query(dependenciesQuery)).map(([oid, what, name]) => [
        `${String(oid)} ${String(what)}`,
        String(name),
      ]),
    ),
  };
  const names = namesIn(catalog, relations);
  const tables = relations.map((row) => readTable(catalog, names, row));
  return {
    database: String(server[0]),
    serverVersion: String(server[1]),
    tables: tables.filter(({ kind }) => kind === 'table'),
    views: tables.filter(({ kind }) => kind !== 'table'),
    enums: (await query(enumsQuery)).map(readEnum),
    ...extensionsOf(await query(extensionsQuery)),
  };
}

interface CatalogRows {
  readonly defaultNamespace: string;
  readonly types: TypeCatalog;
  /** This and the following maps are by the relation's oid. */
  readonly concealed: ConcealedRelations;
  readonly revisions: ReadonlyMap<string, string>;
  readonly columns: RowsByRelation;
  readonly constraints: RowsByRelation;
  readonly indexes: RowsByRelation;
  readonly references: ReadonlyMap<string, Reference>;
  /** The user-defined function or type that an object depends on, by the relation's oid and the object: `42 column 1`. */
  readonly needs: ReadonlyMap<string, string>;
}

type RowsByRelation = ReadonlyMap<string, readonly Row[]>;

function byRelation(rows: readonly Row[]): RowsByRelation {
  return Map.groupBy(rows, (row) => String(row[0]));
}

function typesOf(columns: readonly Row[]): readonly number[] {
  return [...new Set(columns.map((row) => Number(row[3])))];
}

function readReference([, namespace, localName, columns]: Row): Reference {
  const byNumber = Object.entries(JSON.parse(String(columns ?? '{}')) as Record<string, string>);
  return {
    namespace: String(namespace),
    localName: String(localName),
    columns: new Map(byNumber.map(([number, name]) => [Number(number), name])),
  };
}

function readEnum([, namespace, name, values, comment]: Row): EnumType {
  return {
    name: String(name),
    namespace: String(namespace),
    values: values === null || values === undefined ? [] : (JSON.parse(String(values)) as string[]),
    ...optional('comment', comment),
  };
}

function extensionsOf(rows: readonly Row[]): Pick<Schema, 'surroundings'> {
  const extensions = rows.map(([name]) => String(name));
  return rows.length === 0 ? {} : { surroundings: { extensions, routines: [], types: [] } };
}

/** An object with one text member, or an empty one for NULL. */
function optional<K extends string>(
  name: K,
  value: Row[number] | undefined,
): { readonly [P in K]?: string } {
  return (value === null || value === undefined ? {} : { [name]: String(value) }) as {
    readonly [P in K]?: string;
  };
}

function namesIn({ defaultNamespace }: CatalogRows, relations: readonly Row[]): RelationName {
  const qualified = relations.map(([, namespace, localName]) => ({
    namespace: String(namespace),
    localName: String(localName),
  }));
  return nameRelations(qualified, {
    isDefault: (namespace) => namespace === defaultNamespace,
    quoteName: postgresQuoteName,
  });
}

const kinds: Readonly<Record<string, TableKind>> = { v: 'view', m: 'materialized_view' };

function readTable(catalog: CatalogRows, nameOf: RelationName, row: Row): Table {
  const [oid, namespace, localName, kind, comment, definition] = row.map((value) =>
    value === null ? null : String(value),
  );
  const rowsOf = (rows: RowsByRelation): readonly Row[] => rows.get(oid ?? '') ?? [];
  const columnRows = rowsOf(catalog.columns);
  const needsOf: DependencyOf = (what) => optional('needs', catalog.needs.get(`${oid} ${what}`));
  const columns = columnRows.map((column) => ({
    ...readColumn(column, catalog.types),
    ...needsOf(`column ${String(column[1])}`),
  }));
  const columnName = columnNames(columnRows);
  const constraints = rowsOf(catalog.constraints);
  return withLocators(row, {
    name: nameOf({ namespace: namespace ?? '', localName: localName ?? '' }),
    localName: localName ?? '',
    namespace: namespace ?? '',
    kind: kinds[kind ?? ''] ?? 'table',
    columns,
    ...primaryKeyOf(constraints, { columnName, indexes: rowsOf(catalog.indexes) }),
    indexes: readIndexes(rowsOf(catalog.indexes), constraints, { name: columnName, needsOf }),
    foreignKeys: readForeignKeys(constraints, {
      columnName,
      nameOf,
      references: catalog.references,
    }),
    checks: readChecks(constraints, needsOf),
    ...softDeleteOf(columns),
    ...optional('revision', catalog.revisions.get(oid ?? '')),
    ...optional('comment', comment),
    ...optional('definition', definition?.trim().replace(/;$/, '')),
    ...needsOf('view'),
    ...optional('incomplete', catalog.concealed.get(oid ?? '')),
    ...optionsOf(row),
    ...(row[14] === true && kind !== 'v' ? { redirectsWrites: true } : {}),
  });
}

/** While its index is invalid, keys may not be unique. */
function primaryKeyOf(
  constraints: readonly Row[],
  { columnName, indexes }: { readonly columnName: ColumnName; readonly indexes: readonly Row[] },
): Pick<Table, 'primaryKey'> {
  const { primaryKey } = readPrimaryKey(constraints, columnName);
  if (primaryKey === undefined) return {};
  const isInvalid = indexes.some((row) => row[4] === true && row[15] === false);
  return { primaryKey: isInvalid ? { ...primaryKey, unenforced: true } : primaryKey };
}

function columnNames(rows: readonly Row[]): ColumnName {
  const names = new Map(rows.map((row) => [Number(row[1]), String(row[2])]));
  return (number) => names.get(number);
}

function softDeleteOf(columns: readonly Column[]): { readonly softDelete?: SoftDelete } {
  const marker = columns.find(({ name }) => name === 'deleted_at');
  const isTime = marker?.type.kind === 'timestamp' || marker?.type.kind === 'date';
  return isTime && marker.nullable ? { softDelete: { column: marker.name, flavour: 'time' } } : {};
}

/** Properties that only PostgreSQL has. */
function optionsOf(row: Row): Pick<Table, 'options'> {
  const [partitioning, parents, server, security, unlogged, exclusions] = row.slice(6);
  const options = {
    ...optional('partition_by', partitioning),
    ...optional('inherits', parents),
    ...optional('foreign_server', server),
    ...optional('row_security', security),
    ...(unlogged === true ? { persistence: 'unlogged' } : {}),
    ...optional('constraints', exclusions),
  };
  return Object.keys(options).length === 0 ? {} : { options };
}
