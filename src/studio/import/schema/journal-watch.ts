/**
 * Whether imports are alive. Nobody holds the lock of an import between two of its sessions, and the lock is known only to
 * one server of a cluster, so the process of an import also changes the time of its journal now and then.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry, Owner } from './journal-files.ts';

/** The entry with which the journal of this process begins. None where the system has no such names. */
export function ownerEntries(): readonly Owner[] {
  const owner = processSpace();
  return owner === undefined ? [] : [{ owner, pid: process.pid }];
}

/** True only if the process has certainly ended. Another one may have its id by now. */
export function hasOwnerEnded(entries: readonly JournalEntry[]): boolean {
  const found = entries.find((entry) => typeof entry === 'object' && 'owner' in entry);
  if (found === undefined || found.owner !== processSpace()) return false;
  try {
    process.kill(found.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Containers of one machine may have the same host name, but not each other's processes. */
function processSpace(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return [hostname(), boot, readlinkSync('/proc/self/ns/pid')].join(' ');
  } catch {
    return undefined;
  }
}

/** Between two signs of life of an import, in milliseconds. */
export const beatMs = 1000;
/** Without a sign of life for so long, its process has ended. The clocks of the machines need not agree. */
const silenceMs = 5000;
const pollMs = 200;

/**
 * Watches files until each has changed or has been silent for long enough, and returns the silent ones. When the signal
 * aborts, files that are still watched do not count as silent.
 */
export async function findSilent(
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const silent = new Set<string>();
  const watch = async (path: string): Promise<void> => {
    if (await isSilent(path, signal)) silent.add(path);
  };
  await Promise.all(paths.map(watch));
  return silent;
}

/** Counts polls instead of measuring time: a machine that was suspended has stopped the import too. */
async function isSilent(path: string, signal: AbortSignal | undefined): Promise<boolean> {
  const changedAt = await changeTime(path);
  for (let poll = 0; poll * pollMs < silenceMs; poll++) {
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    if (signal?.aborted === true || (await changeTime(path)) !== changedAt) return false;
  }
  return changedAt !== undefined;
}

/** Undefined for a journal that no longer exists. */
async function changeTime(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.mtimeMs;
}
