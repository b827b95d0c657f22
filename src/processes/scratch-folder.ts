/**
 * Folders for what is too large for memory. Their names tell whose they are, so that what a killed
 * process left is found and removed by the next one.
 */
import { readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whoever makes it removes it. */
export function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `database-studio-${process.pid}-${processSpace()}-`));
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/** Removes the folders of processes that are no more. What cannot be removed is somebody else's. */
export async function sweepFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  await Promise.all(
    names.filter(isAbandoned).map((name) => removeFolder(join(tmpdir(), name)).catch(() => {})),
  );
}

const scratchName = /^database-studio-(\d+)-(\w+)-\w{6}$/;

function isAbandoned(name: string): boolean {
  const [, pid, space] = scratchName.exec(name) ?? [];
  return pid !== undefined && space === processSpace() && !isAlive(Number(pid));
}

/** Containers that share a folder count their processes each for itself. */
function processSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 'x';
  } catch {
    return 'x';
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
