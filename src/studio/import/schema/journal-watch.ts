/**
 * Whether imports are alive. Nobody holds the lock of an import between two of its sessions, and the lock is known only to
 * one server of a cluster, so the process of an import also changes the time of its journal now and then.
 */
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

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
