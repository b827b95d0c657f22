import { createHash } from 'node:crypto';
import { networkOf } from './addresses.ts';

/** A login attempt. */
export interface Attempt {
  readonly address: string;
  /** Undefined for a token. */
  readonly user: string | undefined;
}

/** Slows down password guessing: repeated failures cause growing delays. */
export interface Throttle {
  /** Seconds until the attempt is allowed; 0 if it is allowed now. */
  waitSeconds(attempt: Attempt): number;
  failed(attempt: Attempt): void;
  /** After a success, failures of other networks no longer delay this network for this account. */
  succeeded(attempt: Attempt): void;
}

interface Record {
  failures: number;
  /** The time of the next allowed attempt. */
  nextAt: number;
}

/** A counter of failures, and the number of failures without a delay. */
interface FailureCounter {
  readonly key: string;
  readonly freeFailures: number;
}

const freePerAddress = 4;
/** Counts failures from all addresses. High enough that a typo is not delayed by failures of others. */
const freePerAccount = 49;
const firstWaitMs = 1000;
const maxWaitMs = 60_000;
const retentionMs = 15 * 60_000;
const maxKeys = 10_000;

/**
 * Failures expire by time only. If a success cleared them, it would also clear those of an attacker
 * at the same address or on the same account. A network that has logged in as an account waits for
 * its own failures only, so that attackers elsewhere cannot lock it out.
 */
export function createThrottle(now: () => number = Date.now): Throttle {
  const records = new Map<string, Record>();
  const knownNetworks = new Set<string>();

  const current = (key: string): Record => {
    const record = records.get(key);
    if (record !== undefined && now() - record.nextAt < retentionMs) return record;
    return { failures: 0, nextAt: 0 };
  };

  const count = ({ key, freeFailures }: FailureCounter): void => {
    const failures = current(key).failures + 1;
    const excess = failures - freeFailures;
    const waitMs = excess <= 0 ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** (excess - 1));
    records.delete(key);
    records.set(key, { failures, nextAt: now() + waitMs });
    if (records.size > maxKeys) removeOldest(records);
  };

  const countsOf = (attempt: Attempt): readonly FailureCounter[] => {
    const { network, account } = keysOf(attempt);
    const networkBucket = { key: `from ${network}`, freeFailures: freePerAddress };
    if (knownNetworks.has(`${network} as ${account}`)) return [networkBucket];
    return [networkBucket, { key: `as ${account}`, freeFailures: freePerAccount }];
  };

  return {
    waitSeconds: (attempt) =>
      Math.max(
        ...countsOf(attempt).map(({ key }) => Math.ceil((current(key).nextAt - now()) / 1000)),
        0,
      ),
    failed: (attempt) => countsOf(attempt).forEach(count),
    succeeded(attempt) {
      const { network, account } = keysOf(attempt);
      const loginKey = `${network} as ${account}`;
      knownNetworks.delete(loginKey);
      knownNetworks.add(loginKey);
      if (knownNetworks.size > maxKeys) removeOldest(knownNetworks);
    },
  };
}

function keysOf({ address, user }: Attempt): {
  readonly network: string;
  readonly account: string;
} {
  return { network: networkOf(address), account: accountKey(user) };
}

/** Hashes the name, which may be very long. */
function accountKey(user: string | undefined): string {
  return user === undefined ? '' : createHash('sha256').update(user).digest('base64url');
}

/** Maps and sets iterate in insertion order. */
function removeOldest(keys: Map<string, Record> | Set<string>): void {
  const [oldest] = keys.keys();
  if (oldest !== undefined) keys.delete(oldest);
}
