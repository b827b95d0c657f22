import {
  QueryClient,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from '@tanstack/react-query';
import { encodeList } from '../../../src/contract/comma-list.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { client } from './client.ts';
import type { CallOptions } from '../../../src/contract/client/client.ts';
import type { Schema, Table } from './responses.ts';

export type { Column, Relation, Row, RowList, Schema, Table } from './responses.ts';
export type ListOptions = CallOptions<'GET /tables/:table/rows'>;

/** Error responses of the server are not retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && !(error instanceof StudioError),
      refetchOnWindowFocus: false,
      // Structural sharing copies by assignment, which loses a column named `__proto__`.
      structuralSharing: false,
    },
  },
});

export const schemaQuery = queryOptions({
  queryKey: ['schema'],
  queryFn: async ({ signal }) => (await client.call('GET /schema', { signal })).body,
  staleTime: 60_000,
});

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => (await client.call('GET /config', { signal })).body,
  staleTime: Infinity,
  // A standby may be promoted at any time.
  refetchInterval: ({ state }) => (state.data?.read_only_reason === undefined ? false : 5000),
});

export type RowsRequest = Omit<ListOptions, 'params' | 'signal'>;

/** A page of rows. `before` returns, on each fetch, the cursor of the preceding page if it is known. */
export function rowsQuery(table: string, options: RowsRequest, before?: () => string | undefined) {
  return queryOptions({
    queryKey: ['rows', table, options],
    queryFn: async ({ signal }) => {
      const started = performance.now();
      const cursor = before?.();
      const query = cursor === undefined ? options.query : { ...options.query, cursor };
      const request = { ...options, query, params: { table }, signal } as ListOptions;
      const { body } = await client.call('GET /tables/:table/rows', request);
      return { ...body, durationMs: performance.now() - started };
    },
  });
}

/**
 * The cursor at the end of a page that was read. Undefined while the page is read again, because
 * rows may have moved.
 */
export function endOfPage({ queryKey }: ReturnType<typeof rowsQuery>): string | undefined {
  const state = queryClient.getQueryState(queryKey);
  const isSettled = state?.fetchStatus === 'idle' && !state.isInvalidated;
  return isSettled ? state.data?.next_cursor : undefined;
}

/** One record with its entity tag. */
export function recordQuery(table: string, id: string) {
  return queryOptions({
    queryKey: ['rows', table, 'record', id],
    queryFn: async ({ signal }) =>
      client.call('GET /tables/:table/rows/:id', {
        params: { table, id },
        query: { show_deleted: true },
        signal,
      }),
  });
}

/** A page of the rows of a relation. */
export function relatedQuery(
  { table, id, relation }: RelationAddress,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
) {
  return queryOptions({
    queryKey: ['rows', table, 'relation', id, relation, page, pageSize],
    queryFn: async ({ signal }) =>
      (
        await client.call('GET /tables/:table/rows/:id/relations/:relation', {
          params: { table, id, relation },
          query: { page, page_size: pageSize, labels: true, cells: 'preview' },
          signal,
        })
      ).body,
    placeholderData: keepPreviousData,
  });
}

export interface RelationAddress {
  readonly table: string;
  readonly id: string;
  readonly relation: string;
}

/** One value in full, as text. */
export function cellTextQuery(table: string, id: string, column: string) {
  return queryOptions({
    queryKey: ['rows', table, 'cell', id, column],
    queryFn: async ({ signal }) => {
      const { body } = await client.call('GET /tables/:table/rows/:id/cells/:column', {
        params: { table, id, column },
        query: { show_deleted: true },
        signal,
      });
      return body === null ? '' : body.text();
    },
    staleTime: 0,
    gcTime: 0,
  });
}

const candidatePageSize = 20;

/** Pages of rows that a foreign key can reference: those with a key, or those that contain a text. */
export function candidatesQuery(
  table: string,
  { search, key }: { readonly search?: string; readonly key?: Readonly<Record<string, string>> },
) {
  return infiniteQueryOptions({
    queryKey: ['rows', table, 'candidates', search ?? '', key ?? {}],
    queryFn: async ({ signal, pageParam }) =>
      (
        await client.call('GET /tables/:table/rows', {
          params: { table },
          query: {
            page_size: candidatePageSize,
            cells: 'preview',
            ...(pageParam === '' ? {} : { cursor: pageParam }),
            ...(search === undefined || search === '' ? {} : { search }),
          },
          filters: equalities(key ?? {}),
          signal,
        })
      ).body,
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

function equalities(key: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(key).map(([column, value]) => [`${column}__eq`, value]));
}

/** The row that a foreign key references, found by the referenced columns. */
export function referencedQuery(table: string, key: Readonly<Record<string, string>>) {
  return queryOptions({
    queryKey: ['rows', table, 'referenced', key],
    queryFn: async ({ signal }) => {
      const { body } = await client.call('GET /tables/:table/rows', {
        params: { table },
        query: { page_size: 1, count: 'none', show_deleted: true, cells: 'preview' },
        filters: equalities(key),
        signal,
      });
      return body.data[0] ?? null;
    },
  });
}

/** Makes the server read the structure again, then reloads everything on the page that depends on it. */
export async function refreshSchema(): Promise<void> {
  const { body } = await client.call('POST /schema/refresh');
  queryClient.setQueryData(schemaQuery.queryKey, body);
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['rows'] }),
    queryClient.invalidateQueries({
      queryKey: schemaQuery.queryKey,
      predicate: ({ queryKey }) => queryKey.length > 1,
    }),
  ]);
}

/** Finds a table or view by name. */
export function findTable(schema: Schema | undefined, name: string): Table | undefined {
  return (
    schema?.tables.find((table) => table.name === name) ??
    schema?.views.find((view) => view.name === name)
  );
}

export type SourceKind = 'sql' | 'go' | 'dbml';

/** The exported text of tables. */
export function sourceQuery(kind: SourceKind, ...names: readonly string[]) {
  return queryOptions({
    queryKey: ['schema', 'source', kind, ...names],
    queryFn: async ({ signal }) => {
      const tables = [encodeList(names)];
      const { body } =
        kind === 'go'
          ? await client.call('GET /export/models', { query: { tables }, signal })
          : await client.call('GET /export/schema', {
              query: { format: kind, tables, ...(kind === 'sql' ? { references: 'all' } : {}) },
              signal,
            });
      return body === null ? '' : body.text();
    },
  });
}
