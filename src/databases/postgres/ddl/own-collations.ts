/** Collations that the file creates, which are left out: what uses them has the default collation. */
import type { DdlReadResult } from '../../../sql/ddl/ddl-reader.ts';
import type { Column, Index, Table } from '../../../model/schema.ts';

export function withoutOwnCollations(
  reading: DdlReadResult,
  collations: ReadonlySet<string>,
): DdlReadResult {
  if (collations.size === 0) return reading;
  const warnings: string[] = [];
  /** The column or part without the collation, if it is one of the file. */
  const plain = <T extends { readonly collation?: string }>(each: T, what: string): T => {
    const { collation, ...rest } = each;
    if (collation === undefined || !collations.has(collation)) return each;
    warnings.push(`${what}: the collation ${collation} is left out.`);
    return rest as T;
  };
  const withoutThem = (table: Table): Table => ({
    ...table,
    columns: table.columns.map((column): Column => plain(column, `${table.name}.${column.name}`)),
    indexes: table.indexes.map((index): Index => ({
      ...index,
      parts: index.parts.map((part) => plain(part, `the index ${index.name}`)),
    })),
  });
  const { schema } = reading;
  const tables = schema.tables.map(withoutThem);
  const views = schema.views.map(withoutThem);
  return {
    ...reading,
    schema: { ...schema, tables, views },
    warnings: [...reading.warnings, ...warnings],
  };
}
