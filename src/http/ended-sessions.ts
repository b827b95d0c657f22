/**
 * Which signed sessions have ended before their tokens expire. Copies are studios with the same secret and state
 * folder, such as those behind a load balancer.
 */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stateUnavailable } from '../studio/core/state-folder.ts';
import { createSweep } from './sweep-folder.ts';

export interface EndedSessions {
  /** Remembers that the session has ended, until its tokens have expired anyway. */
  add(id: string, endsAt: number): Promise<void>;
  has(id: string, endsAt: number): Promise<boolean>;
}

/** How long a look-up in the folder is valid. Log-outs on other copies are honored after this time. */
const recheckMs = 2000;
const maxIds = 10_000;
/** Copies may differ in their clocks. */
const clockToleranceMs = 3_600_000;
const sweepMs = 3_600_000;
const folderName = 'ended-sessions';
const fileName = /^(\d{1,16})-[\da-f]{36}$/;

interface EndedOptions {
  /** The state folder, which copies may share. Without one, this copy alone remembers log-outs. */
  readonly stateDir?: string | undefined;
  readonly now?: () => number;
}

export function createEndedSessions({ stateDir, now = Date.now }: EndedOptions): EndedSessions {
  const ended = createRecent<true>();
  if (stateDir === undefined)
    return {
      add: async (id) => ended.set(id, true),
      has: async (id) => ended.get(id) === true,
    };
  const folder = join(stateDir, folderName);
  const checkedAt = createRecent<number>();
  const sweep = createSweep({
    folder,
    everyMs: sweepMs,
    now,
    isExpired: (name) => isExpired(name, now()),
  });
  return {
    async add(id, endsAt) {
      ended.set(id, true);
      await write(folder, `${endsAt}-${id}`);
      await sweep();
    },
    async has(id, endsAt) {
      if (ended.get(id) === true) return true;
      const age = now() - (checkedAt.get(id) ?? -Infinity);
      if (age >= 0 && age < recheckMs) return false;
      const at = now();
      const isEnded = await exists(join(folder, `${endsAt}-${id}`));
      if (isEnded) ended.set(id, true);
      else checkedAt.set(id, at);
      return isEnded;
    },
  };
}

/** One file for each session: copies need no lock, and a killed copy leaves nothing half-written. */
async function write(folder: string, name: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, name), '', { mode: 0o600 });
  } catch (error) {
    throw stateUnavailable(
      'written, so that other copies of the studio do not know of this log-out',
      error,
    );
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw stateUnavailable('read, so that nobody knows whether this session has ended', error);
  }
}

/** Whether the tokens of the session have expired anyway. */
function isExpired(name: string, now: number): boolean {
  const endsAt = fileName.exec(name)?.[1];
  return endsAt !== undefined && Number(endsAt) + clockToleranceMs < now;
}

/** A map that drops its oldest entries. */
function createRecent<V>(): Pick<Map<string, V>, 'get'> & { set(key: string, value: V): void } {
  const entries = new Map<string, V>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > maxIds && oldest !== undefined) entries.delete(oldest);
    },
  };
}
