import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameRelations } from '../../src/databases/name-relations.ts';
import { postgresQuoteName } from '../../src/databases/postgres/dialect/quote.ts';

type Place = readonly [namespace: string, localName: string];

function namesOf(places: readonly Place[]): readonly string[] {
  const relations = places.map(([namespace, localName]) => ({ namespace, localName }));
  const nameOf = nameRelations(relations, {
    isDefault: (namespace) => namespace === 'public',
    quoteName: postgresQuoteName,
  });
  return relations.map(nameOf);
}

test.each<readonly [string, readonly Place[], readonly string[]]>([
  [
    'the default namespace goes without saying',
    [
      ['public', 'users'],
      ['app', 'users'],
    ],
    ['users', 'app.users'],
  ],
  [
    'but not where a name with a dot would be another’s',
    [
      ['public', 'app.users'],
      ['app', 'users'],
    ],
    ['public.app.users', 'app.users'],
  ],
  [
    'names with dots that would be one are quoted',
    [
      ['a', 'b.c'],
      ['a.b', 'c'],
      ['d', 'e.f'],
    ],
    ['a."b.c"', '"a.b".c', 'd.e.f'],
  ],
  [
    'all of a name, where even that is another’s',
    [
      ['a', 'b.c'],
      ['a.b', 'c'],
      ['"a.b"', 'c'],
    ],
    ['a."b.c"', '"a.b"."c"', '"""a.b""".c'],
  ],
])('%s', (_title, places, names) => expect(namesOf(places)).toEqual(names));

test('no two tables have one name', () => {
  const part = fc.string({ unit: fc.constantFrom('a', '.', '"'), minLength: 1, maxLength: 5 });
  const place = fc.tuple(fc.oneof(part, fc.constant('public')), part);
  const distinct = fc.uniqueArray(place, {
    maxLength: 30,
    selector: (each) => JSON.stringify(each),
  });
  fc.assert(
    fc.property(distinct, (places) => {
      expect(new Set(namesOf(places)).size).toBe(places.length);
    }),
    { numRuns: 300 },
  );
});
