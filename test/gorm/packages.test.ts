import { assert, boolean, constantFrom, letrec, oneof, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isBuilt } from '../../src/gorm/go/program/build-constraints.ts';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import type { GoModels } from '../../src/gorm/models/read-go-models.ts';

function read(files: Readonly<Record<string, string>>): GoModels {
  return readGoModels(Object.entries(files).map(([name, text]) => ({ name, text })));
}

function columnsOf({ models }: GoModels): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(models.map(({ table, columns }) => [table, columns]));
}

const base = 'package common\ntype Base struct { Key uint `gorm:"primaryKey"` }\n';
const user =
  'package model\nimport "example.com/app/common"\ntype User struct { common.Base; N int `gorm:"index"` }\n';

describe('packages are folders', () => {
  test('structs of the same name in two folders are two models', () => {
    const found = read({
      'a/item.go': 'package model\ntype Item struct { A int `gorm:"primaryKey"` }\n',
      'b/item.go':
        'package model\ntype Item struct { B int `gorm:"primaryKey"` }\nfunc (Item) TableName() string { return "others" }\n',
    });
    expect(columnsOf(found)).toEqual({ items: ['a'], others: ['b'] });
    expect(found.structs.map(({ struct }) => struct)).toEqual(['a.Item', 'b.Item']);
  });

  test('two models of one table are reported', () => {
    const text = 'package model\ntype Item struct { ID uint `gorm:"index"` }\n';
    expect(read({ 'a/item.go': text, 'b/item.go': text }).warnings).toEqual([
      {
        struct: 'Item',
        message:
          'Its table "items" is also that of model.Item; AutoMigrate creates it for model.Item.',
      },
    ]);
  });

  test('two join tables of one name are reported if their columns differ', () => {
    const text = `package model
type Tag struct { ID uint \`gorm:"primaryKey"\` }
type Base struct { Tags []Tag \`gorm:"many2many:links"\` }
type User struct { ID uint \`gorm:"primaryKey"\`; Base; Roles []Role \`gorm:"many2many:user_roles"\` }
type Role struct { ID uint \`gorm:"primaryKey"\`; Users []User \`gorm:"many2many:user_roles"\` }
type Post struct { ID uint \`gorm:"primaryKey"\`; Base }
`;
    expect(read({ 'models.go': text }).warnings.map(({ message }) => message)).toEqual([
      'The relations User.Tags, Post.Tags have one join table "links", but not the same columns of it; GORM creates it for one of them, not always the same.',
    ]);
  });

  test.each([
    ['its package name', 'base.go', 'user.go'],
    ['the end of the path', 'app/common/base.go', 'app/model/user.go'],
    ['the end of the path, for other folders', 'src/common/base.go', 'user.go'],
  ])('a base of another package is found by %s, and has no table', (_title, first, second) => {
    expect(columnsOf(read({ [first]: base, [second]: user }))).toEqual({ users: ['key', 'n'] });
  });

  test('go.mod determines the folder of an import path', () => {
    const files = {
      'x/go.mod': '// The module\nmodule "example.com/app" // here\n',
      'x/common/base.go': base,
      'y/common/base.go': base.replace('Key', 'Other'),
      'x/model/user.go': user,
    };
    expect(columnsOf(read(files))['users']).toEqual(['key', 'n']);
    expect(columnsOf(read({ ...files, 'x/go.mod': 'module example.org/app\n' }))['users']).toEqual([
      'id',
      'created_at',
      'updated_at',
      'deleted_at',
      'n',
    ]);
  });

  test('the standard library is no folder of the upload', () => {
    const found = read({
      'user/user.go': 'package user\ntype User struct { ID uint `gorm:"index"` }\n',
      'model/a.go':
        'package model\nimport "os/user"\ntype A struct { ID uint `gorm:"index"`; U user.User }\n',
    });
    expect(columnsOf(found)['as']).toEqual(['id', 'u']);
  });

  test('the name of a package may differ from its folder', () => {
    const text = user.replace('app/common', 'app/go-shared/v2');
    expect(columnsOf(read({ 'go-shared/v2/base.go': base, 'model/user.go': text }))).toEqual({
      users: ['key', 'n'],
    });
  });
});

describe('files that the go command would not build are left out', () => {
  test.each([
    ['a_test.go', 'package p', false],
    ['a_linux.go', 'package p', true],
    ['a_windows.go', 'package p', false],
    ['a_linux_arm64.go', 'package p', false],
    ['a_linux_amd64.go', 'package p', true],
    ['linux.go', 'package p', true],
    ['windows.go', 'package p', true],
    ['a.go', '//go:build ignore\n\npackage p', false],
    ['a.go', '// Copyright\n/* more */\n\n//go:build !ignore\n\npackage p', true],
    ['a.go', 'package p\n//go:build ignore\n', true],
    ['a.go', '/*\n//go:build ignore\n*/\npackage p', true],
    ['a.go', '//go:build go1.21 && (linux || darwin) && !(cgo && arm64)\npackage p', true],
  ])('%s %j: %s', (name, text, expected) => {
    expect(isBuilt({ name: `m/${name}`, text })).toBe(expected);
  });

  type Constraint = { readonly text: string; readonly value: boolean };
  const { constraint } = letrec<{ constraint: Constraint; not: Constraint; both: Constraint }>(
    (tie) => ({
      constraint: oneof(
        { maxDepth: 5 },
        constantFrom(
          { text: 'linux', value: true },
          { text: 'windows', value: false },
          { text: 'mytag', value: false },
          { text: 'go1.20', value: true },
        ),
        tie('not'),
        tie('both'),
      ),
      not: tie('constraint').map(({ text, value }) => ({ text: `!(${text})`, value: !value })),
      both: tuple(tie('constraint'), boolean(), tie('constraint')).map(([a, isAnd, b]) => ({
        text: isAnd ? `(${a.text}) && (${b.text})` : `(${a.text} || ${b.text})`,
        value: isAnd ? a.value && b.value : a.value || b.value,
      })),
    }),
  );

  test('any expression has its value', () => {
    assert(
      property(constraint, ({ text, value }) => {
        expect(isBuilt({ name: 'a.go', text: `//go:build ${text}\n\npackage p\n` })).toBe(value);
      }),
    );
  });

  test('they are reported by name, and their types replace no others', () => {
    const found = read({
      'm/a.go': 'package m\ntype A struct { ID uint `gorm:"index"` }\n',
      'm/a_windows.go': 'package m\ntype A struct { H int `gorm:"index"` }\n',
    });
    expect(columnsOf(found)).toEqual({ as: ['id'] });
    expect(found.unbuilt).toEqual(['m/a_windows.go']);
  });

  test('unless nothing else is uploaded', () => {
    const text = '//go:build ignore\n\npackage m\ntype A struct { ID uint }\n';
    expect(columnsOf(read({ 'a.go': text }))).toEqual({ as: ['id'] });
  });
});
