import { createHash } from 'node:crypto';
import { networkOf } from './addresses.ts';

/** An attempt to log in: from where, and as whom. */
export interface Attempt {
  readonly address: string;
  /** Undefined where a token stands for the account. */
  readonly user: string | undefined;
}

/** Slows guessing down: who fails too often must wait, longer each time. */
export interface Throttle {
  /** Seconds to wait before the attempt; 0 when it may be made. */
  waitSeconds(attempt: Attempt): number;
  failed(attempt: Attempt): void;
  /** A network that logs in as an account no longer waits for failures of other networks. */
  succeeded(attempt: Attempt): void;
}

interface Record {
  failures: number;
  /** When the next attempt may be made. */
  nextAt: number;
}

/** What failures are counted by, and how many of them cost nothing. */
interface Count {
  readonly key: string;
  readonly freeFailures: number;
}

const ofAddress = 4;
/** Counted over all addresses: enough that one who mistypes is not made to wait for others. */
const ofAccount = 49;
const firstWaitMs = 1000;
const longestWaitMs = 60_000;
const forgottenAfterMs = 15 * 60_000;
const mostKeys = 10_000;

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
    if (record !== undefined && now() - record.nextAt < forgottenAfterMs) return record;
    return { failures: 0, nextAt: 0 };
  };

  const count = ({ key, freeFailures }: Count): void => {
    const failures = current(key).failures + 1;
    const over = failures - freeFailures;
    const waitMs = over <= 0 ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (over - 1));
    records.delete(key);
    records.set(key, { failures, nextAt: now() + waitMs });
    if (records.size > mostKeys) forgetOldest(records);
  };

  const countsOf = (attempt: Attempt): readonly Count[] => {
    const { network, account } = keysOf(attempt);
    const own = { key: `from ${network}`, freeFailures: ofAddress };
    if (knownNetworks.has(`${network} as ${account}`)) return [own];
    return [own, { key: `as ${account}`, freeFailures: ofAccount }];
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
      const known = `${network} as ${account}`;
      knownNetworks.delete(known);
      knownNetworks.add(known);
      if (knownNetworks.size > mostKeys) forgetOldest(knownNetworks);
    },
  };
}

function keysOf({ address, user }: Attempt): {
  readonly network: string;
  readonly account: string;
} {
  return { network: networkOf(address), account: accountKey(user) };
}

/** A name may be as long as a body. */
function accountKey(user: string | undefined): string {
  return user === undefined ? '' : createHash('sha256').update(user).digest('base64url');
}

/** Both a map and a set keep the order in which their keys were added. */
function forgetOldest(keys: Map<string, Record> | Set<string>): void {
  const [oldest] = keys.keys();
  if (oldest !== undefined) keys.delete(oldest);
}
