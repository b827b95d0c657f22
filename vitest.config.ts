import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

import { isStale, server } from './scripts/build-parts.ts';
import { summaryReporter } from './test/reporter.ts';

const CI_SEED = 20_261_101;

/** Child processes that begin from sources: what Node made of them once, it does not make again. */
const compileCache = join(import.meta.dirname, 'node_modules', '.cache', 'node');

/**
 * Child processes, threads and the command run from dist, as for users, where they start in a fraction of the
 * time; from the sources if these have changed since the build (`npm test` builds before).
 */
const builtModules = isStale(server)
  ? []
  : [
      {
        find: /^.*\/processes\/module-url\.ts$|^\.\/module-url\.ts$/,
        replacement: join(import.meta.dirname, 'test', 'built-module-url.ts'),
      },
    ];

/** Folders whose tests touch nothing outside themselves: their files share one process. */
const pure = ['model', 'sql', 'formats', 'gorm', 'diagram'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

/** They change the registry of databases in child processes, which the bundle does not let them do. */
const registering = [
  'test/databases/csv-folder/**/*.test.ts',
  'test/contract/capabilities.test.ts',
  'test/contract/capabilities.full.test.ts',
];

/** Tests also wait for servers, browsers and time limits, so not even two cores need one worker less. */
const maxWorkers = Math.max(2, availableParallelism());

/** The databases, scratch files and browser profiles of a run take well under this. */
const temporaryBytes = 4 * 1024 ** 3;

/**
 * A folder in memory for temporary files, where Linux has one with enough space. SQLite and MariaDB
 * sync files to disk even for data that does not outlive a test, and would wait for the disk. Some
 * tests run programs from temporary files, which containers often do not permit there.
 */
function memoryFolder(): string | undefined {
  const folder = '/dev/shm';
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const mount = mounts.find((line) => line.split(' ')[1] === folder);
    if (mount === undefined || /\bnoexec\b/.test(mount)) return undefined;
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= temporaryBytes ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** `TMPDIR` of the caller takes precedence. The long tests write files that do not fit in memory. */
function temporaryFolder(mode: string): { readonly TMPDIR?: string } {
  const folder = process.env['TMPDIR'] || mode === 'full' ? undefined : memoryFolder();
  return folder === undefined ? {} : { TMPDIR: folder };
}

/** Generated values differ from run to run, except in CI. STUDIO_TEST_SEED repeats a run. */
function chooseSeed(): number {
  const { CI, STUDIO_TEST_SEED } = process.env;
  if (STUDIO_TEST_SEED) return Number(STUDIO_TEST_SEED);
  return CI ? CI_SEED : Math.floor(Math.random() * 2 ** 31);
}

/** Whether the command names files, as `npm test -- paging` does. */
const namesFiles = process.argv.slice(2).some((arg) => arg !== 'run' && !arg.startsWith('-'));

/**
 * `npm run test:full`, vitest's mode "full", runs all files. `npm test` leaves out *.full.test.ts and, unless
 * it runs in CI or names files, *.ci.test.ts: a fifth of the files, which take three fifths of the time.
 */
function patternsToLeaveOut(mode: string): string[] {
  if (mode === 'full') return [];
  const full = '**/*.full.test.ts';
  return process.env['CI'] || namesFiles ? [full] : [full, '**/*.ci.test.ts'];
}

export default defineConfig(({ mode }) => {
  const left = patternsToLeaveOut(mode);
  const seed = chooseSeed();
  const announceSeed = !process.env['CI'];
  const slowest = Number(process.env['STUDIO_TEST_SLOWEST'] ?? 0);
  const progress = process.env['STUDIO_TEST_PROGRESS'] === '1';
  const fromSources = {
    pool: 'forks',
    maxWorkers,
    env: {
      STUDIO_TEST_SEED: String(seed),
      NODE_COMPILE_CACHE: compileCache,
      ...temporaryFolder(mode),
    },
    setupFiles: 'test/setup.ts',
    // A page that waits for the processor beside other tests takes longer than the default of a second.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  } as const;
  const shared = { ...fromSources, alias: builtModules } as const;
  /** What PostgreSQL is asked, on the oldest that is served. */
  const oldest = {
    ...shared,
    name: 'oldest PostgreSQL',
    env: { ...shared.env, STUDIO_TEST_OLDEST_POSTGRES: '1' },
    include: ['kit', 'postgres'].map((folder) => `test/databases/${folder}/**/*.test.ts`),
    // They ask for what later ones can.
    exclude: ['connecting', 'introspect', 'values'].map(
      (file) => `test/databases/postgres/${file}.test.ts`,
    ),
  };
  return {
    test: {
      reporters: [summaryReporter({ seed, announceSeed, slowest, progress })],
      projects: [
        { test: { ...shared, name: 'pure', include: pure, exclude: left, isolate: false } },
        {
          test: {
            ...shared,
            name: 'isolated',
            include: ['test/**/*.test.ts'],
            exclude: [...pure, ...registering, ...left],
          },
        },
        { test: { ...fromSources, name: 'from sources', include: registering, exclude: left } },
        ...(mode === 'full' ? [{ test: oldest }] : []),
      ],
    },
  };
});
