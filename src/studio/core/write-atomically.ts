import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Replaces a file atomically: readers see the old file or the new one. */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const draft = join(dirname(file), `.${basename(file)}-${randomUUID()}`);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
