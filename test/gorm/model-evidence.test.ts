import { describe, expect, test } from 'vitest';

import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import type { GoModels } from '../../src/gorm/models/read-go-models.ts';

function read(text: string, structs?: readonly string[]): GoModels {
  return readGoModels([{ name: 'm.go', text: `package m\n${text}` }], { structs });
}

function tablesOf({ models }: GoModels): readonly string[] {
  return models.map(({ table }) => table);
}

const structs =
  'type A struct { ID uint; X int `gorm:"index"` }\ntype B struct { ID uint; X int `gorm:"index"` }\n' +
  'type C struct { ID uint; X int `gorm:"index"` }\n';

describe('the models are what the program passes to AutoMigrate', () => {
  test.each([
    ['literals', 'func f() { db.AutoMigrate(&B{}, A{}) }'],
    [
      'literals on lines',
      'func f() {\n\tdb.AutoMigrate(\n\t\t&B{}, // first\n\t\t&A{X: 3},\n\t)\n}',
    ],
    ['new and a typed nil', 'func f() { db.AutoMigrate(new(B), (*A)(nil)) }'],
    ['several calls', 'func f() { db.AutoMigrate(&B{}) }\nfunc (A) g() { x.AutoMigrate(&A{}) }'],
    ['a list', 'func f() { db.AutoMigrate([]any{&B{}, &A{}}...) }'],
    ['a local list', 'func f() { l := []interface{}{&B{}, &A{}}; db.AutoMigrate(l...) }'],
    [
      'an appended list',
      'func f() { l := []any{&B{}}\nl = append(l, &A{})\ndb.AutoMigrate(l...) }',
    ],
    ["the package's list", 'var l = []any{&B{}, &A{}}\nfunc f() { db.AutoMigrate(l...) }'],
    [
      'the result of a function',
      'func l() []any { return []any{&B{}, &A{}} }\nfunc f() { db.AutoMigrate(l()...) }',
    ],
    ['a loop', 'func f() { for _, m := range []any{&B{}, &A{}} { db.AutoMigrate(m) } }'],
    ['variables', 'func f() { var b B; a := &A{}; db.AutoMigrate(&b, a) }'],
    ['parameters', 'func f(b *B, a A) { db.AutoMigrate(b, &a) }'],
    ['CreateTable', 'func f() { db.Migrator().CreateTable(&B{}, &A{}) }'],
    ['options before it', 'func f() { db.Set("x", "y").AutoMigrate(&B{}, &A{}) }'],
  ])('in %s', (_title, text) => {
    const found = read(structs + text);
    expect(tablesOf(found)).toEqual(['bs', 'as']);
    expect(found.warnings).toEqual([
      {
        struct: 'C',
        message: 'It was left out, because the program does not pass it to AutoMigrate.',
      },
    ]);
  });

  test.each([
    ['an unknown variable', 'func f(l ...any) { db.AutoMigrate(l...) }'],
    ['an unknown function', 'func f() { db.AutoMigrate(all()...) }'],
    ['a type of the function', 'func f() { type A struct { ID uint }; db.AutoMigrate(&A{}) }'],
  ])('unless the source does not determine them: %s', (_title, text) => {
    const found = read(`${structs}${text}\nfunc g() { db.AutoMigrate(&B{}) }`);
    expect(tablesOf(found)).toEqual(['as', 'bs', 'cs']);
    expect(found.warnings).toEqual([]);
  });

  test('calls in comments, in strings and of other functions do not count', () => {
    const text =
      'func f() { // db.AutoMigrate(&B{})\n\ts := "db.AutoMigrate(&A{})"; AutoMigrate(&C{}) }';
    expect(tablesOf(read(structs + text))).toEqual(['as', 'bs', 'cs']);
  });

  test('tables that models depend on are created too, and are not reported as doubtful', () => {
    const found = read(
      `${structs}type D struct { ID uint; AID uint; A A }\nfunc f() { db.AutoMigrate(&D{}) }`,
    );
    expect(found.structs).toEqual([
      { struct: 'A', imported: true },
      { struct: 'B', imported: false, doubt: 'the program does not pass it to AutoMigrate' },
      { struct: 'C', imported: false, doubt: 'the program does not pass it to AutoMigrate' },
      { struct: 'D', imported: true },
    ]);
  });
});

describe('without AutoMigrate, the structs decide', () => {
  const carrier = 'type Carrier struct { *A; HasX bool; BID uint; B B }\n';

  test.each([
    ['a relation leads to it', 'type D struct { ID uint `gorm:"index"`; AID uint; A A }'],
    ['a query uses it', 'func f() { db.Model(&A{}) }'],
    ['a row of it is created', 'func f() { a := A{}; db.Create(&a) }'],
    ['it has a TableName and tags', 'func (A) TableName() string { return "as" }'],
  ])('a struct that embeds a model is not a model itself if %s', (_title, text) => {
    const found = read(structs + carrier + text);
    expect(tablesOf(found)).toContain('as');
    expect(tablesOf(found)).not.toContain('carriers');
    expect(found.structs).toContainEqual({
      struct: 'Carrier',
      imported: false,
      doubt: 'it embeds the model A and has no table of its own',
    });
    expect(found.models.find(({ struct }) => struct === 'A')?.columns).toEqual(['id', 'x']);
  });

  test.each([
    ['a TableName', 'func (Carrier) TableName() string { return "carriers" }'],
    ['a row', 'func f() { db.Create(&Carrier{}) }'],
  ])('unless it has %s of its own', (_title, text) => {
    expect(tablesOf(read(`${structs}${carrier}func g() { db.Model(&A{}) }\n${text}`))).toEqual(
      expect.arrayContaining(['as', 'carriers']),
    );
  });

  test('a struct that is only embedded is a base', () => {
    expect(tablesOf(read(structs + carrier))).toEqual(['bs', 'cs', 'carriers']);
  });

  test('an ID alone is doubtful beside models with tags', () => {
    const found = read(`${structs}type N struct { ID uint }\ntype S struct { Id string }\n`);
    expect(tablesOf(found)).toEqual(['as', 'bs', 'cs', 'ns']);
    const doubt = 'it has an ID, but no gorm tag, unlike other structs';
    expect(found.structs.slice(3)).toEqual([
      { struct: 'N', imported: true, doubt },
      { struct: 'S', imported: false, doubt },
    ]);
    expect(found.warnings).toEqual([
      { struct: 'N', message: `It was taken for a model, although ${doubt}.` },
      { struct: 'S', message: `It was left out, because ${doubt}.` },
    ]);
  });
});

describe('the user can select the structs', () => {
  test('and gets those, without doubts', () => {
    const found = read(`${structs}type S struct { Id string }\n`, ['S', 'B']);
    expect(tablesOf(found)).toEqual(['bs', 's']);
    expect(found.warnings).toEqual([]);
    expect(found.structs.map(({ struct, imported }) => [struct, imported])).toEqual([
      ['A', false],
      ['B', true],
      ['C', false],
      ['S', true],
    ]);
  });

  test('an unknown name is an error', () => {
    expect(() => read(structs, ['D'])).toThrow('structs: no struct is called "D".');
  });
});
