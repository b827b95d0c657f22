import { describe, expect, test } from 'vitest';
import { invalidReason, valuesText } from '../../ui/src/sql/entered-values.ts';
import { bindParameters } from '../../ui/src/sql/bind-parameters.ts';

describe('parameters of a statement', () => {
  test.for([
    ['sqlite', 'select ? + :n + :n + ?', 'select ?1 + ?2 + ?2 + ?3', ['? 1', ':n', '? 4']],
    ['sqlite', 'select \':a\', "?" -- :b\n, @c', 'select \':a\', "?" -- :b\n, ?1', ['@c']],
    ['postgres', 'select $2, $1, $2', 'select $1, $2, $1', ['$2', '$1']],
    ['postgres', 'select a::text, :b::int', 'select a::text, $1::int', [':b']],
    ['postgres', 'select a[1:n], a[lo :hi] ? :k', 'select a[1:n], a[lo :hi] ? $1', [':k']],
    ['postgres', "select $$ :a $1 $$, E'\\':a'", "select $$ :a $1 $$, E'\\':a'", []],
    ['mysql', 'select ?, :a, :a', 'select ?, ?, ?', ['? 1', ':a', ':a']],
    ['mysql', "select @a := 1, '\\':b'", "select @a := 1, '\\':b'", []],
    ['sqlserver', 'select @a, @@version, [@b], @a', 'select @p1, @@version, [@b], @p1', ['@a']],
    ['something', 'select ?', 'select ?', []],
  ] as const)('%s: %s', ([driver, statement, query, names]) => {
    expect(bindParameters(statement, driver)).toEqual({ query, names });
  });

  test('numbers keep their digits, texts stay texts', () => {
    const enteredValues = new Map([
      ['a', { text: '9007199254740993' }],
      ['b', { text: '007' }],
      ['c', { text: '12', kind: 'text' as const }],
      ['d', { text: 'left over', kind: 'null' as const }],
      ['e', { text: 'it"s' }],
      ['f', { text: '', kind: 'text' as const }],
    ]);
    expect(valuesText([...enteredValues.keys()], enteredValues)).toBe(
      '[9007199254740993,"007","12",null,"it\\"s",""]',
    );
  });

  test('missing and invalid values are reported', () => {
    expect(invalidReason(':a', undefined)).toBe('Enter a value for :a.');
    expect(invalidReason(':a', { text: '' })).toBe('Enter a value for :a.');
    expect(invalidReason(':a', { text: '', kind: 'text' })).toBeUndefined();
    expect(invalidReason(':a', { text: '1,5', kind: 'number' })).toBe(':a: 1,5 is not a number.');
  });
});
