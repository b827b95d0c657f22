import { describe, expect, test } from 'vitest';

import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import type { ReadOptions } from '../../src/gorm/models/read-go-models.ts';

const structs = `package models

import (
	"gorm.io/gorm"
	"gorm.io/gorm/schema"
)

type User struct { ID uint; Name string; Roles []Role \`gorm:"many2many:user_roles"\` }
type Role struct { ID uint }
type UserRole struct { UserID, RoleID uint; Note string }
`;

/** The program's function begins in line 12. */
function warningsOf(program: string, options: ReadOptions = {}): readonly string[] {
  return readGoModels([{ name: 'models.go', text: `${structs}${program}` }], options).setupWarnings;
}

describe('what the program sets beside its models', () => {
  test.for<[name: string, program: string]>([
    ['a plain call', 'func f(db *gorm.DB) { db.Debug().AutoMigrate(&User{}, &Role{}) }'],
    ['a function of a package', 'func f(db *gorm.DB) { gorm.AutoMigrate(db, true) }'],
    ['a comment', '// NamingStrategy: x\nvar text = "NamingStrategy: x"'],
    ['a default', 'var c = gorm.Config{DisableForeignKeyConstraintWhenMigrating: false}'],
    ['an empty strategy', 'var c = gorm.Config{NamingStrategy: schema.NamingStrategy{}}'],
    [
      'another variable',
      'func f(db, o *gorm.DB) { t := o.Table("x"); _ = t; db.AutoMigrate(&User{}) }',
    ],
  ])('%s has no warning', ([, program]) => {
    expect(warningsOf(program)).toEqual([]);
  });

  test.for([
    ['db.Table("people").AutoMigrate(&User{})'],
    ['db.Debug().Table("people").Session(&gorm.Session{}).AutoMigrate(&User{})'],
    ['t := db.Table("people"); t.AutoMigrate(&User{})'],
    ['if t := db.Debug().Table("people"); true { t.AutoMigrate(new(User)) }'],
  ])('a table named by %s', ([body]) => {
    expect(warningsOf(`\nfunc f(db *gorm.DB) { ${body} }`)).toEqual([
      'User: AutoMigrate is called with Table (models.go:12), which names the table; the name that follows from the struct was assumed.',
    ]);
  });

  test('options of a table', () => {
    const body =
      'db.Set("gorm:table_options", "ENGINE=InnoDB").AutoMigrate(&User{}, &Role{}, &User{})';
    expect(warningsOf(`\nfunc f(db *gorm.DB) { ${body} }`)).toEqual([
      'User, Role: AutoMigrate is called with Set (models.go:12); options of the table were left out.',
    ]);
  });

  test.for([
    ['db.SetupJoinTable(&User{}, "Roles", &UserRole{})'],
    ['db.SetupJoinTable(new(User), `Roles`, UserRole{})'],
    ['var join UserRole; db.Debug().SetupJoinTable((*User)(nil), "Roles", &join)'],
  ])('a model as the join table has no warning: %s', ([body]) => {
    expect(warningsOf(`\nfunc f(db *gorm.DB) { ${body} }`)).toEqual([]);
  });

  test.for([
    [
      '&User{}, "Groups", &UserRole{}',
      'User has no many2many relation "Groups", so GORM rejects it',
    ],
    ['&User{}, "Roles", &Role{}', 'Role has no field for the column "user_id", so GORM rejects it'],
    ['&User{}, name, &UserRole{}', 'the source does not determine its arguments'],
    ['&User{}, "Ro"+"les", &UserRole{}', 'the source does not determine its arguments'],
    ['&User{}, "Roles", join', 'the source does not determine its arguments'],
  ])('SetupJoinTable(%s) is not applied', ([parameters, reason]) => {
    const program = `\nfunc f(db *gorm.DB, name string, join any) { db.SetupJoinTable(${parameters}) }`;
    expect(warningsOf(program)).toEqual([
      `User: SetupJoinTable (models.go:12) was not applied: ${reason}.`,
    ]);
  });

  test.for<[name: string, body: string]>([
    ['a type of the function', 'type User struct { ID uint }; db.AutoMigrate(&User{})'],
    ['a parameter', 'func(all ...any) { db.AutoMigrate(all...) }(&User{})'],
    ['a generic struct', 'db.AutoMigrate(&Box[int]{})'],
  ])('%s that AutoMigrate gets', ([, body]) => {
    const program = `\nfunc f(db *gorm.DB) { ${body} }\ntype Box[T any] struct { V T }`;
    expect(warningsOf(program)).toEqual([
      'The source does not determine which structs are passed to AutoMigrate (models.go:12); the models were chosen by their declarations.',
    ]);
    expect(warningsOf(program, { structs: ['User'] })).toEqual([]);
  });

  test('a naming strategy, as far as parameters do not apply it', () => {
    const strategy = `schema.NamingStrategy{
      TablePrefix: prefix, // of all tables
      SingularTable: true, NoLowerCase: false,
      NameReplacer: strings.NewReplacer("A", "B"),
    }`;
    const program = `\nvar c = &gorm.Config{NamingStrategy: ${strategy}}`;
    const hint =
      'The parameters `table_prefix`, `singular_tables` and `replacements` apply TablePrefix, SingularTable and NameReplacer.';
    expect(warningsOf(program)).toEqual([
      `The program sets TablePrefix, SingularTable, NameReplacer of the NamingStrategy (models.go:12); names were formed without it. ${hint}`,
    ]);
    const naming = { tablePrefix: 'a_', singularTables: true };
    expect(warningsOf(program, { naming })).toEqual([
      `The program sets NameReplacer of the NamingStrategy (models.go:12); names were formed without it. ${hint}`,
    ]);
    const replacements = [['A', 'B']] as const;
    expect(warningsOf(program, { naming: { ...naming, replacements } })).toEqual([]);
    expect(warningsOf('\nfunc f(c *gorm.Config) { c.NamingStrategy = own{} }')).toEqual([
      `The program sets a NamingStrategy (models.go:12); names were formed without it. ${hint}`,
    ]);
  });

  test('foreign keys that are switched off, in all places', () => {
    const line = '\nvar _ = gorm.Config{DisableForeignKeyConstraintWhenMigrating: true}';
    expect(warningsOf(line.repeat(5))).toEqual([
      'The program sets DisableForeignKeyConstraintWhenMigrating (models.go:12, models.go:13, models.go:14 and 2 more); foreign_keys=skip applies it.',
    ]);
    expect(warningsOf(line, { skipForeignKeys: true })).toEqual([]);
  });
});

test('a TableName that returns an unset variable is not empty', () => {
  const text =
    'package a\nvar name string\ntype User struct { ID uint }\nfunc (User) TableName() string { return name }';
  const { models, warnings } = readGoModels([{ name: 'a.go', text }]);
  expect(models.map(({ table }) => table)).toEqual(['users']);
  expect(warnings.map(({ message }) => message)).toEqual([
    'The result of User.TableName (a.go:4) cannot be determined from the source; "users" was assumed.',
  ]);
});
