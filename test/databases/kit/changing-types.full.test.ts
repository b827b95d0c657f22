/** The long variant of changing-types.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkChangingTypes } from './changing-types.ts';

const timeoutMs = 1_800_000;

describeOnEachDatabase('changing types for long', (harness) => {
  test(
    'each read returns the values of the new type at once',
    () => checkChangingTypes(harness, { runs: 12, steps: 60 }),
    timeoutMs,
  );
});
