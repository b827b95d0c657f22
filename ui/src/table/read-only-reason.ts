import type { Table } from '../api/queries.ts';

interface Config {
  readonly read_only: boolean;
}

/** Returns why the rows of a table cannot be changed, or undefined when they can. */
export function readOnlyReason(table: Table, config: Config | undefined): string | undefined {
  if (config?.read_only === true) return 'The studio was started read-only.';
  if (table.kind !== 'table') return 'Rows of a view are changed in the tables under it.';
  return undefined;
}
