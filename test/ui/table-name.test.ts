import { expect, test } from 'vitest';
import { identifiersOf, localNameOf } from '../../ui/src/api/table-name.ts';

test.each([
  [{ name: 'notes', schema: '' }, ['notes']],
  [{ name: '.hidden', schema: '' }, ['.hidden']],
  [{ name: '.', schema: '' }, ['.']],
  [{ name: 'a.b', schema: '' }, ['a.b']],
  [{ name: 'notes', schema: 'public' }, ['notes']],
  [{ name: 'audit.log', schema: 'audit' }, ['audit', 'log']],
  [{ name: 'audit..log', schema: 'audit' }, ['audit', '.log']],
])('the identifiers of %j are %j', (table, identifiers) => {
  expect(identifiersOf(table)).toEqual(identifiers);
  expect(localNameOf(table)).toBe(identifiers.at(-1));
});
