import { test } from 'vitest';
import { expectSameAsGofmt } from './mutated-sources.ts';

test('many declarations with a changed token are accepted or rejected as by gofmt', (context) => {
  if (!expectSameAsGofmt(20_000)) context.skip('Go is not installed');
});
