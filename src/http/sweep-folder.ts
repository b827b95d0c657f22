import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

interface SweepOptions {
  readonly folder: string;
  /** The least time between two sweeps, in milliseconds. */
  readonly everyMs: number;
  readonly now: () => number;
  /** Whether nobody needs the file of this name anymore. */
  readonly isExpired: (name: string) => boolean | Promise<boolean>;
}

/** Returns a function that removes expired files of the folder. What cannot be removed is tried again the next time. */
export function createSweep({
  folder,
  everyMs,
  now,
  isExpired,
}: SweepOptions): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    if (now() < nextAt) return;
    nextAt = now() + everyMs;
    for (const name of await readdir(folder).catch(() => []))
      if (await isExpired(name)) await rm(join(folder, name), { force: true }).catch(() => {});
  };
}
