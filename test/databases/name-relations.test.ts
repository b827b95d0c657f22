import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameRelations } from '../../src/databases/name-relations.ts';
import { postgresQuoteName } from '../../src/databases/postgres/dialect/quote.ts';

type QualifiedName = readonly [namespace: string, localName: string];

function namesOf(tables: readonly QualifiedName[]): readonly string[] {
  const relations = tables.map(([namespace, localName]) => ({ namespace, localName }));
  const nameOf = nameRelations(relations, {
    isDefault: (namespace) => namespace === 'public',
    quoteName: postgresQuoteName,
  });
  return relations.map(nameOf);
}

test.each<readonly [string, readonly QualifiedName[], readonly string[]]>([
  [
    'a table of the default namespace is named without it',
    [
      ['public', 'users'],
      ['app', 'users'],
    ],
    ['users', 'app.users'],
  ],
  [
    'unless its name has a dot and is the qualified name of another table',
    [
      ['public', 'app.users'],
      ['app', 'users'],
    ],
    ['public.app.users', 'app.users'],
  ],
  [
    'parts with dots are quoted if two qualified names would be equal without quotes',
    [
      ['a', 'b.c'],
      ['a.b', 'c'],
      ['d', 'e.f'],
    ],
    ['a."b.c"', '"a.b".c', 'd.e.f'],
  ],
  [
    'all parts are quoted if that name is taken too',
    [
      ['a', 'b.c'],
      ['a.b', 'c'],
      ['"a.b"', 'c'],
    ],
    ['a."b.c"', '"a.b"."c"', '"""a.b""".c'],
  ],
])('%s', (_title, tables, names) => expect(namesOf(tables)).toEqual(names));

test('no two tables have one name', () => {
  const part = fc.string({ unit: fc.constantFrom('a', '.', '"'), minLength: 1, maxLength: 5 });
  const table = fc.tuple(fc.oneof(part, fc.constant('public')), part);
  const distinct = fc.uniqueArray(table, {
    maxLength: 30,
    selector: (each) => JSON.stringify(each),
  });
  fc.assert(
    fc.property(distinct, (tables) => {
      expect(new Set(namesOf(tables)).size).toBe(tables.length);
    }),
    { numRuns: 300 },
  );
});
