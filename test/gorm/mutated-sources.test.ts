import { test } from 'vitest';
import { expectSameAsGofmt } from './mutated-sources.ts';

test('declarations with a changed token are accepted or rejected as by gofmt', (context) => {
  if (!expectSameAsGofmt(300)) context.skip('Go is not installed');
});
