import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWriteDisabledReason } from '../api/capabilities.ts';
import { client } from '../api/client.ts';
import { configQuery, queryClient } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import type { ShownColumns } from './layout.ts';
import type { SavedPositions } from './saved-positions.ts';
import { queueAfterPause } from './queue-after-pause.ts';
import {
  receivePositions,
  unsharedChangesOf,
  useUnsharedChanges,
} from './table-positions-store.ts';
import { diagramTexts as texts } from '../texts/diagram.ts';

type PositionsBody = Readonly<Record<string, readonly number[]>>;

function positionsQuery(columns: ShownColumns) {
  return queryOptions({
    queryKey: ['positions', columns],
    queryFn: async ({ signal }) => {
      const { body } = await client.call('GET /diagram/positions', { query: { columns }, signal });
      return positionsIn(body.positions);
    },
    // Other users may have moved tables meanwhile.
    refetchOnWindowFocus: true,
  });
}

/** Shows the positions that the server has, and sends it those that change here. */
export function useSharedPositions(key: string, columns: ShownColumns): void {
  const { data: config } = useQuery(configQuery);
  const hasReason = useWriteDisabledReason() !== undefined;
  // Until the configuration has arrived, the studio may be read-only.
  const canSend = config !== undefined && !hasReason;
  const changes = useUnsharedChanges(key);
  const { data: shared } = useQuery(positionsQuery(columns));
  useEffect(() => {
    if (shared !== undefined) receivePositions(key, shared);
  }, [key, shared]);
  // Changes that were made before the positions arrived, or while the server was away, are sent too.
  useEffect(() => {
    if (shared === undefined || !canSend || Object.keys(changes).length === 0) return;
    queueChanges(key, () => sendChanges(key, columns));
  }, [key, columns, shared, changes, canSend]);
}

/** Arrow keys move a table in many small steps, which are sent together. In milliseconds. */
const pauseMs = 400;

/** Requests follow each other, so that the last move of a table is the last one that the server gets. */
const queueChanges = queueAfterPause(pauseMs);

async function sendChanges(key: string, columns: ShownColumns): Promise<void> {
  const changes = unsharedChangesOf(key);
  if (Object.keys(changes).length === 0) return;
  const positions = Object.fromEntries(
    Object.entries(changes).map(([name, at]) => [name, at === null ? null : [at.x, at.y]]),
  );
  try {
    const { body } = await client.call('POST /diagram/positions', {
      query: { columns },
      body: JSON.stringify({ positions }),
    });
    const shared = positionsIn(body.positions);
    // A response that is under way may be older.
    await queryClient.cancelQueries(positionsQuery(columns));
    receivePositions(key, shared, changes);
    queryClient.setQueryData(positionsQuery(columns).queryKey, shared);
  } catch (error) {
    showToast({ kind: 'error', title: texts.positionsInBrowser, detail: messageOf(error) });
  }
}

function positionsIn(body: PositionsBody): SavedPositions {
  return Object.fromEntries(
    Object.entries(body).map(([name, [x = 0, y = 0]]) => [name, { x, y }] as const),
  );
}
