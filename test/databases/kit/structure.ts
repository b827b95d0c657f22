/** A schema's structure in a form in which two that mean the same are equal. */
import type { Column, Schema, Table } from '../../../src/model/schema.ts';

const byName = (a: { readonly name?: string }, b: { readonly name?: string }): number =>
  JSON.stringify([a.name ?? '', a]) < JSON.stringify([b.name ?? '', b]) ? -1 : 1;

/** Each table and view by its name; databases list them in orders of their own. */
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

/** A view's literals have the collation of whoever made it. */
function withoutCollation({ collation: _collation, ...column }: Column): Partial<Column> {
  return column;
}

/** Names of those that are not equal. */
export function changedRelations(before: Schema, after: Schema): readonly string[] {
  const [one, two] = [structureOf(before), structureOf(after)];
  const names = new Set([...Object.keys(one), ...Object.keys(two)]);
  return [...names].filter((name) => JSON.stringify(one[name]) !== JSON.stringify(two[name]));
}
