import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { StudioError } from '../../src/model/errors.ts';
import { readGoModels, modelsInMigrationOrder } from '../../src/gorm/models/read-go-models.ts';
import { createTable, planTable } from '../../src/gorm/migration/table-ddl.ts';
import { cases, dialects, filesOf } from './goldens.ts';

/** Reads and renders all of it. It is either accepted or rejected with a position. */
function attempt(text: string): 'accepted' | 'rejected' {
  try {
    const found = readGoModels([{ name: 'a.go', text }]);
    for (const dialect of dialects)
      for (const model of modelsInMigrationOrder(found, dialect))
        createTable(planTable(model, dialect), dialect, []);
    return 'accepted';
  } catch (error) {
    if (error instanceof StudioError && ['parse_failed', 'import_failed'].includes(error.code))
      return 'rejected';
    throw error;
  }
}

const sources = cases.flatMap((name) => filesOf(name).map(({ text }) => text));
const fragments = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '`',
  '"',
  "'",
  '\\',
  ';',
  ',',
  '*',
  '.',
  '=',
  '\n',
  '/*',
  '//',
  'type',
  'struct',
  'func',
  'é',
  '\0',
  'gorm:"',
  ':',
  '1',
  'const',
  'iota',
  ' ',
];

const mutation = fc.oneof(
  fc.record({
    kind: fc.constant('cut' as const),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: fc.nat(),
    fragment: fc.constantFrom(...fragments),
  }),
  fc.record({
    kind: fc.constant('copy' as const),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 200 }),
    to: fc.nat(),
  }),
);

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(text: string, changes: readonly Mutation[]): string {
  return changes.reduce((changed, change) => {
    const at = change.at % (changed.length + 1);
    const [before, after] = [changed.slice(0, at), changed.slice(at)];
    if (change.kind === 'insert') return before + change.fragment + after;
    if (change.kind === 'cut') return before + after.slice(change.length);
    const to = change.to % (changed.length + 1);
    return changed.slice(0, to) + after.slice(0, change.length) + changed.slice(to);
  }, text);
}

describe('whatever the text', () => {
  test('corrupted Go code is imported or rejected', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...sources),
        fc.array(mutation, { minLength: 1, maxLength: 6 }),
        (text, changes) => {
          expect(['accepted', 'rejected']).toContain(attempt(mutate(text, changes)));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('any other text is rejected', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(attempt(text)).toBe('rejected');
      }),
    );
  });
});

function repeatLine(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join('\n');
}

describe('input that could grow without end', () => {
  test.each([
    [
      'constants that double',
      `const c0 = "x"\n${repeatLine(60, (i) => `const c${i + 1} = c${i} + c${i}`)}\ntype T struct{ ID uint }\nfunc (T) TableName() string { return c60 }`,
    ],
    [
      'functions that call each other twice',
      `func f0() string { return "x" }\n${repeatLine(40, (i) => `func f${i + 1}() string { return f${i}() + f${i}() }`)}\ntype T struct{ ID uint }\nfunc (T) TableName() string { return f40() }`,
    ],
    [
      'a function that calls itself',
      'func f() string { return f() + f() }\ntype T struct{ ID uint }\nfunc (T) TableName() string { return f() }',
    ],
    [
      'constants in a circle',
      'const a = b\nconst b = a\ntype T struct{ ID uint }\nfunc (T) TableName() string { return a }',
    ],
    [
      'generic types that grow',
      'type G[A any] struct { ID uint; X *G[[]A]; Y *G[*A] }\ntype T struct { ID uint; G *G[int] `gorm:"foreignKey:GID"`; GID uint }',
    ],
    [
      'embedding that doubles',
      `type E0 struct { A int \`gorm:"size:8"\` }\n${repeatLine(60, (i) => `type E${i + 1} struct { L E${i} \`gorm:"embedded;embeddedPrefix:l_"\`; R E${i} \`gorm:"embedded;embeddedPrefix:r_"\` }`)}\ntype T struct { ID uint; E60 }`,
    ],
    [
      'embedding of itself',
      'type T struct { ID uint; *U }\ntype U struct { *T; N int `gorm:"size:8"` }',
    ],
    [
      'embedding of one struct by several aliases',
      `type E0 struct {}\n${repeatLine(24, (i) => `type A${i} = E${i}\ntype B${i} = E${i}\ntype C${i} = E${i}\ntype E${i + 1} struct { E${i}; A${i}; *B${i}; *C${i} }`)}\ntype T struct { ID uint; E24 }`,
    ],
    ['an alias of itself', 'type A = B\ntype B = A\ntype T struct { ID uint; X A }'],
    ['a type of itself', 'type A A\ntype T struct { ID uint; X A `gorm:"size:8"` }'],
    ['nested brackets', `type T struct { ID uint; X ${'['.repeat(5000)}${']'.repeat(5000)}int }`],
    ['pointers to pointers', `type T struct { ID uint; X ${'*'.repeat(100_000)}int }`],
    [
      'a long sum',
      `const c = ${'1 + '.repeat(100_000)}1\ntype T struct { ID uint }\nfunc (T) TableName() string { if c > 1 { return "a" }; return "b" }`,
    ],
    [
      'brackets in an expression',
      `const c = ${'('.repeat(50_000)}1${')'.repeat(50_000)}\ntype T struct { ID uint }\nfunc (T) TableName() string { if c > 1 { return "a" }; return "b" }`,
    ],
    [
      'variables with many values each',
      `type T struct { ID uint }\nfunc f(db *gorm.DB) {\n${repeatLine(500, (i) => `a${i % 5} = a${(i % 5) + 1}`)}\ndb.AutoMigrate(a0)\n}`,
    ],
    [
      'branches with unknown conditions, and many variables',
      `type T struct { ID uint }\nfunc (T) TableName() string {\n${repeatLine(20_000, (i) => `a${i} := 1\nif g() { a${i} = 2 }`)}\nreturn "x" }`,
    ],
    [
      'a conversion that fails',
      'import "strconv"\ntype C string\nfunc (C) GormDataType() string { return strconv.FormatInt("x", 99) }\ntype T struct { ID uint; C C }',
    ],
    [
      'a number that squares itself',
      `type T struct{ ID uint }\nfunc (T) TableName() string { n := 3\n${repeatLine(60, () => 'n *= n')}\nif n > 1 { return "a" }; return "b" }`,
    ],
    [
      'an endless width',
      'import "fmt"\ntype C string\nfunc (C) GormDataType() string { return fmt.Sprintf("%400000000d%400000000d", 1, 1) }\ntype T struct { ID uint; C C }',
    ],
    [
      'a tag that is all backslashes',
      `type T struct { ID uint; X int \`gorm:"${'\\'.repeat(100_001)}"\` }`,
    ],
    [
      'a tag with 20,000 settings',
      `type T struct { ID uint; X int \`gorm:"${'index;'.repeat(20_000)}"\` }`,
    ],
  ])('%s: terminates', (_title, body) => {
    expect(['accepted', 'rejected']).toContain(attempt(`package p\n${body}\n`));
  });
});
