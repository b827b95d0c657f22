/** Names of tables and views as the database stores them, where it does not compare their case. */
import type { DdlDialect } from '../../../model/ddl-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { UploadedSchema } from './read-schema-upload.ts';

type NameRules = Pick<DdlDialect, 'tableNames'>;

interface Relations {
  readonly tables: readonly Pick<Table, 'name'>[];
  readonly views: readonly Pick<Table, 'name'>[];
}

/** Returns the name of a table that exists, or that the database would create by a name. */
export function storedTableNames(
  existing: Relations,
  { tableNames }: NameRules,
): (name: string) => string {
  if (tableNames === undefined) return (name) => name;
  if (tableNames === 'lower case') return (name) => name.toLowerCase();
  const names = new Map<string, string>();
  for (const { name } of [...existing.tables, ...existing.views])
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return (name) => names.get(name.toLowerCase()) ?? name;
}

/** The uploaded schema with its names, and those of the tables that it references, as the database stores them. */
export function withStoredNames(
  uploaded: UploadedSchema,
  existing: Relations,
  rules: NameRules,
): UploadedSchema {
  if (rules.tableNames === undefined) return uploaded;
  const { schema } = uploaded;
  // Foreign keys may write a table of the file in another case than its CREATE TABLE.
  const tables = [...existing.tables, ...schema.tables];
  const views = [...existing.views, ...schema.views];
  const stored = storedTableNames({ tables, views }, rules);
  const relation = (table: Table): Table => ({
    ...table,
    name: stored(table.name),
    localName: stored(table.localName),
    foreignKeys: table.foreignKeys.map((key) => ({ ...key, table: stored(key.table) })),
  });
  return {
    ...uploaded,
    schema: {
      ...schema,
      tables: schema.tables.map(relation),
      views: schema.views.map(relation),
    },
    dropped: uploaded.dropped.map((one) => ({ ...one, name: stored(one.name) })),
  };
}
