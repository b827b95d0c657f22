import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startGalera, whatIsMissing } from './start-galera.ts';
import type { GaleraCluster } from './start-galera.ts';

/** Starts a cluster for the tests of a file. Skips them with a reason if it cannot be started. */
export function useGalera(): () => GaleraCluster {
  let cluster: GaleraCluster | undefined;
  let unavailableReason = '';
  beforeAll(async () => {
    const missing = await whatIsMissing();
    if (missing === undefined) cluster = await startGalera();
    else unavailableReason = missing;
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
