import { test } from 'vitest';
import { expectNamesOfGo } from './function-effects.ts';

test('a name that depends on what functions change is the one in Go, or there is a warning', (context) => {
  if (!expectNamesOfGo(300)) context.skip('Go is not installed');
});
