/** The long variant of changing-types.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { checkChangingTypes } from './changing-types.ts';

const timeoutMs = 1_800_000;

describeOnEachDatabase('changing types for long', (bench) => {
  test(
    'each read returns the values of the new type at once',
    () => checkChangingTypes(bench, { runs: 12, steps: 60 }),
    timeoutMs,
  );
});
