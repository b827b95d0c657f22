/**
 * Temporary folders for data that is too large for memory. Their names contain the process id, so
 * that a later process can remove what a killed one left.
 */
import { readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The caller must remove the folder. */
export function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `database-studio-${process.pid}-${processSpace()}-`));
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/** Removes the folders of processes that have exited. Folders of other users fail and are skipped. */
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

/** The PID namespace: containers may share the folder but have their own process ids. */
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
