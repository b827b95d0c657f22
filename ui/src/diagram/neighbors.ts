import type { Schema } from '../api/queries.ts';
import type { Depth } from './diagram-address.ts';

/** The tables within a number of relations from a table, including the table itself. */
export function neighborsOf(schema: Schema, name: string, depth: Depth): ReadonlySet<string> {
  const neighbors = neighborsByTable(schema);
  const found = new Set([name]);
  let edge: readonly string[] = [name];
  const steps = depth === 'all' ? Infinity : Number(depth);
  for (let step = 0; step < steps && edge.length > 0; step++) {
    const next = new Set(edge.flatMap((table) => [...(neighbors.get(table) ?? [])]));
    edge = [...next].filter((table) => !found.has(table));
    for (const table of edge) found.add(table);
  }
  return found;
}

/** A many-to-many relation leads to the join table first, and from there to the related table. */
function neighborsByTable({ tables }: Schema): ReadonlyMap<string, ReadonlySet<string>> {
  const neighbors = new Map<string, Set<string>>(tables.map(({ name }) => [name, new Set()]));
  const join = (one: string, other: string): void => {
    neighbors.get(one)?.add(other);
    neighbors.get(other)?.add(one);
  };
  for (const { name, relations } of tables) {
    for (const { table, join_table: between } of relations) {
      join(name, between ?? table);
      if (between !== undefined) join(between, table);
    }
  }
  return neighbors;
}
