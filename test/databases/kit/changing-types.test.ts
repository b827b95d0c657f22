/** What a read returns right after another client changes the types of columns. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkChangingTypes } from './changing-types.ts';

describeOnEachDatabase('changing types', (harness) => {
  test('each read returns the values of the new type at once', async () => {
    await checkChangingTypes(harness, { runs: 1, steps: 14 });
  });
});
