import type { Schema, Table } from '../model/schema.ts';

export interface NarrowedSchema {
  readonly schema: Schema;
  /** What goes with the tables that are left out, a sentence each. */
  readonly warnings: readonly string[];
}

/** Only these tables and views, by `Table.name`, with their foreign keys to each other and the enums that they have. */
export function narrowSchema(schema: Schema, names: ReadonlySet<string>): NarrowedSchema {
  const warnings: string[] = [];
  const isWanted = ({ name }: Table): boolean => names.has(name);
  const tables = schema.tables.filter(isWanted).map((table) => withKeysTo(table, names, warnings));
  return {
    schema: {
      ...schema,
      ...usedEnums(schema, tables),
      tables,
      views: schema.views.filter(isWanted),
    },
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

/** By name: two of one name in two namespaces are both kept. */
function usedEnums({ enums }: Schema, tables: readonly Table[]): Pick<Schema, 'enums'> {
  const types = JSON.stringify(tables.map(({ columns }) => columns.map(({ type }) => type)));
  return { enums: enums.filter(({ name }) => types.includes(JSON.stringify(name))) };
}
