import { createHash } from 'node:crypto';
import {
  canBeRepeated,
  isOutcomeUnknown,
  nothingWritten,
  StudioError,
  withOutcomeDetail,
} from '../model/errors.ts';
import { createEndedRequests } from './ended-requests.ts';
import { forgottenRequestError, uncertainFailureError } from './unknown-outcome.ts';
import type { RequestMemory } from './ended-requests.ts';
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

/** 64 MiB are 130,000 requests within ten minutes, or fewer with their responses. */
const defaultMemory: RequestMemory = {
  maxBytes: 64 * 1024 ** 2,
  retentionMs: 600_000,
  now: () => performance.now(),
};

/** A client rounds the age of its request down to seconds. */
const ageToleranceMs = 2000;

/** Remembers requests in this process. Results must survive JSON. */
export function createIdempotency<T>(memory = defaultMemory): Idempotency<T> {
  const { now } = memory;
  const running = new Map<string, { readonly fingerprint: string; readonly outcome: Promise<T> }>();
  const ended = createEndedRequests<T>(memory);

  /** Requests that are repeated meanwhile wait for the outcome, however long it takes. */
  const start = (key: string, fingerprint: string, perform: () => Promise<T>): Promise<T> => {
    const startedAt = now();
    const outcome = perform();
    running.set(key, { fingerprint, outcome });
    const end = (take: () => T, value: unknown): void => {
      running.delete(key);
      const request = { fingerprint, startedAt, take, bytes: bytesOf(value) };
      ended.add(key, request, running.size);
    };
    outcome.then(
      (result) => end(() => result, result),
      (error: unknown) => {
        if (canBeRepeated(error)) running.delete(key);
        else {
          const known = isOutcomeUnknown(error)
            ? uncertainFailureError(error)
            : (error as StudioError);
          end(() => {
            throw known;
          }, known.details);
        }
      },
    );
    return outcome;
  };

  return {
    async run({ key, ageMs }, content, perform) {
      ended.removeExpired();
      const fingerprint = fingerprintOf(content);
      const [active, past] = [running.get(key), ended.get(key)];
      const known = active ?? past;
      if (known !== undefined && known.fingerprint !== fingerprint) throw reusedKeyError(key);
      if (active !== undefined) return active.outcome;
      if (past !== undefined) return past.take();
      if (ageMs !== undefined && now() - ageMs <= ended.removedUntil() + ageToleranceMs)
        throw forgottenRequestError();
      if (!ended.hasRoom(running.size)) throw noRoomError();
      return start(key, fingerprint, perform);
    },
  };
}

/** Characters take two bytes at most. */
function bytesOf(value: unknown): number {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );
  return 2 * text.length;
}

function noRoomError(): StudioError {
  const error = new StudioError(
    'state_unavailable',
    `The studio has no memory for the outcome of another request with an Idempotency-Key. It keeps each for 10 minutes, and has no state folder for them; ${nothingWritten}.`,
  );
  return withOutcomeDetail(error, 'nothing_written');
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
