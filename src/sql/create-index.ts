import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { Index, IndexPart, Table } from '../model/schema.ts';
import type { DdlContext } from './ddl-context.ts';

/** CREATE INDEX for an index that is no constraint of its table. */
export function createIndex(table: Table, index: Index, { ddl, native }: DdlContext): string {
  const parts = index.parts.map((part) => indexPart(part, ddl, native)).join(', ');
  const method =
    native && ddl.indexes.method && index.method !== undefined ? ` USING ${index.method}` : '';
  const where = index.where === undefined || !ddl.indexes.partial ? '' : ` WHERE ${index.where}`;
  return (
    `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${ddl.quoteName(index.name)} ON ${ddl.tableName(table)}${method} ` +
    `(${parts})${includedColumns(index, ddl)}${nullsNotDistinct(index, ddl)}${where}`
  );
}

/** Full text, gin and their like mean nothing to another dialect, and a plain index in their place may refuse rows. */
export function isPortable(index: Index, { indexes }: DdlDialect): boolean {
  const isPlain = index.method === undefined || index.method === 'btree' || index.method === 'hash';
  const isWhole = indexes.partial || index.where === undefined || !index.unique;
  const hasColumns = indexes.expressions || index.parts.every((part) => part.column !== undefined);
  return isPlain && isWhole && hasColumns;
}

function indexPart(part: IndexPart, ddl: DdlDialect, native: boolean): string {
  return [
    part.column === undefined ? `(${part.expression ?? ''})` : ddl.quoteName(part.column),
    ...(native && part.collation !== undefined ? [`COLLATE ${ddl.quoteName(part.collation)}`] : []),
    ...(native && part.operatorClass !== undefined ? [part.operatorClass] : []),
    ...(part.descending === true ? ['DESC'] : []),
  ].join(' ');
}

export function quotedColumns(columns: readonly string[], ddl: DdlDialect): string {
  return columns.map((column) => ddl.quoteName(column)).join(', ');
}

export function includedColumns(index: Index, ddl: DdlDialect): string {
  const included = index.included ?? [];
  return ddl.indexes.included && included.length > 0
    ? ` INCLUDE (${quotedColumns(included, ddl)})`
    : '';
}

export function nullsNotDistinct(index: Index, ddl: DdlDialect): string {
  return ddl.indexes.nullsNotDistinct && index.nullsNotDistinct === true
    ? ' NULLS NOT DISTINCT'
    : '';
}
