/** The catalog of a database that has only what the script has made so far, as its guards query it. */
import { undetermined } from '../../../sql/ddl/guards/value.ts';
import { words } from '../../../portable/lexer/words.ts';
import {
  columnIdOf,
  defaultNamespace,
  idOf,
  objectIdOf,
  objectRow,
  rowsOf,
  schemaIdOf,
  tableIdOf,
} from './guard-table-rows.ts';
import type { Table } from '../../../model/schema.ts';
import type { SchemaDraft } from '../../../sql/ddl/draft.ts';
import type { Row } from '../../../sql/ddl/guards/scope.ts';
import type { TableRows } from './guard-table-rows.ts';

/** An object that the script creates and the import leaves out, or a temporary table. */
export interface OtherObject {
  readonly name: string;
  readonly namespace: string;
  /** As in sys.objects. */
  readonly type: string;
}

/** What a script has made so far, besides the tables of the draft. */
export interface ScriptObjects {
  /** Alias types by their names in lower case. */
  readonly aliases: ReadonlyMap<string, unknown>;
  /** Columns by `table.constraint` of their named defaults. */
  readonly defaultNames: ReadonlyMap<string, string>;
  /** Schemas that the script creates, by their names in lower case. */
  readonly namespaces: ReadonlyMap<string, { readonly name: string }>;
  /** By `schema.name` in lower case. */
  readonly otherObjects: ReadonlyMap<string, OtherObject>;
}

const systemNamespaces = words('dbo guest sys INFORMATION_SCHEMA db_owner db_datareader');

interface Catalog {
  readonly draft: SchemaDraft;
  readonly objects: ScriptObjects;
}

function tablesOf({ draft }: Catalog): readonly Table[] {
  return [...draft.tables.values()].map(({ table }) => table);
}

/** All objects of sys.objects. */
export function objectRows(catalog: Catalog): readonly Row[] {
  const views = [...catalog.draft.views.values()];
  return [
    ...[...tablesOf(catalog), ...views].flatMap((table) => rowsOf(table).objects),
    ...[...catalog.objects.otherObjects.values()]
      .filter(({ name, type }) => !name.startsWith('#') && !isTypeOfColumns(type))
      .map(({ name, namespace, type }) =>
        objectRow({ type, name, namespace, id: objectIdOf(namespace, name) }),
      ),
    ...defaultRows(catalog),
  ];
}

function defaultRows({ draft, objects: { defaultNames } }: Catalog): readonly Row[] {
  const namesByColumn = new Map<string, string>();
  for (const [key, column] of defaultNames) {
    const dot = key.lastIndexOf('.');
    namesByColumn.set(`${key.slice(0, dot)}.${column.toLowerCase()}`, key.slice(dot + 1));
  }
  return [...draft.tables.values()].flatMap(({ table }) =>
    table.columns.flatMap((column) => {
      if (column.default === undefined) return [];
      const { namespace, name: owner } = table;
      const name = namesByColumn.get(`${owner}.${column.name}`.toLowerCase());
      const id = idOf('default', owner, column.name);
      const row = objectRow({ type: 'D', name, namespace, id, parent: table });
      return [
        { ...row, parent_column_id: columnIdOf(table, column.name), definition: undetermined },
      ];
    }),
  );
}

function ofType(types: readonly string[]): (catalog: Catalog) => readonly Row[] {
  return (catalog) => objectRows(catalog).filter(({ type }) => types.some((each) => each === type));
}

function ofTables(part: keyof TableRows): (catalog: Catalog) => readonly Row[] {
  return (catalog) => tablesOf(catalog).flatMap((table) => rowsOf(table)[part]);
}

/** Columns of views are not known. */
function columnRows(catalog: Catalog): readonly Row[] {
  const views = [...catalog.draft.views.values()].map((view) => ({
    object_id: tableIdOf(view),
    id: tableIdOf(view),
    table_name: view.localName,
    table_schema: view.namespace ?? defaultNamespace,
  }));
  return [...ofTables('columns')(catalog), ...views];
}

function withColumn(name: string): (catalog: Catalog) => readonly Row[] {
  return (catalog) => columnRows(catalog).filter((row) => row[name] !== 0);
}

function informationColumns(catalog: Catalog): readonly Row[] {
  return columnRows(catalog).map((row) => ({
    ...row,
    is_nullable: row['is_nullable_word'] ?? undetermined,
  }));
}

function namespaceRows({ objects: { namespaces } }: Catalog): readonly Row[] {
  const names = [...systemNamespaces, ...[...namespaces.values()].map(({ name }) => name)];
  return names.map((name) => ({ name, schema_name: name, schema_id: schemaIdOf(name) }));
}

/** Alias types and table types. */
function isTypeOfColumns(type: string): boolean {
  return type === 'AT' || type === 'TT';
}

export const systemTypes = words(
  'bigint binary bit char date datetime datetime2 datetimeoffset decimal float geography geometry hierarchyid image int money nchar ntext numeric nvarchar real smalldatetime smallint smallmoney sql_variant sysname text time timestamp tinyint uniqueidentifier varbinary varchar xml',
);

function typeRows({ objects: { aliases, otherObjects } }: Catalog): readonly Row[] {
  const row = (name: string, namespace: string, isTable: boolean): Row => ({
    name,
    schema_id: schemaIdOf(namespace),
    is_user_defined: 1,
    is_table_type: Number(isTable),
  });
  const createdTypes = [...otherObjects.values()].filter(({ type }) => isTypeOfColumns(type));
  const names = new Set(createdTypes.map(({ name }) => name.toLowerCase()));
  return [
    ...systemTypes.map((name) => ({ ...row(name, 'sys', false), is_user_defined: 0 })),
    ...createdTypes.map(({ name, namespace, type }) => row(name, namespace, type === 'TT')),
    // By sp_addtype.
    ...[...aliases.keys()]
      .filter((name) => !names.has(name))
      .map((name) => row(name, defaultNamespace, false)),
  ];
}

const ofObjects =
  'name object_id schema_id parent_object_id type type_desc create_date modify_date is_ms_shipped principal_id';
const ofConstraints =
  'constraint_catalog constraint_schema constraint_name table_catalog table_schema table_name';

interface KnownRelation {
  readonly columns: ReadonlySet<string>;
  readonly rows: (catalog: Catalog) => readonly Row[];
}

function relation(columns: string, rows: KnownRelation['rows']): KnownRelation {
  return { columns: new Set(words(columns)), rows };
}

const allObjects = relation(ofObjects, objectRows);
const allColumns = relation(
  'name object_id column_id is_nullable is_computed is_identity default_object_id max_length user_type_id system_type_id precision scale collation_name',
  columnRows,
);
const procedures = words('P');
const constraintKinds = words('PK UQ F C');

/** By their names in lower case. */
export const catalogRelations: Readonly<Record<string, KnownRelation>> = {
  'sys.objects': allObjects,
  'sys.all_objects': allObjects,
  'sys.tables': relation(`${ofObjects} temporal_type`, ofType(['U'])),
  'sys.views': relation(ofObjects, ofType(['V'])),
  'sys.procedures': relation(ofObjects, ofType(procedures)),
  'sys.triggers': relation(`${ofObjects} parent_id parent_class`, ofType(['TR'])),
  'sys.sequences': relation(ofObjects, ofType(['SO'])),
  'sys.synonyms': relation(ofObjects, ofType(['SN'])),
  'sys.key_constraints': relation(`${ofObjects} unique_index_id`, ofType(['PK', 'UQ'])),
  'sys.foreign_keys': relation(
    `${ofObjects} referenced_object_id is_disabled is_not_trusted`,
    ofType(['F']),
  ),
  'sys.check_constraints': relation(
    `${ofObjects} parent_column_id definition is_disabled`,
    ofType(['C']),
  ),
  'sys.default_constraints': relation(`${ofObjects} parent_column_id definition`, defaultRows),
  'sys.foreign_key_columns': relation(
    'constraint_object_id parent_object_id parent_column_id referenced_object_id',
    (catalog) => ofTables('keyColumns')(catalog).filter((row) => 'constraint_object_id' in row),
  ),
  'sys.columns': allColumns,
  'sys.all_columns': allColumns,
  'sys.computed_columns': { ...allColumns, rows: withColumn('is_computed') },
  'sys.identity_columns': { ...allColumns, rows: withColumn('is_identity') },
  'sys.indexes': relation(
    'name object_id index_id type type_desc is_unique is_primary_key is_unique_constraint has_filter filter_definition',
    ofTables('indexes'),
  ),
  'sys.index_columns': relation(
    'object_id index_id column_id key_ordinal',
    ofTables('indexColumns'),
  ),
  'sys.schemas': relation('name schema_id principal_id', namespaceRows),
  'sys.extended_properties': relation('class major_id minor_id name value', ofTables('comments')),
  'sys.sysobjects': relation('name id xtype type uid parent_obj crdate', objectRows),
  'sys.syscolumns': relation('name id colid isnullable xtype length', columnRows),
  'sys.sysindexes': relation('name id indid', ofTables('indexes')),
  'sys.sysforeignkeys': relation('constid fkeyid rkeyid', ofType(['F'])),
  'information_schema.tables': relation(
    'table_catalog table_schema table_name table_type',
    ofType(['U', 'V']),
  ),
  'information_schema.views': relation('table_catalog table_schema table_name', ofType(['V'])),
  'information_schema.columns': relation(
    'table_catalog table_schema table_name column_name ordinal_position column_default is_nullable data_type character_maximum_length numeric_precision numeric_scale collation_name',
    informationColumns,
  ),
  'information_schema.table_constraints': relation(
    `${ofConstraints} constraint_type`,
    ofType(constraintKinds),
  ),
  'information_schema.constraint_table_usage': relation(ofConstraints, ofType(constraintKinds)),
  'information_schema.check_constraints': relation(ofConstraints, ofType(['C'])),
  'information_schema.referential_constraints': relation(
    'constraint_catalog constraint_schema constraint_name unique_constraint_name update_rule delete_rule',
    ofType(['F']),
  ),
  'information_schema.key_column_usage': relation(
    `${ofConstraints} column_name ordinal_position`,
    ofTables('keyColumns'),
  ),
  'information_schema.schemata': relation('catalog_name schema_name schema_owner', namespaceRows),
  'information_schema.routines': relation(
    'routine_catalog routine_schema routine_name routine_type specific_name specific_schema',
    ofType(['P', 'FN', 'IF', 'TF']),
  ),
  'sys.types': relation(
    'name is_user_defined is_table_type schema_id user_type_id system_type_id',
    typeRows,
  ),
  'sys.systypes': relation('name', typeRows),
};
