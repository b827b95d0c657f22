import { test } from 'vitest';
import { overDatabases } from './bench.ts';
import { checkOneWriter } from './concurrent-writes.ts';

const generousMs = 600_000;

overDatabases('concurrent writes', (bench) => {
  test(
    'with the same If-Match: one succeeds, many times',
    async () => {
      const engines = Object.keys(bench.subject.storageEngines);
      if (engines.length === 0) await checkOneWriter(bench, { runs: 300, engine: undefined });
      for (const engine of engines) await checkOneWriter(bench, { runs: 300, engine });
    },
    generousMs,
  );
});
