import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts } from '../../ui/src/editing/compare-texts.ts';

test('added and removed words are distinguished from unchanged ones', () => {
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

test('both texts can be reconstructed from the result', () => {
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

test('as many words as possible are unchanged', () => {
  const text = array(constantFrom('a', 'b', 'c', 'd'), { maxLength: 5 });
  /** The length of the longest common subsequence, by its definition. */
  const common = ([a, ...restA]: readonly string[], [b, ...restB]: readonly string[]): number => {
    if (a === undefined || b === undefined) return 0;
    if (a === b) return 1 + common(restA, restB);
    return Math.max(common(restA, [b, ...restB]), common([a, ...restA], restB));
  };
  const joined = (words: readonly string[]): string => words.map((word) => `${word}.`).join('');
  assert(
    property(text, text, (before, after) => {
      const same = compareTexts(joined(before), joined(after))
        .filter(({ kind }) => kind === 'same')
        .flatMap((segment) => [...segment.text]);
      // Each word is one letter, and its period is another word.
      const words = (list: readonly string[]): readonly string[] =>
        list.flatMap((word) => [word, '.']);
      expect(same.length).toBe(common(words(before), words(after)));
    }),
    { numRuns: 50 },
  );
});

test('single changes in a long text are found', () => {
  const words = Array.from({ length: 5000 }, (_, i) => `word${i % 200}`);
  const changed = words.map((word, i) => (i % 500 === 99 ? 'other' : word));
  const segments = compareTexts(words.join(' '), changed.join(' '));
  expect(segments.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual(
    Array.from({ length: 10 }, () => 'other'),
  );
});

test('texts of any length are compared in bounded work', () => {
  const long = Array.from({ length: 30_000 }, (_, i) => `word${i}`).join(' ');
  const segments = compareTexts(`${long} a`, `b ${long}`);
  expect(segments.map(({ kind }) => kind)).toContain('added');
});
