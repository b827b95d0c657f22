/**
 * Saved queries. The server has them for all users of the database. Where it takes none, because the studio
 * is read-only or cannot be reached, they are stored in this browser.
 */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { currentWriteDisabledReason } from '../api/capabilities.ts';
import { client } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { createStoredList } from './stored-list.ts';
import { sqlTexts as texts } from '../texts/sql.ts';

export interface SavedQuery {
  readonly name: string;
  readonly statement: string;
  /** Stored in this browser only. */
  readonly isLocal: boolean;
}

type StoredQuery = Omit<SavedQuery, 'isLocal'>;

const local = createStoredList<StoredQuery>('studio.sql.saved');

const sharedQuery = queryOptions({
  queryKey: ['saved-queries'],
  queryFn: async ({ signal }) => (await client.call('GET /saved-queries', { signal })).body.queries,
});

/** Those of the server first. */
export function useSavedQueries(): readonly SavedQuery[] {
  const { data: shared = [] } = useQuery(sharedQuery);
  const localQueries = useSelector(local.items);
  return [
    ...shared.map((query) => ({ ...query, isLocal: false })),
    ...localQueries.map((query) => ({ ...query, isLocal: true })),
  ];
}

/** Replaces a query of the same name. */
export async function saveQuery({ name, statement }: StoredQuery): Promise<void> {
  if (currentWriteDisabledReason() !== undefined) return saveLocally({ name, statement });
  try {
    await client.call('PUT /saved-queries/:query', {
      params: { query: name },
      body: JSON.stringify({ statement }),
    });
    removeLocally(name);
  } catch (error) {
    saveLocally({ name, statement });
    showToast({ kind: 'error', title: texts.savedInBrowser, detail: messageOf(error) });
  }
  await queryClient.invalidateQueries(sharedQuery);
}

export async function removeQuery({ name, isLocal }: SavedQuery): Promise<void> {
  if (isLocal) return removeLocally(name);
  try {
    await client.call('DELETE /saved-queries/:query', { params: { query: name } });
  } catch (error) {
    showToast({ kind: 'error', title: texts.notRemoved({ name }), detail: messageOf(error) });
  }
  await queryClient.invalidateQueries(sharedQuery);
}

function saveLocally(query: StoredQuery): void {
  local.change((queries) => [query, ...queries.filter(({ name }) => name !== query.name)]);
}

function removeLocally(removedName: string): void {
  local.change((queries) => queries.filter(({ name }) => name !== removedName));
}
