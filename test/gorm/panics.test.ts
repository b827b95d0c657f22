/** Sources for which GORM panics are rejected, or give a warning, with the reason. */
import { describe, expect, test } from 'vitest';

import { StudioError } from '../../src/model/errors.ts';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';

function read(text: string): readonly string[] {
  const source = `package models\n\n${text}\n`;
  return readGoModels([{ name: 'models.go', text: source }]).warnings.map(({ message }) => message);
}

function problemOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof StudioError) return error.message;
    throw error;
  }
  throw new Error('it was not rejected');
}

const tag = 'type Tag struct { ID uint; Name string }';

function userWith(settings: string, key = 'ID uint'): string {
  return `type User struct {\n\t${key}\n\tTags []Tag \`gorm:"many2many:user_tags${settings}"\`\n}`;
}

describe('a join table', () => {
  test.for([
    [
      'of a model without a key',
      `${tag}\n${userWith('', 'Name string')}`,
      'User has no primary key',
    ],
    [
      'with a model without a key',
      `type Tag struct { Name string \`gorm:"size:9"\` }\n${userWith('')}`,
      'Tag has no primary key',
    ],
    [
      'of a model with two keys of one name',
      `${tag}\ntype Base struct { ID uint \`gorm:"primaryKey"\` }\n${userWith('', 'ID uint `gorm:"primaryKey"`\n\tOld Base `gorm:"embedded;embeddedPrefix:old_"`')}`,
      'its struct has two fields UserID',
    ],
    [
      "with a column that has the name of GORM's own field",
      `${tag}\n${userWith(';joinForeignKey:UserTags')}`,
      'its struct has two fields UserTags',
    ],
    [
      'with a column whose name is not one of Go',
      `${tag}\n${userWith(';joinForeignKey:user-x')}`,
      '"User-x" is no exported name in Go',
    ],
    [
      'with a column whose name begins with an underscore',
      `${tag}\n${userWith(';joinReferences:_tag')}`,
      '"_tag" is no exported name in Go',
    ],
    [
      'with a generic struct',
      'type Box[T any] struct { ID uint; V T }\ntype User struct { ID uint; Boxes []Box[int] `gorm:"many2many:user_boxes"` }',
      '"Box[int]ID" is no exported name in Go',
    ],
  ] as const)('%s is rejected', ([, text, reason]) => {
    expect(problemOf(text)).toContain(`GORM panics, because ${reason}`);
  });

  test('without a key that AutoMigrate ignores is accepted', () => {
    const text = `type Tag struct { Name string \`gorm:"size:9"\` }\n${userWith(';-:migration')}`;
    expect(read(text)).toEqual([]);
  });
});

describe('a promoted TableName', () => {
  const base = 'type Base struct { ID uint }\nfunc (Base) TableName() string { return "people" }\n';
  const own = 'Name string `gorm:"size:9"`';
  const panic =
    'GORM panics, because Base.TableName (models.go:4) is called on an embedded pointer, which is nil.';

  test.for([
    ['of an embedded pointer', `${base}type User struct { *Base; ${own} }`],
    [
      'of a struct in an embedded pointer',
      `${base}type Middle struct { Base }\ntype User struct { *Middle; ${own} }`,
    ],
    [
      'with a pointer receiver of a struct in an embedded pointer',
      `${base.replace('(Base)', '(*Base)')}type Middle struct { Base }\ntype User struct { *Middle; ${own} }`,
    ],
  ])('%s gives a warning', ([, text]) => {
    expect(read(text!)).toContain(panic);
  });

  test.for([
    ['of an embedded struct', `${base}type User struct { Base; ${own} }`],
    [
      'with a pointer receiver of an embedded pointer',
      `${base.replace('(Base)', '(*Base)')}type User struct { *Base; ${own} }`,
    ],
  ])('%s gives no warning', ([, text]) => {
    expect(read(text!)).not.toContain(panic);
  });
});
