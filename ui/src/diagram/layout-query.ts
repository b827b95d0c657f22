import { queryOptions } from '@tanstack/react-query';
import { encodeList } from '../../../src/contract/comma-list.ts';
import { client } from '../api/client.ts';
import type { ShownColumns } from './layout.ts';

export interface LayoutOptions {
  readonly columns: ShownColumns;
  /** The tables to lay out. Undefined for all tables. */
  readonly tables: readonly string[] | undefined;
}

/**
 * The layout that the server computes. Its key begins with that of the schema, so that it is
 * requested again when the schema changes.
 */
export function layoutQuery(options: LayoutOptions) {
  return queryOptions({
    queryKey: ['schema', 'diagram', options],
    queryFn: async ({ signal }) =>
      (await client.call('GET /diagram', { query: queryOf(options), signal })).body,
    staleTime: 60_000,
  });
}

/** The same parameter as that of exports. */
export function queryOf({ columns, tables }: LayoutOptions) {
  return { columns, tables: tables && [encodeList(tables)] };
}
