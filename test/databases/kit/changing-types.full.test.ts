/** The same as changing-types.test.ts, for longer. */
import { test } from 'vitest';
import { overDatabases } from './bench.ts';
import { checkChangingTypes } from './changing-types.ts';

const longest = 1_800_000;

overDatabases('changing types for long', (bench) => {
  test(
    'every read shows the values of the new type at once',
    () => checkChangingTypes(bench, { runs: 12, steps: 60 }),
    longest,
  );
});
