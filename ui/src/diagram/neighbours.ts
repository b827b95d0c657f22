import type { Schema } from '../api/queries.ts';
import type { Depth } from './diagram-address.ts';

/** The tables within so many lines of one, itself among them. */
export function neighboursOf(schema: Schema, name: string, depth: Depth): ReadonlySet<string> {
  const beside = neighbourhood(schema);
  const found = new Set([name]);
  let edge: readonly string[] = [name];
  const steps = depth === 'all' ? Infinity : Number(depth);
  for (let step = 0; step < steps && edge.length > 0; step++) {
    const next = new Set(edge.flatMap((table) => [...(beside.get(table) ?? [])]));
    edge = [...next].filter((table) => !found.has(table));
    for (const table of edge) found.add(table);
  }
  return found;
}

/** Lines lead to a join table, and from there on. */
function neighbourhood({ tables }: Schema): ReadonlyMap<string, ReadonlySet<string>> {
  const beside = new Map<string, Set<string>>(tables.map(({ name }) => [name, new Set()]));
  const join = (one: string, other: string): void => {
    beside.get(one)?.add(other);
    beside.get(other)?.add(one);
  };
  for (const { name, relations } of tables) {
    for (const { table, join_table: between } of relations) {
      join(name, between ?? table);
      if (between !== undefined) join(between, table);
    }
  }
  return beside;
}
