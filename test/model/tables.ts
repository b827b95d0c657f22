import type { Column, ForeignKey, Index, Schema, Table } from '../../src/model/schema.ts';

/** The parts of a table that a test needs. */
export interface TableParts {
  readonly columns: readonly string[];
  readonly key?: readonly string[];
  readonly indexes?: readonly Index[];
  readonly foreignKeys?: readonly ForeignKey[];
}

export function table(
  name: string,
  { columns, key, indexes = [], foreignKeys = [] }: TableParts,
): Table {
  const [localName = name, namespace] = name.split('.').toReversed();
  return {
    name,
    localName,
    ...(namespace === undefined ? {} : { namespace }),
    kind: 'table',
    columns: columns.map((column) => textColumn(column)),
    ...(key === undefined ? {} : { primaryKey: { columns: key } }),
    indexes,
    foreignKeys,
    checks: [],
  };
}

export function schemaOf(...tables: readonly Table[]): Schema {
  return { database: 'test', serverVersion: '0', tables, views: [], enums: [] };
}

/** `references('author_id', 'users.id')`; several columns are separated by commas. */
export function references(columns: string, target: string): ForeignKey {
  const dot = target.lastIndexOf('.');
  return {
    columns: columns.split(','),
    table: target.slice(0, dot),
    referencedColumns: target.slice(dot + 1).split(','),
    onUpdate: 'no action',
    onDelete: 'no action',
  };
}

export function uniqueIndex(columns: string, overrides: Partial<Index> = {}): Index {
  const parts = columns.split(',').map((column) => ({ column }));
  return { name: `unique_${columns}`, unique: true, parts, ...overrides };
}

function textColumn(name: string): Column {
  return { name, type: { kind: 'text' }, nativeType: 'text', nullable: false };
}
