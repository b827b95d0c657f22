import { test } from 'vitest';
import { overDatabases } from './bench.ts';
import { checkOneWriter } from './concurrent-writes.ts';

const generousMs = 60_000;

overDatabases('concurrent writes', (bench) => {
  test(
    'with the same If-Match: one succeeds, on every storage engine',
    async () => {
      const engines = Object.keys(bench.subject.storageEngines);
      if (engines.length === 0) await checkOneWriter(bench, { runs: 12, engine: undefined });
      for (const engine of engines) await checkOneWriter(bench, { runs: 12, engine });
    },
    generousMs,
  );
});
