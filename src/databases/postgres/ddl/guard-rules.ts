/** The catalog of a database that has only what a file has made so far, as the conditions of DO blocks query it. */
import { findTable } from '../../../sql/ddl/draft.ts';
import { undetermined } from '../../../sql/ddl/guards/value.ts';
import { words } from '../../../portable/lexer/words.ts';
import { postgresLanguage } from '../language/language.ts';
import { defaultNamespace } from '../dialect/catalog-names.ts';
import { referenceTo } from './tree-names.ts';
import type { Index, Table } from '../../../model/schema.ts';
import type { SchemaDraft } from '../../../sql/ddl/draft.ts';
import type { GuardRules, Relation, Row } from '../../../sql/ddl/guards/scope.ts';
import type { ObjectId, Value } from '../../../sql/ddl/guards/value.ts';
import type { FileState } from './statement-context.ts';

interface Catalog {
  readonly draft: SchemaDraft;
  readonly state: FileState;
}

export function postgresGuardRules(catalog: Catalog): GuardRules {
  return {
    lexical: postgresLanguage.lexical,
    ignoresCase: false,
    hasSets: false,
    relation: (name, args) => relationOf(catalog, name, args),
    call: (name, args) => callOf(catalog, name, args),
    variable: () => undetermined,
    word: (name) => (name.toUpperCase() === 'CURRENT_SCHEMA' ? defaultNamespace : undetermined),
  };
}

function namespaceOf({ namespace }: Pick<Table, 'namespace'>): string {
  return namespace ?? defaultNamespace;
}

function tableId(table: Pick<Table, 'namespace' | 'localName'>): ObjectId {
  return { id: `table.${namespaceOf(table)}.${table.localName}` };
}

function namespaceId(name: string): ObjectId {
  return { id: `namespace.${name}` };
}

/** The name that the server gives to a constraint without one. */
function nameOr(
  name: string | undefined,
  table: Table,
  [columns, suffix]: readonly [readonly string[], string],
): Value {
  if (name !== undefined && name !== '') return name;
  const generated = [table.localName, ...columns, suffix].join('_');
  return generated.length < 63 ? generated : undetermined;
}

const constraintTypes: Readonly<Record<string, string>> = {
  p: 'PRIMARY KEY',
  u: 'UNIQUE',
  f: 'FOREIGN KEY',
  c: 'CHECK',
};

function constraintRows(table: Table): readonly Row[] {
  const { primaryKey, indexes, foreignKeys, checks, localName } = table;
  const row = (type: string, name: Value): Row => ({
    conname: name,
    contype: type,
    conrelid: tableId(table),
    connamespace: namespaceId(namespaceOf(table)),
    constraint_name: name,
    constraint_type: constraintTypes[type] ?? undetermined,
    constraint_schema: namespaceOf(table),
    table_name: localName,
    table_schema: namespaceOf(table),
  });
  return [
    ...(primaryKey === undefined ? [] : [row('p', nameOr(primaryKey.name, table, [[], 'pkey']))]),
    ...indexes
      .filter(({ constraint }) => constraint === true)
      .map(({ name, parts }) =>
        row('u', nameOr(name, table, [parts.map(({ column = '' }) => column), 'key'])),
      ),
    ...foreignKeys.map(({ name, columns }) => row('f', nameOr(name, table, [columns, 'fkey']))),
    ...checks.map(({ name }) => row('c', name ?? undetermined)),
  ];
}

function relationRow(table: Table, [name, kind]: readonly [Value, string]): Row {
  const namespace = namespaceOf(table);
  return {
    oid: kind === 'i' ? undetermined : tableId(table),
    relname: name,
    relkind: kind,
    relnamespace: namespaceId(namespace),
    table_name: name,
    table_schema: namespace,
    table_type: kind === 'v' ? 'VIEW' : 'BASE TABLE',
    tablename: kind === 'i' ? table.localName : name,
    viewname: name,
    indexname: name,
    schemaname: namespace,
  };
}

function indexName({ name, parts, constraint }: Index, table: Table): Value {
  if (constraint === true)
    return nameOr(name, table, [parts.map(({ column = '' }) => column), 'key']);
  return name === '' ? undetermined : name;
}

function indexRows(table: Table): readonly Row[] {
  const { primaryKey, indexes } = table;
  const key = primaryKey && nameOr(primaryKey.name, table, [[], 'pkey']);
  const names = indexes.map((index) => indexName(index, table));
  const all: readonly Value[] = key === undefined ? names : [key, ...names];
  return all.map((name) => relationRow(table, [name, 'i']));
}

function columnRows(table: Table): readonly Row[] {
  return table.columns.map(({ name, nullable }) => ({
    attname: name,
    attrelid: tableId(table),
    attisdropped: false,
    table_name: table.localName,
    table_schema: namespaceOf(table),
    column_name: name,
    is_nullable: nullable && table.primaryKey?.columns.includes(name) !== true ? 'YES' : 'NO',
  }));
}

function tablesOf({ draft }: Catalog): readonly Table[] {
  return [...draft.tables.values()].map(({ table }) => table);
}

function tableRows(catalog: Catalog): readonly Row[] {
  return tablesOf(catalog).map((table) => relationRow(table, [table.localName, 'r']));
}

function viewRows({ draft }: Catalog): readonly Row[] {
  return [...draft.views.values()].map((view) => relationRow(view, [view.localName, 'v']));
}

function typeRows({ state: { types, otherTypes } }: Catalog): readonly Row[] {
  const enums = [...types.enums].map(([name, { namespace }]) => ({
    typname: name,
    typtype: 'e',
    typnamespace: namespaceId(namespace ?? defaultNamespace),
    oid: { id: `type.${name}` },
  }));
  const otherTypeRows = [...types.domains.keys(), ...otherTypes].map((typname) => ({ typname }));
  return [...enums, ...otherTypeRows];
}

function enumRows({ state: { types } }: Catalog): readonly Row[] {
  return [...types.enums].flatMap(([name, { values }]) =>
    values.map((enumlabel) => ({ enumlabel, enumtypid: { id: `type.${name}` } })),
  );
}

function namespaceRows(catalog: Catalog): readonly Row[] {
  const names = new Set([
    defaultNamespace,
    'pg_catalog',
    'information_schema',
    ...catalog.state.createdNamespaces.keys(),
  ]);
  return [...names].map((name) => ({ nspname: name, schema_name: name, oid: namespaceId(name) }));
}

interface KnownRelation {
  readonly columns: string;
  readonly rows: (catalog: Catalog) => readonly Row[];
}

const ofTables =
  (rows: (table: Table) => readonly Row[]): KnownRelation['rows'] =>
  (catalog) =>
    tablesOf(catalog).flatMap(rows);

const catalogRelations: Readonly<Record<string, KnownRelation>> = {
  'information_schema.tables': {
    columns: 'table_catalog table_schema table_name table_type',
    rows: (catalog) => [...tableRows(catalog), ...viewRows(catalog)],
  },
  'information_schema.columns': {
    columns:
      'table_catalog table_schema table_name column_name data_type udt_name is_nullable column_default',
    rows: ofTables(columnRows),
  },
  'information_schema.table_constraints': {
    columns: 'constraint_schema constraint_name table_schema table_name constraint_type',
    rows: ofTables(constraintRows),
  },
  'information_schema.schemata': { columns: 'schema_name', rows: namespaceRows },
  'pg_catalog.pg_constraint': {
    columns: 'oid conname contype conrelid connamespace',
    rows: ofTables(constraintRows),
  },
  'pg_catalog.pg_class': {
    columns: 'oid relname relkind relnamespace',
    rows: (catalog) => [
      ...tableRows(catalog),
      ...viewRows(catalog),
      ...ofTables(indexRows)(catalog),
    ],
  },
  'pg_catalog.pg_attribute': {
    columns: 'attname attrelid attnum attisdropped',
    rows: ofTables(columnRows),
  },
  'pg_catalog.pg_tables': { columns: 'schemaname tablename', rows: tableRows },
  'pg_catalog.pg_views': { columns: 'schemaname viewname', rows: viewRows },
  'pg_catalog.pg_indexes': { columns: 'schemaname tablename indexname', rows: ofTables(indexRows) },
  'pg_catalog.pg_type': { columns: 'oid typname typtype typnamespace', rows: typeRows },
  'pg_catalog.pg_enum': { columns: 'enumlabel enumtypid', rows: enumRows },
  'pg_catalog.pg_namespace': { columns: 'oid nspname', rows: namespaceRows },
  'pg_catalog.pg_extension': {
    columns: 'oid extname',
    rows: ({ state }) => ['plpgsql', ...state.extensions.keys()].map((extname) => ({ extname })),
  },
};

function relationOf(
  catalog: Catalog,
  name: readonly string[],
  args: readonly Value[] | undefined,
): Relation | undefined {
  const [localName = '', namespace = 'pg_catalog'] = name
    .toReversed()
    .map((part) => part.toLowerCase());
  const key = `${namespace}.${localName}`;
  const relation = Object.hasOwn(catalogRelations, key) ? catalogRelations[key] : undefined;
  if (relation === undefined || args !== undefined) return undefined;
  return { columns: new Set(words(relation.columns)), rows: relation.rows(catalog) };
}

function callOf({ draft, state }: Catalog, name: string, [first = null]: readonly Value[]): Value {
  if (name === 'CURRENT_SCHEMA') return state.namespaces.current;
  if (name === 'COALESCE') return first ?? undetermined;
  if (name === 'LOWER') return typeof first === 'string' ? first.toLowerCase() : undetermined;
  if (name !== 'TO_REGCLASS' || typeof first !== 'string') return undetermined;
  return classNamed({ draft, state }, first);
}

/** The id of a table, view or index; the text is a name as SQL has it, which a simple one is itself. */
function classNamed(catalog: Catalog, text: string): Value {
  if (!/^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?$/.test(text)) return undetermined;
  const { draft, state } = catalog;
  const reference = referenceTo(text.split('.'), state.namespaces);
  const table = findTable(draft, reference);
  if (table !== undefined) return tableId(table);
  const names = catalogRelations['pg_catalog.pg_class']!.rows(catalog).map(
    ({ relname }) => relname,
  );
  const isUnknown = names.includes(undetermined) || state.sequences.has(reference.localName);
  return isUnknown || names.includes(reference.localName) ? undetermined : null;
}
