import type { DdlDialect } from '../../model/ddl-dialect.ts';
import type { Schema, Table } from '../../model/schema.ts';

/** Replaces collations that only other servers of the dialect have. */
export function withCollations(
  schema: Schema,
  { nearestCollation }: DdlDialect,
  warn: (warning: string) => void,
): Schema {
  if (nearestCollation === undefined) return schema;
  const replaced = new Map<string, string>();
  const nearest = (name: string): string => {
    const found = nearestCollation(name);
    if (found !== name) replaced.set(name, found);
    return found;
  };
  const tables = schema.tables.map((table) => adaptTable(table, nearest));
  for (const [name, found] of replaced)
    warn(`The collation ${name} becomes ${found}: this server does not have it.`);
  return { ...schema, tables };
}

function adaptTable(table: Table, nearest: (name: string) => string): Table {
  const { options } = table;
  const collation = options?.['COLLATE'];
  return {
    ...table,
    ...(collation === undefined ? {} : { options: { ...options, COLLATE: nearest(collation) } }),
    columns: table.columns.map((column) =>
      column.collation === undefined ? column : { ...column, collation: nearest(column.collation) },
    ),
  };
}
