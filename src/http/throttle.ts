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
 * Nothing but time takes a failure back: one client's success would give its neighbours at the same
 * address, or who guesses the same account elsewhere, their attempts anew.
 */
export function createThrottle(now: () => number = Date.now): Throttle {
  const records = new Map<string, Record>();

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

  return {
    waitSeconds: (attempt) =>
      Math.max(
        ...countsOf(attempt).map(({ key }) => Math.ceil((current(key).nextAt - now()) / 1000)),
        0,
      ),
    failed: (attempt) => countsOf(attempt).forEach(count),
  };
}

function countsOf({ address, user }: Attempt): readonly Count[] {
  return [
    { key: `from ${networkOf(address)}`, freeFailures: ofAddress },
    { key: `as ${accountKey(user)}`, freeFailures: ofAccount },
  ];
}

/** A name may be as long as a body. */
function accountKey(user: string | undefined): string {
  return user === undefined ? '' : createHash('sha256').update(user).digest('base64url');
}

function forgetOldest(records: Map<string, Record>): void {
  const [oldest] = records.keys();
  if (oldest !== undefined) records.delete(oldest);
}
