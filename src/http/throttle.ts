/** Slows guessing down: who fails too often must wait, longer each time. */
export interface Throttle {
  /** Seconds to wait before the next attempt; 0 when it may be made. */
  waitSeconds(key: string): number;
  failed(key: string): void;
  succeeded(key: string): void;
}

interface Record {
  failures: number;
  /** When the next attempt may be made. */
  nextAt: number;
}

const freeFailures = 5;
const firstWaitMs = 1000;
const longestWaitMs = 60_000;
const forgottenAfterMs = 15 * 60_000;
const mostKeys = 10_000;

export function createThrottle(now: () => number = Date.now): Throttle {
  const records = new Map<string, Record>();

  const current = (key: string): Record => {
    const record = records.get(key);
    if (record !== undefined && now() - record.nextAt < forgottenAfterMs) return record;
    return { failures: 0, nextAt: 0 };
  };

  return {
    waitSeconds: (key) => Math.max(0, Math.ceil((current(key).nextAt - now()) / 1000)),
    failed(key) {
      const record = current(key);
      const failures = record.failures + 1;
      const waitMs =
        failures < freeFailures
          ? 0
          : Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - freeFailures));
      records.delete(key);
      records.set(key, { failures, nextAt: now() + waitMs });
      if (records.size > mostKeys) forgetOldest(records);
    },
    succeeded: (key) => void records.delete(key),
  };
}

function forgetOldest(records: Map<string, Record>): void {
  const [oldest] = records.keys();
  if (oldest !== undefined) records.delete(oldest);
}
