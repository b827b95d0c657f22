import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, removeFolder } from '../processes/scratch-folder.ts';
import { limitedBody } from './read-body.ts';

/** Writes a body to a temporary file, runs `work` and removes the file. */
export async function withSpooledBody<T>(
  request: Request,
  limitBytes: number,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await makeFolder();
  try {
    const path = join(folder, 'body');
    await writeBody(path, limitedBody(request, limitBytes));
    return await work(path);
  } finally {
    await removeFolder(folder);
  }
}

async function writeBody(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}
