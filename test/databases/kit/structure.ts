/** Brings the structure of a schema to a form that can be compared. */
import type { Column, Schema, Table } from '../../../src/model/schema.ts';

const byName = (a: { readonly name?: string }, b: { readonly name?: string }): number =>
  JSON.stringify([a.name ?? '', a]) < JSON.stringify([b.name ?? '', b]) ? -1 : 1;

/** Tables and views by name, because databases list them in different orders. */
export function structureOf(schema: Schema): Readonly<Record<string, unknown>> {
  const relations = [...schema.tables, ...schema.views].map((table) => [
    table.name,
    tableStructure(table),
  ]);
  return {
    ...Object.fromEntries(relations.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))),
    ' enums': schema.enums.toSorted(byName),
  };
}

function tableStructure(table: Table): unknown {
  const { indexes, foreignKeys, checks, columns, ...rest } = table;
  return {
    ...rest,
    columns: table.kind === 'table' ? columns : columns.map(withoutCollation),
    indexes: indexes.toSorted(byName),
    foreignKeys: foreignKeys.toSorted(byName),
    checks: checks.toSorted(byName),
  };
}

/** In a view, the collation of a literal depends on who created the view. */
function withoutCollation({ collation: _collation, ...column }: Column): Partial<Column> {
  return column;
}

/** The names of tables and views that differ. */
export function changedRelations(before: Schema, after: Schema): readonly string[] {
  const [one, two] = [structureOf(before), structureOf(after)];
  const names = new Set([...Object.keys(one), ...Object.keys(two)]);
  return [...names].filter((name) => JSON.stringify(one[name]) !== JSON.stringify(two[name]));
}
