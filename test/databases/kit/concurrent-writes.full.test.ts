import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { expectOneWriter } from './concurrent-writes.ts';

const generousMs = 600_000;

describeOnEachDatabase('concurrent writes', (bench) => {
  test(
    'of several writes with the same If-Match, one succeeds, on every storage engine, many times',
    async () => {
      const engines = Object.keys(bench.subject.storageEngines);
      if (engines.length === 0) await expectOneWriter(bench, { runs: 300, engine: undefined });
      for (const engine of engines) await expectOneWriter(bench, { runs: 300, engine });
    },
    generousMs,
  );
});
