/** What a read returns right after another client changes the types of columns. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { checkChangingTypes } from './changing-types.ts';

describeOnEachDatabase('changing types', (bench) => {
  test('each read returns the values of the new type at once', async () => {
    await checkChangingTypes(bench, { runs: 1, steps: 14 });
  });
});
