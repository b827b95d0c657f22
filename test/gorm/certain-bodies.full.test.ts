/** The long variant of certain-bodies.test.ts. */
import { test } from 'vitest';
import { expectCertainNames } from './certain-bodies.ts';

test('a name without a warning is the one in Go, at length', { timeout: 900_000 }, (context) => {
  for (let i = 0; i < 5; i++) if (!expectCertainNames(1500, i)) context.skip('Go is not installed');
});
