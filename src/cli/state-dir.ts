/** The state folder, for persistent data: the demo database, imported models, journals, secrets, spool files. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

import { failed } from './exit-error.ts';
import type { Environment } from './parse.ts';

const name = 'database-studio';

/** Returns the platform's default location for application state. */
export function defaultStateDir(
  platform: NodeJS.Platform,
  env: Environment,
  home = homedir(),
): string {
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), name);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  const xdg = env['XDG_STATE_HOME'];
  // The XDG specification requires relative paths to be ignored.
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'state'), name);
}

/** Creates the folder, accessible to its owner only, and checks that it is writable. */
export async function prepareStateDir(
  requestedFolder: string | undefined,
  env: Environment,
): Promise<string> {
  const dir = resolve(requestedFolder ?? defaultStateDir(process.platform, env));
  const probe = join(dir, `.probe-${randomUUID()}`);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw failed(
      `The state folder ${dir} is not writable (${reason}). Set another one with --state-dir.`,
    );
  }
  return dir;
}
