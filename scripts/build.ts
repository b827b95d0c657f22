/** Builds dist: `npm run build` all of it, `--stale` only what is older than its sources. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isStale, root, server, webStudio } from './build-parts.ts';
import type { Part } from './build-parts.ts';

function build({ command }: Part): void {
  const bin = join(root, 'node_modules', '.bin');
  // Vite would bundle React's development build if the caller has set NODE_ENV, as vitest does.
  const env = { ...process.env, NODE_ENV: 'production', PATH: `${bin}:${process.env['PATH']}` };
  const { status } = spawnSync(command, { cwd: root, env, shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

function removeServer(): void {
  const dist = join(root, 'dist');
  const names = existsSync(dist) ? readdirSync(dist) : [];
  for (const name of names.filter((each) => each !== 'ui'))
    rmSync(join(dist, name), { recursive: true, force: true });
}

const staleOnly = process.argv.includes('--stale');
if (!staleOnly) rmSync(join(root, 'dist'), { recursive: true, force: true });
// The chunks of an earlier build would stay, since their names have the hash of their contents.
else if (isStale(server)) removeServer();
for (const part of [server, webStudio]) if (!staleOnly || isStale(part)) build(part);
