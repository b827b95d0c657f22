import { createHash } from 'node:crypto';
import { canBeRepeated, isOutcomeUnknown, StudioError } from '../model/errors.ts';
import { unknownOutcomeError } from './unknown-outcome.ts';
import type { SharedOutcomes, SharedRequest } from './shared-outcomes.ts';

/** The `Idempotency-Key` of a request: `"key"`, or `"key";age=seconds` when it is sent again. */
export interface IdempotencyKey {
  readonly key: string;
  /** The time since the request was first sent, in milliseconds. Undefined for the first request. */
  readonly ageMs: number | undefined;
}

const keyPattern = /^"?([\w.:-]{1,100})"?(?:; ?age=(\d{1,9}))?$/;

export function readIdempotencyKey(header: string): IdempotencyKey {
  const [, key, age] = keyPattern.exec(header.trim()) ?? [];
  if (key === undefined)
    throw new StudioError(
      'invalid_parameter',
      'Idempotency-Key must be 1 to 100 letters, digits and the characters "_.:-" in quotes; add `;age=` and the seconds since the first request when you repeat it.',
    );
  return { key, ageMs: age === undefined ? undefined : Number(age) * 1000 };
}

/** Carries out each request once, however often a client repeats it because it got no response. */
export interface Idempotency<T> {
  /**
   * Returns the outcome of the first request with the key. `content` must be the same each time. After an error that
   * changed nothing and may pass, the next request with the key counts as the first one. After one that leaves open
   * what was written, it gets `outcome_unknown`.
   */
  run(key: IdempotencyKey, content: string, perform: () => Promise<T>): Promise<T>;
}

interface Entry<T> {
  readonly fingerprint: string;
  readonly outcome: Promise<T>;
  readonly startedAt: number;
}

export interface IdempotencyLimits {
  readonly maxEntries: number;
  readonly retentionMs: number;
  readonly now: () => number;
}

const defaultLimits: IdempotencyLimits = {
  maxEntries: 1000,
  retentionMs: 600_000,
  now: () => performance.now(),
};

/** A client rounds the age of its request down to seconds. */
const ageToleranceMs = 2000;

export function createIdempotency<T>(limits = defaultLimits): Idempotency<T> {
  const { maxEntries, retentionMs, now } = limits;
  const entries = new Map<string, Entry<T>>();
  /** Requests that began until then are no longer known, also those before the studio started. */
  let removedUntil = now();

  const unknown = (): Promise<T> => {
    const outcome = Promise.reject<T>(unknownOutcomeError());
    outcome.catch(() => undefined);
    return outcome;
  };
  const removeExpired = (): void => {
    for (const [key, { startedAt }] of entries) {
      if (entries.size <= maxEntries && now() - startedAt < retentionMs) return;
      entries.delete(key);
      removedUntil = Math.max(removedUntil, startedAt);
    }
  };

  return {
    async run({ key, ageMs }, content, perform) {
      removeExpired();
      const fingerprint = fingerprintOf(content);
      const entry = entries.get(key);
      if (entry !== undefined) {
        if (entry.fingerprint !== fingerprint) throw reusedKeyError(key);
        return entry.outcome;
      }
      if (ageMs !== undefined && now() - ageMs <= removedUntil + ageToleranceMs)
        throw unknownOutcomeError();
      const outcome = perform();
      const newEntry = { fingerprint, outcome, startedAt: now() };
      entries.set(key, newEntry);
      outcome.catch((error: unknown) => {
        if (entries.get(key) !== newEntry) return;
        if (canBeRepeated(error)) entries.delete(key);
        else if (isOutcomeUnknown(error)) entries.set(key, { ...newEntry, outcome: unknown() });
      });
      return outcome;
    },
  };
}

/**
 * Carries out each request once, however often a client repeats it at any of the copies that share outcomes. Copies
 * in front of different databases share none, since the same request may be sent to both. A studio that could not use
 * the folder from its start has nothing to share, and remembers its own requests.
 */
export function createSharedIdempotency<T>(outcomes: SharedOutcomes<T>): Idempotency<T> {
  const running = new Map<string, Promise<unknown>>();
  const own = createIdempotency<T>();
  const runOnce = async (request: SharedRequest<T>): Promise<T> => {
    const outcome = await outcomes.run(request);
    if (outcome === undefined) throw unknownOutcomeError();
    if (outcome.fingerprint !== request.fingerprint) throw reusedKeyError(request.key);
    return outcome.take();
  };
  return {
    async run({ key, ageMs }, content, perform) {
      if (!(await outcomes.isAvailable())) return own.run({ key, ageMs }, content, perform);
      const request = { key, ageMs, perform, fingerprint: fingerprintOf(content) };
      // Requests at this copy wait for each other without reading the folder again and again.
      for (;;) {
        const earlier = running.get(key);
        if (earlier === undefined) break;
        await earlier.catch(() => {});
      }
      const outcome = runOnce(request);
      running.set(key, outcome);
      try {
        return await outcome;
      } finally {
        running.delete(key);
      }
    },
  };
}

function fingerprintOf(content: string): string {
  return createHash('sha256').update(content).digest('base64');
}

function reusedKeyError(key: string): StudioError {
  return new StudioError(
    'invalid_parameter',
    `The Idempotency-Key "${key}" belongs to another request. Use a new key for each request.`,
  );
}
