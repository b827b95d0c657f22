import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

/** A server that is stopped or hangs is noticed within five seconds, with the interval. */
export const responseLimitMs = 3500;
const intervalMs = 1000;

const livenessQuery = queryOptions({
  queryKey: ['live'],
  queryFn: async ({ signal }) => {
    const limit = AbortSignal.timeout(responseLimitMs);
    await client.call('GET /live', { signal: AbortSignal.any([signal, limit]) });
    return true;
  },
  retry: false,
  gcTime: 0,
  // The browser may be offline while the server is on the same computer.
  networkMode: 'always',
});

/** Whether the server responds, for operations whose own requests may take long. */
export function useIsResponding({ isWatched }: { readonly isWatched: boolean }): boolean {
  const { isError } = useQuery({
    ...livenessQuery,
    enabled: isWatched,
    refetchInterval: intervalMs,
  });
  return !(isWatched && isError);
}
