/** The proposal for tables that an import creates, and the user's changes to it. */
import { StudioError } from '../../../src/model/errors.ts';
import type { newTablesTexts } from '../texts/new-tables.ts';

/** In the form of a schema file, with the `source` of each table and column in the imported file. */
export interface NewTables {
  readonly tables: readonly NewTable[];
}

/** Members that the page does not show are sent back as they are. */
export interface NewTable {
  readonly [member: string]: unknown;
  readonly name: string;
  readonly source: string;
  readonly columns: readonly NewColumn[];
  readonly primary_key?: readonly string[] | undefined;
}

export interface NewColumn {
  readonly [member: string]: unknown;
  readonly name: string;
  /** The type in the database. */
  readonly type: string;
  /** The neutral type. */
  readonly data_type: { readonly [member: string]: unknown; readonly kind: string };
  readonly is_nullable: boolean;
  readonly source?: string | undefined;
}

export type ColumnKind = keyof typeof newTablesTexts.kinds;

/** The neutral type of each kind that the user can select. */
const columnTypes: Readonly<Record<ColumnKind, NewColumn['data_type']>> = {
  text: { kind: 'text' },
  integer: { kind: 'integer', bits: 32 },
  bigint: { kind: 'integer', bits: 64 },
  decimal: { kind: 'decimal' },
  float: { kind: 'float', bits: 64 },
  boolean: { kind: 'boolean' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  timestamp: { kind: 'timestamp' },
  timestamptz: { kind: 'timestamp', zone: true },
  uuid: { kind: 'uuid' },
  json: { kind: 'json' },
};

export const columnKinds = Object.keys(columnTypes) as readonly ColumnKind[];

/** Undefined for a type that is none of the kinds to select, such as decimal(8,2). */
export function kindOfColumn({ data_type: type }: NewColumn): ColumnKind | undefined {
  return columnKinds.find((name) => {
    const names = Object.keys({ ...type, ...columnTypes[name] });
    return names.every((key) => (type[key] ?? false) === (columnTypes[name][key] ?? false));
  });
}

export function withKind(column: NewColumn, kind: ColumnKind): NewColumn {
  return { ...column, data_type: columnTypes[kind] };
}

/** Replaces one column, or removes it, so that the import skips it. */
export function withColumn(
  table: NewTable,
  oldColumn: NewColumn,
  newColumn: NewColumn | undefined,
): NewTable {
  const columns = table.columns.flatMap((column) =>
    column === oldColumn ? (newColumn ?? []) : column,
  );
  const renamed = (name: string): readonly string[] =>
    name !== oldColumn.name ? [name] : newColumn === undefined ? [] : [newColumn.name];
  return { ...table, columns, primary_key: (table.primary_key ?? []).flatMap(renamed) };
}

/** Adds a column to the primary key or removes it. An added column becomes NOT NULL. */
export function withKey(table: NewTable, column: NewColumn, isKey: boolean): NewTable {
  const otherKeyColumns = (table.primary_key ?? []).filter((name) => name !== column.name);
  if (!isKey) return { ...table, primary_key: otherKeyColumns };
  const required = withColumn(table, column, { ...column, is_nullable: false });
  const isKeyColumn = (name: string): boolean =>
    name === column.name || otherKeyColumns.includes(name);
  const names = required.columns.map(({ name }) => name);
  return { ...required, primary_key: names.filter(isKeyColumn) };
}

export function withTable(tables: NewTables, oldTable: NewTable, newTable: NewTable): NewTables {
  return { tables: tables.tables.map((table) => (table === oldTable ? newTable : table)) };
}

/** The proposal in the details of an error that the user can prevent by changing it. */
export function tablesInError(error: unknown): NewTables | undefined {
  if (!(error instanceof StudioError)) return undefined;
  const { schema } = error.details;
  return isNewTables(schema) ? schema : undefined;
}

function isNewTables(schema: unknown): schema is NewTables {
  return typeof schema === 'object' && schema !== null && 'tables' in schema;
}

/** The names of tables that an error says exist already. */
export function existingTablesIn(error: unknown): readonly string[] {
  if (!(error instanceof StudioError) || error.code !== 'table_exists') return [];
  const { tables } = error.details;
  return Array.isArray(tables) ? tables.map(String) : [];
}
