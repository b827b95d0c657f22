import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitedBody } from './read-body.ts';

/** Puts a body into a file for as long as `work` takes; the file goes whatever happens. */
export async function withSpooledBody<T>(
  request: Request,
  limitBytes: number,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'database-studio-'));
  try {
    const path = join(folder, 'body');
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of limitedBody(request, limitBytes)) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
