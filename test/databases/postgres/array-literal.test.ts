import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  arrayLiteral,
  readArrayLiteral,
} from '../../../src/databases/postgres/dialect/array-literal.ts';
import type { ArrayItem } from '../../../src/databases/postgres/dialect/array-literal.ts';

const { items } = fc.letrec<{ items: readonly ArrayItem[]; item: ArrayItem }>((tie) => ({
  items: fc.array(tie('item'), { maxLength: 5 }),
  item: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.constantFrom('NULL', '', '{}', '"', '\\', ',', 'a b'),
    fc.constant(null),
    tie('items'),
  ),
}));

test('every array of texts, NULLs and arrays is parsed back from its literal', () => {
  fc.assert(
    fc.property(items, fc.constantFrom(',', ';'), (value, delimiter) => {
      const literal = arrayLiteral(JSON.stringify(value), { delimiter, itemsAreJson: false });
      expect(readArrayLiteral(literal, delimiter)).toEqual(value);
    }),
  );
});

test('the parser never fails on any text, nor reads beyond its end', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', ',', 'a', ' ', '[', '1') }),
      (text) => {
        const read = readArrayLiteral(text);
        if (read !== undefined) expect(text).toMatch(/^\{[^]*\}$/);
      },
    ),
  );
});

test.for([
  ['{1,2}', ['1', '2']],
  ['{}', []],
  [
    '{{1,NULL},{3,4}}',
    [
      ['1', null],
      ['3', '4'],
    ],
  ],
  [String.raw`{"a\"b","\\","NULL",null}`, ['a"b', '\\', 'NULL', null]],
] as const)('%s', ([text, expected]) => {
  expect(readArrayLiteral(text)).toEqual(expected);
});

test.for(['', '{', '{1', '{1,', '{"a}', '{1}}', '[2:3]={1,2}', 'x{1}'])(
  '%s is not an array',
  (text) => {
    expect(readArrayLiteral(text)).toBeUndefined();
  },
);

test('text that is not JSON is sent unchanged to the server', () => {
  for (const text of ['{1,2}', '[2:3]={1,2}', '[-1:0]={1,2}', ''])
    expect(arrayLiteral(text)).toBe(text);
});
