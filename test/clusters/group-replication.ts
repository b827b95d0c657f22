import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startGroupReplication, whatIsMissing } from './start-group-replication.ts';
import type { ReplicationGroup } from './start-group-replication.ts';

/** Starts a group for the tests of a file and prepares it. Skips them with a reason if it cannot be started. */
export function useGroupReplication(
  prepare: (group: ReplicationGroup) => Promise<void>,
): () => ReplicationGroup {
  let group: ReplicationGroup | undefined;
  let unavailableReason = '';
  // The first time, MySQL is downloaded and installed.
  const limitMs = 600_000;
  beforeAll(async () => {
    const missing = await whatIsMissing();
    if (missing !== undefined) {
      unavailableReason = missing;
      return;
    }
    group = await startGroupReplication();
    await prepare(group);
  }, limitMs);
  beforeEach((context) => {
    if (group === undefined) context.skip(`no Group Replication: ${unavailableReason}`);
  });
  afterAll(() => group?.remove());
  return () => {
    if (group === undefined) throw new Error(`no Group Replication: ${unavailableReason}`);
    return group;
  };
}
