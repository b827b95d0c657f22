/**
 * Whether imports at other servers of a cluster are alive: their locks are known only there, so the process of an
 * import also changes the time of its journal now and then.
 */
import { stat } from 'node:fs/promises';

/** Between two signs of life of an import, in milliseconds. */
export const beatMs = 1000;
/** Without a sign of life for so long, its process has ended. The clocks of the machines need not agree. */
const silenceMs = 5000;

export interface JournalWatch {
  /** Whether the file has not changed for long enough. False when it is first asked for. */
  isSilent(path: string): Promise<boolean>;
}

export function createJournalWatch(now: () => number = () => performance.now()): JournalWatch {
  const seen = new Map<string, { readonly changedAt: number; readonly since: number }>();
  return {
    async isSilent(path) {
      const { mtimeMs: changedAt } = await stat(path);
      const last = seen.get(path);
      if (last?.changedAt === changedAt) return now() - last.since > silenceMs;
      seen.set(path, { changedAt, since: now() });
      return false;
    },
  };
}
