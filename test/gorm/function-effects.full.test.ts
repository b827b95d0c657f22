/** The long variant of function-effects.test.ts. */
import { test } from 'vitest';
import { expectNamesOfGo } from './function-effects.ts';

test('a name that depends on what functions change is the one in Go, or there is a warning, at length', (context) => {
  for (let i = 0; i < 10; i++) if (!expectNamesOfGo(2000, i)) context.skip('Go is not installed');
});
