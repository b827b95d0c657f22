import type { Schema, Table } from '../model/schema.ts';

export interface SelectedTables {
  readonly schema: Schema;
  /** The tables that were not selected. */
  readonly omitted: readonly Table[];
  /** One sentence for each thing that is lost with the omitted tables. */
  readonly warnings: readonly string[];
}

export interface SelectOptions {
  /** Foreign keys to omitted tables stay. */
  readonly keepsReferences?: boolean;
}

/** Keeps only these tables and views (by `Table.name`), the foreign keys between them and the enums they use. */
export function selectTables(
  schema: Schema,
  names: ReadonlySet<string>,
  { keepsReferences = false }: SelectOptions = {},
): SelectedTables {
  const warnings: string[] = [];
  const isSelected = ({ name }: Table): boolean => names.has(name);
  const selected = schema.tables.filter(isSelected);
  const tables = keepsReferences
    ? selected
    : selected.map((table) => withKeysTo(table, names, warnings));
  return {
    schema: {
      ...schema,
      ...usedEnums(schema, tables),
      tables,
      views: schema.views.filter(isSelected),
    },
    omitted: schema.tables.filter((table) => !isSelected(table)),
    warnings,
  };
}

function withKeysTo(table: Table, names: ReadonlySet<string>, warnings: string[]): Table {
  const foreignKeys = table.foreignKeys.filter((key) => names.has(key.table));
  for (const key of table.foreignKeys) {
    if (foreignKeys.includes(key)) continue;
    const columns = key.columns.join(', ');
    warnings.push(
      `${table.name}: the foreign key (${columns}) is left out: ${key.table} is not among the tables.`,
    );
  }
  return { ...table, foreignKeys };
}

/** Matches by name only, so equally named enums of two namespaces are both kept. */
function usedEnums({ enums }: Schema, tables: readonly Table[]): Pick<Schema, 'enums'> {
  const types = JSON.stringify(tables.map(({ columns }) => columns.map(({ type }) => type)));
  return { enums: enums.filter(({ name }) => types.includes(JSON.stringify(name))) };
}
