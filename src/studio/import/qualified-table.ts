/** Finds tables by names in SQL. */
import { tablesByName } from '../core/find-table.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { TableReference } from '../../formats/row-import.ts';

type QualifiedName = Exclude<TableReference, string>;

/** Finds a table in the first namespace of the script's search path that has it. */
export function qualifiedTable(schema: Schema, { parts, path }: QualifiedName): Table | undefined {
  if (path === undefined) return findByParts(schema, parts);
  const [local = ''] = parts;
  for (const same of [isEqual, isEqualIgnoringCase]) {
    for (const namespace of path) {
      const found = tableIn(schema, { namespace, local }, same);
      if (found !== undefined) return found;
    }
  }
  const [first] = path;
  return first === undefined || hasNamespace(schema, first)
    ? undefined
    : findByParts(schema, [first, ...parts]);
}

/** Finds the only table with this name and namespace. Tables of a database without namespaces match any. */
function tableIn(
  schema: Schema,
  { namespace, local }: { readonly namespace: string; readonly local: string },
  same: (a: string, b: string) => boolean,
): Table | undefined {
  return singleMatch(
    [...tablesByName(schema).values()],
    (table) =>
      same(table.localName, local) &&
      (table.namespace === undefined || same(table.namespace, namespace)),
  );
}

function isEqual(a: string, b: string): boolean {
  return a === b;
}

function hasNamespace(schema: Schema, namespace: string): boolean {
  return schema.tables.some((table) => table.namespace === namespace);
}

/**
 * Finds a table by a name in SQL. The namespace counts only if the database has it, because scripts
 * contain the namespaces of the database that they come from. Exact names take precedence over names
 * that differ in case.
 */
function findByParts(schema: Schema, parts: readonly string[]): Table | undefined {
  const local = parts.at(-1) ?? '';
  const tables = [...tablesByName(schema).values()];
  const namespace = parts.at(-2);
  if (namespace !== undefined && hasNamespace(schema, namespace))
    return (
      tableIn(schema, { namespace, local }, isEqual) ??
      tableIn(schema, { namespace, local }, isEqualIgnoringCase)
    );
  const qualified = parts.slice(-2).join('.');
  const exact = tablesByName(schema).get(qualified) ?? tablesByName(schema).get(local);
  return (
    exact ??
    singleMatch(tables, ({ name }) => isEqualIgnoringCase(name, qualified)) ??
    singleMatch(tables, ({ name }) => isEqualIgnoringCase(name, local)) ??
    singleMatch(tables, ({ localName }) => isEqualIgnoringCase(localName, local))
  );
}

function singleMatch<T>(items: readonly T[], test: (item: T) => boolean): T | undefined {
  const found = items.filter(test);
  return found.length === 1 ? found[0] : undefined;
}

export function isEqualIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
