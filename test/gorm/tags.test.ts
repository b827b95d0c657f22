import { describe, expect, test } from 'vitest';

import { parseDefault } from '../../src/gorm/models/default-value.ts';
import { parseExpression } from '../../src/gorm/go/syntax/expression.ts';
import { parseInteger, unquote } from '../../src/gorm/go/syntax/literals.ts';
import { defaultNaming } from '../../src/gorm/go/program/naming.ts';
import { foreignKeyName, indexName } from '../../src/gorm/go/program/names.ts';
import {
  gormSettings,
  parseSettings,
  tagValue,
  prependSetting,
  removeSettings,
} from '../../src/gorm/models/tags.ts';

describe('struct tags', () => {
  test.each([
    ['json:"a" gorm:"size:5"', 'size:5'],
    ['gorm:"a" gorm:"b"', 'a'],
    ['  gorm:"x"', 'x'],
    ['json:"x"gorm:"y"', 'y'],
    [String.raw`gorm:"default:\"q\";check:a\\;b"`, String.raw`default:"q";check:a\;b`],
    ['gorm: "size:5"', ''],
    ['gorm:"two\nlines"', ''],
    ['json gorm:"size:5"', ''],
    ["gorm:'size:5'", ''],
  ])('%s', (tag, value) => {
    expect(tagValue(tag, 'gorm')).toBe(value);
  });

  test('a setting has the text after the first colon, and the last one with the same name wins', () => {
    expect([
      ...gormSettings(String.raw`gorm:" Size:5 ; default:10:30;NOT NULL;a\\;b:c;size:6;;x:"`),
    ]).toEqual([
      ['SIZE', '6'],
      ['DEFAULT', '10:30'],
      ['NOT NULL', 'NOT NULL'],
      ['A;B', 'c'],
      ['X', ''],
    ]);
    expect([...parseSettings(String.raw`where:a in (1\,2),unique`, ',')]).toEqual([
      ['WHERE', 'a in (1,2)'],
      ['UNIQUE', 'UNIQUE'],
    ]);
  });

  test('a join table keeps the settings of a key, truncated as GORM does', () => {
    const tag = 'json:"c" gorm:"column:code;size:9;not null;uniqueIndex:udx,priority:2;default:x"';
    const joinTableTag = removeSettings(prependSetting(tag, 'primaryKey'), [
      'column',
      'autoincrement',
      'index',
      'unique',
      'uniqueindex',
    ]);
    expect([...gormSettings(joinTableTag).keys()].toSorted()).toEqual([
      'NOT NULL',
      'PRIMARYKEY',
      'SIZE',
      'UNIQUEDEFAULT',
    ]);
  });
});

describe('names', () => {
  test('beyond the limit end in a hash of the whole name', () => {
    const table = 'a_very_long_table_name_that_goes_on_and_on';
    const longestName = { table, name: 'AnotherLongFieldName', maxLength: 64 };
    expect(indexName(longestName)).toHaveLength(64);
    expect(indexName({ ...longestName, maxLength: 63 })).toHaveLength(63);
    expect(indexName(longestName).slice(0, 56)).toBe(
      `idx_${table}_another_long_field_name`.slice(0, 56),
    );
    expect(indexName({ ...longestName, name: 'AnotherLongFieldNames' })).not.toBe(
      indexName(longestName),
    );
  });

  test('dots in tables become underscores', () => {
    expect(foreignKeyName({ table: 'audit.logs', name: 'UserID', maxLength: 64 })).toBe(
      'fk_audit_logs_user_id',
    );
  });

  test('of join tables are unchanged if they are already lower case', () => {
    expect([defaultNaming.joinTable('user_tag'), defaultNaming.joinTable('UserTag')]).toEqual([
      'user_tag',
      'user_tags',
    ]);
  });
});

describe('literals', () => {
  test.each([
    ['`a\\n\r`', 'a\\n'],
    [String.raw`"a\tb\"\\"`, 'a\tb"\\'],
    [String.raw`"\xc3\xa9\u00e9\U0001F600\101"`, 'éé😀A'],
    [String.raw`"\q"`, undefined],
    ['"a', undefined],
  ])('%s', (literal, text) => {
    expect(unquote(literal)).toBe(text);
  });

  test.each([
    ['0x1F', 31n],
    ['-007', -7n],
    ['0b101', 5n],
    ['0o17', 15n],
    ['1_000', 1000n],
    ['1__0', undefined],
    ['08', undefined],
    ['', undefined],
    ['1.0', undefined],
  ])('the integer %s', (text, value) => {
    expect(parseInteger(text)).toBe(value);
  });

  test('a default that the type cannot hold is an error', () => {
    expect(parseDefault('maybe', 'bool').error).toContain(
      'failed to parse maybe as default value for bool',
    );
    expect(parseDefault('-1', 'uint').error).toContain('uint');
    expect(parseDefault('9223372036854775808', 'int').error).toContain('int');
    expect(parseDefault('now()', 'int').error).toBeUndefined();
  });
});

describe('expressions', () => {
  test('have the operator precedence of Go', () => {
    expect(parseExpression('a + b.C("x") * -c')).toEqual({
      form: 'binary',
      operator: '+',
      left: { form: 'name', text: 'a' },
      right: {
        form: 'binary',
        operator: '*',
        left: {
          form: 'call',
          of: { form: 'selector', of: { form: 'name', text: 'b' }, name: 'C' },
          args: [{ form: 'string', text: '"x"' }],
        },
        right: { form: 'unary', operator: '-', of: { form: 'name', text: 'c' } },
      },
    });
  });

  test.each([
    ['[]byte("x")', 'conversion'],
    ['(*T)(x)', 'conversion'],
    ['pkg.T{A: 1}', 'literal'],
    ['map[string][]int{"a": {1}}', 'literal'],
    ['x.(*T)', 'typed'],
    ['x[1:2]', 'slice'],
    ['f(a, func() { return }, b...)', 'call'],
    ['a b', 'other'],
    ['', 'other'],
  ])('%s is a %s', (text, form) => {
    expect(parseExpression(text).form).toBe(form);
  });
});
