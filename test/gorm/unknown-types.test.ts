import { describe, expect, test } from 'vitest';

import { discoverModels } from '../../src/gorm/models/discover-models.ts';
import { readProgram } from '../../src/gorm/go/program/program.ts';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import { describeModels } from './describe-models.ts';
import type { GoModels } from '../../src/gorm/models/read-go-models.ts';

function read(body: string, imports = ''): GoModels {
  return readGoModels([
    { name: 'm.go', text: `package m\n\nimport (\n${imports}\n)\n\n${body}\n` },
  ]);
}

function columnsOf(found: GoModels, struct: string): readonly string[] {
  return found.models.find((model) => model.struct === struct)?.columns ?? [];
}

describe('types of packages whose sources are missing', () => {
  test('an embedded struct is assumed to be like gorm.Model if the struct has no key', () => {
    const found = read(
      'type A struct {\n\tglobal.Base\n\tName string `gorm:"size:9"`\n}\ntype B struct {\n\tglobal.Mixin\n\tCode string `gorm:"primaryKey"`\n}',
      '\t"example.com/app/global"',
    );
    expect(columnsOf(found, 'A')).toEqual(['id', 'created_at', 'updated_at', 'deleted_at', 'name']);
    expect(columnsOf(found, 'B')).toEqual(['code']);
    expect(found.warnings).toEqual([
      { struct: 'A', message: expect.stringContaining('global.Base') },
      { struct: 'B', message: expect.stringContaining('no columns') },
    ]);
  });

  test('a value is assumed to be a string, or a number if its default is one', () => {
    const found = read(
      'type A struct {\n\tID uint `gorm:"primaryKey"`\n\tState enums.State\n\tLevel enums.Level `gorm:"default:3"`\n\tShape enums.Shape `gorm:"type:point"`\n}',
      '\t"example.com/app/enums"',
    );
    const fields = describeModels(found).models[0]?.['fields'] as {
      column: string;
      data_type: string;
    }[];
    expect(fields.map(({ column, data_type }) => [column, data_type])).toEqual([
      ['id', 'uint'],
      ['state', 'string'],
      ['level', 'int'],
      ['shape', 'point'],
    ]);
    expect(found.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('State is of type enums.State'),
    ]);
  });

  test('a relation is left out', () => {
    const found = read(
      'type A struct {\n\tID uint `gorm:"primaryKey"`\n\tOwnerID uint\n\tOwner users.User\n\tTags []tags.Tag\n\tOther *x.Y `gorm:"foreignKey:OwnerID"`\n}',
      '\t"example.com/users"\n\t"example.com/tags"\n\t"example.com/x"',
    );
    expect(columnsOf(found, 'A')).toEqual(['id', 'owner_id']);
    expect(found.warnings).toHaveLength(3);
  });

  test('a table name that cannot be computed is the default one', () => {
    const found = read(
      'type A struct{ ID uint }\nfunc (A) TableName() string { return os.Getenv("T") }',
      '\t"os"',
    );
    expect(found.models[0]?.table).toBe('as');
    expect(found.warnings).toEqual([
      { struct: 'A', message: expect.stringContaining('"as" was assumed') },
    ]);
  });

  test('packages of the same upload are used', () => {
    const found = readGoModels([
      {
        name: 'base/base.go',
        text: 'package base\n\ntype Model struct {\n\tKey string `gorm:"primaryKey;size:9"`\n}\n',
      },
      {
        name: 'm.go',
        text: 'package m\n\nimport "example.com/app/base"\n\ntype A struct {\n\tbase.Model\n\tN int `gorm:"index"`\n}\n',
      },
    ]);
    expect(columnsOf(found, 'A')).toEqual(['key', 'n']);
    expect(found.warnings).toEqual([]);
  });
});

describe('which structs are models', () => {
  function names(text: string): readonly string[] {
    const program = readProgram([{ name: 'm.go', text: `package m\n${text}` }], []);
    return discoverModels(program).models.map(({ name }) => name);
  }

  test.each([
    ['a gorm tag', 'type A struct { X int `gorm:"size:8"` }', ['A']],
    ['a key alone', 'type A struct { ID uint }', ['A']],
    ['a key, but the name of a request', 'type ARequest struct { ID uint }', []],
    [
      'a key with a json tag, beside models',
      'type A struct { X int `gorm:"size:8"` }\ntype B struct { ID uint `json:"id"` }',
      ['A'],
    ],
    ['a key with a json tag, without other models', 'type B struct { ID uint `json:"id"` }', ['B']],
    ['only the tag of fields that are not columns', 'type A struct { X int `gorm:"-"` }', []],
    [
      'a base',
      'type Base struct { ID uint }\ntype A struct { Base; X int `gorm:"size:8"` }',
      ['A'],
    ],
    [
      'a column type',
      'type P struct { ID int }\nfunc (P) Value() (driver.Value, error) { return nil, nil }',
      [],
    ],
    [
      'a target of a model',
      'type A struct { ID uint; Bs []B }\ntype B struct { AID uint }',
      ['A', 'B'],
    ],
    ['no exported name', 'type a struct { ID uint `gorm:"primaryKey"` }', []],
    ['a type parameter', 'type G[T any] struct { ID T `gorm:"primaryKey"` }', []],
  ])('%s', (_title, text, models) => {
    expect(names(text)).toEqual(models);
  });

  test('a struct that GORM rejects is left out if there is little evidence that it is a model', () => {
    const found = read(
      'type A struct { ID uint `gorm:"primaryKey"` }\ntype View2 struct {\n\tID uint\n\tTags []string\n}',
    );
    expect(found.models.map(({ struct }) => struct)).toEqual(['A']);
    expect(found.warnings).toEqual([
      { struct: 'View2', message: expect.stringContaining('left out') },
    ]);
  });

  test('but not if the program passes it to AutoMigrate', () => {
    const text =
      'type A struct { ID uint `gorm:"primaryKey"` }\ntype View2 struct {\n\tID uint\n\tTags []string\n}\n' +
      'func f() { db.AutoMigrate(&A{}, &View2{}) }';
    expect(() => read(text)).toThrow('View2: failed to parse field: Tags');
  });

  test('and on request if there is much evidence', () => {
    const text =
      'package m\n\ntype A struct { ID uint `gorm:"primaryKey"` }\n\ntype B struct {\n\tID uint `gorm:"primaryKey"`\n\tTags []string\n}\n';
    expect(() => readGoModels([{ name: 'm.go', text }])).toThrow(
      'm.go:7:2: B: failed to parse field: Tags',
    );
    const found = readGoModels([{ name: 'm.go', text }], { skipRejected: true });
    expect(found.models.map(({ struct }) => struct)).toEqual(['A']);
  });
});
