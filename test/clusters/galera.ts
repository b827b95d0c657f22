import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startGalera, whatIsMissing } from './start-galera.ts';
import type { GaleraCluster } from './start-galera.ts';

/** Starts a cluster for the tests of a file and prepares it. Skips them with a reason if it cannot be started. */
export function useGalera(
  prepare?: (cluster: GaleraCluster) => Promise<void>,
): () => GaleraCluster {
  let cluster: GaleraCluster | undefined;
  let unavailableReason = '';
  beforeAll(async () => {
    const missing = await whatIsMissing();
    if (missing !== undefined) {
      unavailableReason = missing;
      return;
    }
    cluster = await startGalera();
    await prepare?.(cluster);
  });
  beforeEach((context) => {
    if (cluster === undefined) context.skip(`no Galera cluster: ${unavailableReason}`);
  });
  afterAll(() => cluster?.remove());
  return () => {
    if (cluster === undefined) throw new Error(`no Galera cluster: ${unavailableReason}`);
    return cluster;
  };
}
