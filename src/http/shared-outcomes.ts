/**
 * Lets the copies of a studio know the outcomes of each other's requests with an `Idempotency-Key`, by files in the
 * state folder that they share. A copy creates the file of a key before it carries out the request, so that only one
 * copy does, and replaces it with the outcome. A copy that was killed in between leaves a file without an outcome:
 * nobody knows then whether the database has committed.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canBeRepeated, isOutcomeUnknown, nothingWritten, StudioError } from '../model/errors.ts';
import { stateUnavailable } from '../studio/core/state-folder.ts';
import { writeAtomically } from '../studio/core/write-atomically.ts';
import { createSweep } from './sweep-folder.ts';
import {
  forgottenRequestError,
  interruptedRequestError,
  uncertainFailureError,
} from './unknown-outcome.ts';
import type { ErrorCode, ErrorDetails } from '../model/errors.ts';

/** The outcomes of requests, of all copies. Results must survive JSON. */
export interface SharedOutcomes<T> {
  /** Whether the folder could be used when the studio started. */
  isAvailable(): Promise<boolean>;
  /**
   * Carries out the request if no copy has begun to, and otherwise waits for the outcome. Fails with `outcome_unknown`
   * if the copy that began has ended, or if nobody knows whether one has begun.
   */
  run(request: SharedRequest<T>): Promise<SharedOutcome<T>>;
}

export interface SharedRequest<T> {
  readonly key: string;
  readonly fingerprint: string;
  /** The time since the request was first sent, in milliseconds. Undefined for the first request. */
  readonly ageMs: number | undefined;
  readonly perform: () => Promise<T>;
}

export interface SharedOutcome<T> {
  /** Of the first request with the key. */
  readonly fingerprint: string;
  /** Returns the result or throws the error. */
  readonly take: () => T;
}

interface OutcomesOptions {
  readonly folder: string;
  /** Reports that the folder cannot be used, or an outcome not be written. */
  readonly onFailure: (error: unknown) => void;
  readonly intervals?: OutcomeIntervals;
}

/** In milliseconds. */
export interface OutcomeIntervals {
  /** Between two signs of life of a copy that carries out a request. */
  readonly beat: number;
  /** Without a sign of life for so long, a copy has ended. */
  readonly silence: number;
  /** For which an outcome is known at least. */
  readonly retention: number;
  /** Between two searches for older files. */
  readonly sweep: number;
}

const defaultIntervals: OutcomeIntervals = {
  beat: 1000,
  silence: 5000,
  retention: 600_000,
  sweep: 60_000,
};

/** A client rounds the age of its request down to seconds. */
const ageToleranceMs = 2000;

interface Claim {
  readonly version: 1;
  readonly fingerprint: string;
}

type Ending =
  | { readonly result: unknown }
  | { readonly error: { code: ErrorCode; message: string; details: ErrorDetails } };

type OutcomeRecord = Claim | (Claim & Ending);

export function createSharedOutcomes<T>(options: OutcomesOptions): SharedOutcomes<T> {
  const { folder, onFailure, intervals = defaultIntervals } = options;
  const sweep = createSweep({
    folder,
    everyMs: intervals.sweep,
    now: () => performance.now(),
    isExpired: async (name) =>
      name !== sinceName && (await ageOf(join(folder, name))) > 2 * intervals.retention,
  });
  let since: number | undefined;
  const findSince = async (): Promise<number> => (since ??= await knownSince(folder));
  const available = findSince().then(
    () => true,
    (error: unknown) => {
      onFailure(error);
      return false;
    },
  );
  void sweep();

  /** Whether the file of the key would still exist if a copy had received the request when it was first sent. */
  const wouldBeKnown = async (ageMs: number): Promise<boolean> =>
    ageMs < intervals.retention && Date.now() - ageMs > (await findSince()) + ageToleranceMs;

  const carryOut = async (
    file: string,
    { fingerprint, ageMs, perform }: SharedRequest<T>,
  ): Promise<SharedOutcome<T>> => {
    if (ageMs !== undefined && !(await wouldBeKnown(ageMs))) {
      await rm(file, { force: true });
      throw forgottenRequestError();
    }
    const ending = await whileAlive(file, intervals.beat, () => endingOf(perform));
    await finish(file, fingerprint, ending).catch(onFailure);
    return {
      fingerprint,
      take: () => {
        if ('thrown' in ending) throw ending.thrown;
        return ending.result;
      },
    };
  };

  return {
    isAvailable: () => available,
    async run(request) {
      void sweep();
      const file = join(folder, fileName(request.key));
      for (;;) {
        if (await claim(folder, file, request.fingerprint)) return carryOut(file, request);
        const record = await untilEnded(file, intervals);
        if (record === 'silent') throw interruptedRequestError();
        if (record !== 'removed') return outcomeOf<T>(record);
      }
    },
  };
}

type LocalEnding<T> = { readonly result: T } | { readonly thrown: unknown };

async function endingOf<T>(perform: () => Promise<T>): Promise<LocalEnding<T>> {
  try {
    return { result: await perform() };
  } catch (thrown) {
    return { thrown };
  }
}

async function finish(
  file: string,
  fingerprint: string,
  ending: LocalEnding<unknown>,
): Promise<void> {
  const claimed: Claim = { version: 1, fingerprint };
  if ('result' in ending)
    return writeAtomically(file, JSON.stringify({ ...claimed, result: ending.result }));
  if (canBeRepeated(ending.thrown)) return rm(file, { force: true });
  const { code, message, details } = isOutcomeUnknown(ending.thrown)
    ? uncertainFailureError(ending.thrown)
    : (ending.thrown as StudioError);
  return writeAtomically(file, JSON.stringify({ ...claimed, error: { code, message, details } }));
}

function outcomeOf<T>(record: Claim & Ending): SharedOutcome<T> {
  return {
    fingerprint: record.fingerprint,
    take: () => {
      if ('result' in record) return record.result as T;
      const { code, message, details } = record.error;
      throw new StudioError(code, message, details);
    },
  };
}

/** Keys are chosen by clients. */
function fileName(key: string): string {
  return `${createHash('sha256').update(key).digest('hex')}.json`;
}

const sinceName = 'since';

/** When the copies began to remember keys in this folder, in milliseconds of the clock. */
async function knownSince(folder: string): Promise<number> {
  const file = join(folder, sinceName);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, '', { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    return (await stat(file)).mtimeMs;
  } catch (error) {
    throw stateUnavailable('used', error);
  }
}

/** Creates the file of a key. Returns false if there is one. */
async function claim(folder: string, file: string, fingerprint: string): Promise<boolean> {
  const claimed: Claim = { version: 1, fingerprint };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(claimed));
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw stateUnavailable(`used, so ${nothingWritten}`, error);
  }
}

/** Touches the file now and then, so that other copies wait for the outcome. */
async function whileAlive<T>(file: string, beatMs: number, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => {});
  }, beatMs);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The copies' clocks need not agree: a copy has ended when its file no longer changes. */
async function untilEnded(
  file: string,
  { beat, silence }: OutcomeIntervals,
): Promise<(Claim & Ending) | 'silent' | 'removed'> {
  let changedAt = 0;
  for (let seenAt = performance.now(), wait = 10; ; wait = Math.min(2 * wait, beat / 2)) {
    const record = await readRecord(file);
    if (record === 'removed') return record;
    if (record !== 'incomplete' && ('result' in record || 'error' in record)) return record;
    const { mtimeMs = changedAt } = (await stat(file).catch(() => undefined)) ?? {};
    if (mtimeMs !== changedAt) [changedAt, seenAt] = [mtimeMs, performance.now()];
    if (performance.now() - seenAt > silence) return 'silent';
    await sleep(wait);
  }
}

/** A file is incomplete while it is created, and stays so if its copy was killed then. */
async function readRecord(file: string): Promise<OutcomeRecord | 'removed' | 'incomplete'> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as OutcomeRecord;
  } catch (error) {
    if (error instanceof SyntaxError) return 'incomplete';
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'removed';
    throw stateUnavailable('read', error);
  }
}

async function ageOf(file: string): Promise<number> {
  const { mtimeMs = Infinity } = (await stat(file).catch(() => undefined)) ?? {};
  return Date.now() - mtimeMs;
}
