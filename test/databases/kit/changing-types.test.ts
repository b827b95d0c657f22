/** What a read shows when another client has just changed the types of columns. */
import { test } from 'vitest';
import { overDatabases } from './bench.ts';
import { checkChangingTypes } from './changing-types.ts';

overDatabases('changing types', (bench) => {
  test('every read shows the values of the new type at once', async () => {
    await checkChangingTypes(bench, { runs: 1, steps: 14 });
  });
});
