/** The same as changing-types.test.ts, for longer. */
import { test } from 'vitest';
import { overDatabases } from './bench.ts';
import { checkChangingTypes } from './changing-types.ts';

overDatabases('changing types for long', (bench) => {
  test('every read shows the values of the new type at once', async () => {
    await checkChangingTypes(bench, { runs: 12, steps: 60 });
  });
});
