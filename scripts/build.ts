/** Builds dist: `npm run build` all of it, `--stale` only what is older than its sources. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Part {
  /** A file that the command writes last or always, so that its age is that of the whole part. */
  output: string;
  sources: readonly string[];
  command: string;
}

const root = join(import.meta.dirname, '..');

const server: Part = {
  output: 'dist/LICENSES.txt',
  sources: [
    'src',
    'tsconfig.json',
    'tsconfig.build.json',
    'package-lock.json',
    'scripts/bundle.ts',
  ],
  command: 'tsc -p tsconfig.build.json && node scripts/bundle.ts',
};

const webStudio: Part = {
  output: 'dist/ui/index.html',
  sources: [
    'ui',
    ...['contract', 'databases', 'model', 'portable'].map((layer) => `src/${layer}`),
    'package-lock.json',
  ],
  command: 'vite build --logLevel warn ui && node scripts/check/bundle.ts',
};

/** Folders count too: deleting a file changes the time of its folder only. */
function newestChange(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(path).map((name) => newestChange(join(path, name)));
  return Math.max(stats.mtimeMs, ...inside);
}

function isStale({ output, sources }: Part): boolean {
  const built = statSync(join(root, output), { throwIfNoEntry: false });
  return !built || sources.some((source) => newestChange(join(root, source)) > built.mtimeMs);
}

function build({ command }: Part): void {
  const bin = join(root, 'node_modules', '.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
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
