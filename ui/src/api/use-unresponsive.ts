import { queryOptions, useQuery } from '@tanstack/react-query';
import { ClientError } from '../../../src/contract/client/client.ts';
import { presentationOf } from '../../../src/databases/presentations.ts';
import { client } from './client.ts';
import { schemaQuery } from './queries.ts';

/** A server that is stopped or hangs is noticed within five seconds, with the interval. */
export const responseLimitMs = 3500;

const watching = {
  retry: false,
  gcTime: 0,
  refetchInterval: 1000,
  // The browser may be offline while the server is on the same computer.
  networkMode: 'always',
} as const;

const livenessQuery = queryOptions({
  ...watching,
  queryKey: ['live'],
  queryFn: async ({ signal }) => {
    await client.call('GET /live', { signal: limited(signal) });
    return true;
  },
});

/** False if the studio says that the database does not respond. Fails if the studio does not. */
const readinessQuery = queryOptions({
  ...watching,
  queryKey: ['ready'],
  queryFn: async ({ signal }) => {
    try {
      return (await client.call('GET /health', { signal: limited(signal) })).body.ready;
    } catch (error) {
      if (error instanceof ClientError && error.status === 503) return false;
      throw error;
    }
  },
});

function limited(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(responseLimitMs)]);
}

/** What does not respond, if anything, while an operation runs whose own requests may take long. */
export function useUnresponsive({
  isWatched,
}: {
  readonly isWatched: boolean;
}): 'studio' | 'database' | undefined {
  const { data: schema } = useQuery(schemaQuery);
  // Others wait for the commit of an import into a file, which is no failure.
  const isServer = presentationOf(schema?.driver)?.isFile !== true;
  const { isError } = useQuery({ ...livenessQuery, enabled: isWatched });
  const { data: isReady } = useQuery({ ...readinessQuery, enabled: isWatched && isServer });
  if (!isWatched) return undefined;
  if (isError) return 'studio';
  return isServer && isReady === false ? 'database' : undefined;
}
