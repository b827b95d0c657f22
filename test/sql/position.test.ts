import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { lineColumn, positionCounter } from '../../src/portable/lexer/position.ts';

test('lines and columns count from 1 for every kind of line break', () => {
  const text = 'ab\ncd\r\ne\rf';
  const positions = Array.from(text, (_, offset) => lineColumn(text, offset));
  expect(positions.map(({ line, column }) => `${line}:${column}`)).toEqual([
    '1:1',
    '1:2',
    '1:3',
    '2:1',
    '2:2',
    '2:3',
    '2:4',
    '3:1',
    '3:2',
    '4:1',
  ]);
  expect(lineColumn(text, text.length)).toEqual({ line: 4, column: 2 });
});

test('many offsets at once have the same positions as each alone', () => {
  const text = fc
    .array(fc.constantFrom('a', '\n', '\r', '\r\n', '😀'))
    .map((fragments) => fragments.join(''));
  fc.assert(
    fc.property(text, (lines) => {
      const position = positionCounter(lines);
      for (let offset = 0; offset <= lines.length; offset += 1) {
        expect(position(offset)).toEqual(lineColumn(lines, offset));
      }
    }),
  );
});
