import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { expectOneWriter } from './concurrent-writes.ts';

const timeoutMs = 600_000;

describeOnEachDatabase('concurrent writes', (harness) => {
  test(
    'of several writes with the same If-Match, one succeeds, on every storage engine, many times',
    async () => {
      const engines = Object.keys(harness.underTest.storageEngines);
      if (engines.length === 0) await expectOneWriter(harness, { runs: 300, engine: undefined });
      for (const engine of engines) await expectOneWriter(harness, { runs: 300, engine });
    },
    timeoutMs,
  );
});
