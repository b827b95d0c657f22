import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts } from '../../ui/src/editing/compare-texts.ts';

test('words that came and went are told from those that stayed', () => {
  expect(compareTexts('Second, enlarged edition', 'Second, revised and enlarged edition')).toEqual([
    { kind: 'same', text: 'Second, ' },
    { kind: 'added', text: 'revised and ' },
    { kind: 'same', text: 'enlarged edition' },
  ]);
  expect(compareTexts('Second edition', 'Third edition')).toEqual([
    { kind: 'removed', text: 'Second' },
    { kind: 'added', text: 'Third' },
    { kind: 'same', text: ' edition' },
  ]);
});

test('both texts can be put together again from what is told', () => {
  const text = array(constantFrom('a', 'b', ' ', ',', '\n', 'é', '😀', 'word'));
  assert(
    property(text, text, (one, other) => {
      const [before, after] = [one.join(''), other.join('')];
      const segments = compareTexts(before, after);
      const without = (kind: string): string =>
        segments
          .filter((segment) => segment.kind !== kind)
          .map((segment) => segment.text)
          .join('');
      expect(without('added')).toBe(before);
      expect(without('removed')).toBe(after);
    }),
  );
});

test('texts of any length are compared in bounded work', () => {
  const long = Array.from({ length: 30_000 }, (_, i) => `word${i}`).join(' ');
  const segments = compareTexts(`${long} a`, `b ${long}`);
  expect(segments.map(({ kind }) => kind)).toContain('added');
});
