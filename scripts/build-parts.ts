/** The two parts of dist, the server and the web studio, and whether they are older than their sources. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Part {
  /** A file that the command always writes, so that its age is the age of the whole part. */
  output: string;
  sources: readonly string[];
  command: string;
}

export const root = join(import.meta.dirname, '..');

export const server: Part = {
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

export const webStudio: Part = {
  output: 'dist/ui/index.html',
  sources: [
    'ui',
    ...['contract', 'databases', 'model', 'portable'].map((layer) => `src/${layer}`),
    'package-lock.json',
  ],
  command: 'vite build --logLevel warn ui && node scripts/check/bundle.ts',
};

/** Includes the times of folders, because deleting a file changes only the time of its folder. */
function newestChange(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(path).map((name) => newestChange(join(path, name)));
  return Math.max(stats.mtimeMs, ...inside);
}

export function isStale({ output, sources }: Part): boolean {
  const outputStats = statSync(join(root, output), { throwIfNoEntry: false });
  return (
    !outputStats || sources.some((source) => newestChange(join(root, source)) > outputStats.mtimeMs)
  );
}
