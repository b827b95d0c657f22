import {
  columnsQuery,
  constraintsQuery,
  enumsQuery,
  extensionsQuery,
  indexesQuery,
  needsQuery,
  referencesQuery,
  relationsQuery,
  revisionsQuery,
  serverQuery,
} from './catalogue.ts';
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
import type { Concealed } from './locked-relations.ts';
import type { NeedsOf, Reference } from './read-constraints.ts';
import type { TypeCatalog } from '../dialect/types.ts';

/** A lock may come between the look at the locks and the questions. */
const mostAttempts = 3;

/** Reads the structure with few questions, each for all tables at once, and waits for no lock. */
export async function introspect(session: Session, types: TypeCatalog): Promise<Schema> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readSchema(session, types);
    } catch (error) {
      if (attempt === mostAttempts || !isLockTimeout(error)) throw error;
    }
  }
}

async function readSchema(session: Session, types: TypeCatalog): Promise<Schema> {
  const ask = async (text: string, params: readonly string[] = []): Promise<readonly Row[]> =>
    (await session.run({ text, params })).rows;
  const [server = []] = await ask(serverQuery);
  const revisions = (await ask(revisionsQuery)).map(
    ([oid, revision]) => [String(oid), String(revision)] as const,
  );
  const concealed = readConcealed(await ask(concealedQuery));
  const askShown = (text: string): Promise<readonly Row[]> => ask(text, [oidArray(concealed)]);
  const relations = await askShown(relationsQuery);
  const columns = await askShown(columnsQuery);
  types.add(await loadTypes(session, typesOf(columns)));
  const catalogue: Catalogue = {
    defaultNamespace: String(server[2]),
    types,
    concealed,
    revisions: new Map(revisions),
    columns: byRelation(columns),
    constraints: byRelation(await askShown(constraintsQuery(Number(server[3])))),
    indexes: byRelation(await askShown(indexesQuery(Number(server[3])))),
    references: new Map(
      (await ask(referencesQuery)).map((row) => [String(row[0]), readReference(row)]),
    ),
    needs: new Map(
      (await ask(needsQuery)).map(([oid, what, name]) => [
        `${String(oid)} ${String(what)}`,
        String(name),
      ]),
    ),
  };
  const names = namesIn(catalogue, relations);
  const tables = relations.map((row) => readTable(catalogue, names, row));
  return {
    database: String(server[0]),
    serverVersion: String(server[1]),
    tables: tables.filter(({ kind }) => kind === 'table'),
    views: tables.filter(({ kind }) => kind !== 'table'),
    enums: (await ask(enumsQuery)).map(readEnum),
    ...extensionsOf(await ask(extensionsQuery)),
  };
}

interface Catalogue {
  readonly defaultNamespace: string;
  readonly types: TypeCatalog;
  /** Each by the relation's oid. */
  readonly concealed: Concealed;
  readonly revisions: ReadonlyMap<string, string>;
  readonly columns: RowsByRelation;
  readonly constraints: RowsByRelation;
  readonly indexes: RowsByRelation;
  readonly references: ReadonlyMap<string, Reference>;
  /** What things need of the database's authors, by the relation's oid and what they are. */
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

/** A member for a text that there is; none for NULL. */
function optional<K extends string>(
  name: K,
  value: Row[number] | undefined,
): { readonly [P in K]?: string } {
  return (value === null || value === undefined ? {} : { [name]: String(value) }) as {
    readonly [P in K]?: string;
  };
}

function namesIn({ defaultNamespace }: Catalogue, relations: readonly Row[]): RelationName {
  const placed = relations.map(([, namespace, localName]) => ({
    namespace: String(namespace),
    localName: String(localName),
  }));
  return nameRelations(placed, {
    isDefault: (namespace) => namespace === defaultNamespace,
    quoteName: postgresQuoteName,
  });
}

const kinds: Readonly<Record<string, TableKind>> = { v: 'view', m: 'materialized_view' };

function readTable(catalogue: Catalogue, nameOf: RelationName, row: Row): Table {
  const [oid, namespace, localName, kind, comment, definition] = row.map((value) =>
    value === null ? null : String(value),
  );
  const rowsOf = (rows: RowsByRelation): readonly Row[] => rows.get(oid ?? '') ?? [];
  const columnRows = rowsOf(catalogue.columns);
  const needsOf: NeedsOf = (what) => optional('needs', catalogue.needs.get(`${oid} ${what}`));
  const columns = columnRows.map((column) => ({
    ...readColumn(column, catalogue.types),
    ...needsOf(`column ${String(column[1])}`),
  }));
  const columnName = columnNames(columnRows);
  const constraints = rowsOf(catalogue.constraints);
  return withLocators(row, {
    name: nameOf({ namespace: namespace ?? '', localName: localName ?? '' }),
    localName: localName ?? '',
    namespace: namespace ?? '',
    kind: kinds[kind ?? ''] ?? 'table',
    columns,
    ...primaryKeyOf(constraints, { columnName, indexes: rowsOf(catalogue.indexes) }),
    indexes: readIndexes(rowsOf(catalogue.indexes), constraints, { name: columnName, needsOf }),
    foreignKeys: readForeignKeys(constraints, {
      columnName,
      nameOf,
      references: catalogue.references,
    }),
    checks: readChecks(constraints, needsOf),
    ...softDeleteOf(columns),
    ...optional('revision', catalogue.revisions.get(oid ?? '')),
    ...optional('comment', comment),
    ...optional('definition', definition?.trim().replace(/;$/, '')),
    ...needsOf('view'),
    ...optional('incomplete', catalogue.concealed.get(oid ?? '')),
    ...optionsOf(row),
    ...(row[14] === true && kind !== 'v' ? { redirectsWrites: true } : {}),
  });
}

/** As long as its index is not valid, rows may share the key. */
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

/** What no other database would understand. */
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
