/**
 * Lets the copies of a studio see and cancel each other's downloads, by files in the state folder that they share. A
 * copy writes a record of each download that it sends, once in a while and at its end, and looks whether another copy
 * has asked to cancel it. The copies' clocks need not agree: a download whose record no longer changes has lost its copy.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stateUnavailable } from '../studio/core/state-folder.ts';
import { writeAtomically } from '../studio/core/write-atomically.ts';
import { createSweep } from './sweep-folder.ts';
import { isEnded } from './transfer-state.ts';
import type { TransferState } from './transfer-state.ts';

/** The downloads that other copies send. */
export interface SharedTransfers {
  /** Publishes a download of this copy until it has ended, and some time after that. */
  publish(name: string, download: PublishedTransfer): void;
  /** The progress of another copy's download. Undefined if there is none of this name. */
  find(name: string): Promise<TransferState | undefined>;
  /** Resolves with false if there is no such download that runs, and otherwise when it is canceled. */
  cancel(name: string): Promise<boolean>;
}

export interface PublishedTransfer {
  readonly state: () => TransferState;
  readonly cancel: () => void;
  readonly ended: Promise<void>;
}

interface SharedOptions {
  readonly folder: string;
  /** Reports that the folder cannot be written. */
  readonly onFailure: (error: unknown) => void;
  readonly intervals?: Intervals;
}

/** In milliseconds. */
interface Intervals {
  /** Between two records of a running download. */
  readonly beat: number;
  /** Without a new record for so long, a copy has ended. */
  readonly silence: number;
  /** After the end of a download, for which its record is kept. */
  readonly retention: number;
  /** Records that are older have been left behind by copies that were killed. */
  readonly sweep: number;
}

const defaultIntervals: Intervals = {
  beat: 1000,
  silence: 10_000,
  retention: 60_000,
  sweep: 3_600_000,
};

interface TransferRecord {
  readonly version: 1;
  /** Random, for each download. */
  readonly id: string;
  /** Grows with each download of the same name. */
  readonly use: number;
  /** Grows with each record of a download. */
  readonly beat: number;
  readonly state: TransferState;
}

/** A record as this copy has last seen it. */
interface Sighting {
  readonly id: string;
  readonly beat: number;
  /** When this copy first saw it, in milliseconds of its own clock. */
  readonly since: number;
}

const maxSightings = 1000;

export function createSharedTransfers(options: SharedOptions): SharedTransfers {
  const { folder, onFailure, intervals = defaultIntervals } = options;
  const sightings = new Map<string, Sighting>();
  const sweep = createSweep({
    folder,
    everyMs: intervals.sweep,
    now: () => performance.now(),
    isExpired: (name) => isOlderThan(join(folder, name), intervals.sweep),
  });

  /** Whether the copy that sends the download still writes records. */
  const isAlive = (name: string, { id, beat }: TransferRecord): boolean => {
    const now = performance.now();
    const seen = sightings.get(name);
    if (seen?.id === id && seen.beat === beat) return now - seen.since < intervals.silence;
    sightings.delete(name);
    sightings.set(name, { id, beat, since: now });
    const [oldest] = sightings.keys();
    if (sightings.size > maxSightings && oldest !== undefined) sightings.delete(oldest);
    return true;
  };
  const find = async (name: string): Promise<TransferRecord | undefined> => {
    const record = await latestRecord(folder, name);
    if (record === undefined || isEnded(record.state) || isAlive(name, record)) return record;
    return { ...record, state: { ...record.state, state: 'failed', error: lostCopy } };
  };
  return {
    publish(name, download) {
      void sweep();
      publish({ folder, name, download, intervals, onFailure }).catch(onFailure);
    },
    find: async (name) => (await find(name))?.state,
    async cancel(name) {
      const record = await find(name);
      if (record === undefined || isEnded(record.state)) return false;
      await writeAtomically(join(folder, requestName(name, record.id)), '').catch(
        (error: unknown) => {
          throw stateUnavailable('written', error);
        },
      );
      for (;;) {
        await sleep(intervals.beat / 4);
        const current = await find(name);
        if (current?.id !== record.id || current.state.state === 'cancelled') return true;
        if (isEnded(current.state)) return false;
      }
    },
  };
}

const lostCopy =
  'The copy of the studio that sent the file has ended, or cannot write the state folder.';

interface Publication {
  readonly folder: string;
  readonly name: string;
  readonly download: PublishedTransfer;
  readonly intervals: Intervals;
  readonly onFailure: (error: unknown) => void;
}

async function publish(publication: Publication): Promise<void> {
  const { folder, name, download, intervals, onFailure } = publication;
  const id = randomUUID();
  const file = join(folder, `${hashOf(name)}-${id}.json`);
  const request = join(folder, requestName(name, id));
  const earlier = await latestRecord(folder, name).catch(() => undefined);
  const use = (earlier?.use ?? 0) + 1;
  let isReported = false;
  for (let beat = 0; ; beat++) {
    const state = download.state();
    try {
      const record: TransferRecord = { version: 1, id, use, beat, state };
      await writeAtomically(file, JSON.stringify(record));
    } catch (error) {
      if (!isReported) onFailure(error);
      isReported = true;
    }
    if (isEnded(state)) break;
    if (await exists(request)) download.cancel();
    await Promise.race([sleep(intervals.beat, undefined, { ref: false }), download.ended]);
  }
  await rm(request, { force: true });
  await sleep(intervals.retention, undefined, { ref: false });
  await rm(file, { force: true });
}

/** The record of the download that last used the name. Each download has a file of its own, so that none replaces another's. */
async function latestRecord(folder: string, name: string): Promise<TransferRecord | undefined> {
  const prefix = `${hashOf(name)}-`;
  let latest: TransferRecord | undefined;
  for (const file of await filesIn(folder)) {
    if (!file.startsWith(prefix) || !file.endsWith('.json')) continue;
    const record = await readRecord(join(folder, file));
    if (record !== undefined && record.use > (latest?.use ?? 0)) latest = record;
  }
  return latest;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw stateUnavailable('read', error);
  });
}

/** Names are chosen by clients, and may have any characters. */
function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

/** The file by which a copy asks that a download be canceled. */
function requestName(name: string, id: string): string {
  return `${hashOf(name)}-${id}.cancel`;
}

/** Undefined if there is none. */
async function readRecord(file: string): Promise<TransferRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(file, 'utf8')) as TransferRecord;
    if (record.version === 1) return record;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !(error instanceof SyntaxError))
      throw stateUnavailable('read', error);
  }
  return undefined;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Whether a copy that was killed has left the file behind. */
async function isOlderThan(file: string, ageMs: number): Promise<boolean> {
  const { mtimeMs = Infinity } = (await stat(file).catch(() => undefined)) ?? {};
  return Date.now() - mtimeMs > ageMs;
}
