import { StudioError } from '../../model/errors.ts';
import { didYouMean, closestName } from '../../model/nearest.ts';
import type { Schema, Table } from '../../model/schema.ts';

const indexes = new WeakMap<Schema, ReadonlyMap<string, Table>>();

/** Finds a table or view by its name. */
export function findTable(schema: Schema, name: string): Table {
  const table = tablesByName(schema).get(name);
  if (table !== undefined) return table;
  const names = [...tablesByName(schema).keys()];
  const nearestName = closestName(name, names);
  throw new StudioError(
    'table_not_found',
    `There is no table or view "${name}".${didYouMean(name, names)}`,
    nearestName === undefined ? {} : { nearest: nearestName },
  );
}

export function tablesByName(schema: Schema): ReadonlyMap<string, Table> {
  const cached = indexes.get(schema);
  if (cached !== undefined) return cached;
  const index = new Map([...schema.tables, ...schema.views].map((table) => [table.name, table]));
  indexes.set(schema, index);
  return index;
}
