import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mirrored, visualOrder } from '../../src/diagram/bidi.ts';

/** The runs of text in visual order, right-to-left runs in brackets. */
function visualRuns(text: string): readonly string[] {
  return visualOrder(text).map((part) => (part.isRightToLeft ? `[${part.text}]` : part.text));
}

describe('the order of a line', () => {
  test('left-to-right text is one run', () => {
    expect(visualRuns('order_id (12)')).toEqual(['order_id (12)']);
  });

  test('right-to-left text is reversed within the line', () => {
    expect(visualRuns('id لقب x')).toEqual(['id ', '[لقب]', ' x']);
    expect(visualRuns('שם_לקוח')).toEqual(['[שם_לקוח]']);
  });

  test('numbers within right-to-left text stay left-to-right', () => {
    expect(visualRuns('رقم 123 هاتف')).toEqual(['[ هاتف]', '123', '[رقم ]']);
  });

  test('digits after Latin letters are part of those', () => {
    expect(visualRuns('a1 שם b2')).toEqual(['a1 ', '[שם]', ' b2']);
  });

  test('brackets around right-to-left text belong to it', () => {
    expect(visualRuns('هاتف (محمول)')).toEqual(['[هاتف (محمول)]']);
    expect(visualRuns('رقم 12 (محمول)')).toEqual(['[ (محمول)]', '12', '[رقم ]']);
    expect(visualRuns('name (שם)')).toEqual(['name (', '[שם]', ')']);
  });

  test('a number keeps its decimal point and its percent sign', () => {
    expect(visualRuns('מחיר 33.5 שח')).toEqual(['[ שח]', '33.5', '[מחיר ]']);
    expect(visualRuns('נתח 12% מס')).toEqual(['[ מס]', '12%', '[נתח ]']);
  });

  test('an emoji between right-to-left words belongs to them', () => {
    expect(visualRuns('שם 📦 לקוח')).toEqual(['[שם 📦 לקוח]']);
  });

  test('accents stay with their letters', () => {
    expect(visualRuns('שָׁלוֹם')).toEqual(['[שָׁלוֹם]']);
  });

  test('a character beyond U+FFFF is placed like one of its type below', () => {
    const pairs = [
      ['a', 'a'],
      ['א', 'א'],
      ['ل', 'ل'],
      ['1', '1'],
      ['٣', '٣'],
      [' ', ' '],
      ['(', '('],
      [')', ')'],
      ['.', '.'],
      // A letter of Linear B, of the Cypriot syllabary and of Arabic mathematics; a digit; an emoji.
      ['b', '\u{10000}'],
      ['ב', '\u{10800}'],
      ['ع', '\u{1ee00}'],
      ['2', '\u{1d7d0}'],
      ['☂', '📦'],
    ] as const;
    assert(
      property(array(constantFrom(...pairs), { maxLength: 12 }), (line) => {
        const [below, beyond] = [0, 1].map((side) => line.map((pair) => pair[side]).join(''));
        const directions = (text = ''): readonly (readonly [number, boolean])[] =>
          visualOrder(text).map((run) => [[...run.text].length, run.isRightToLeft]);
        expect(directions(beyond)).toEqual(directions(below));
        const characters = visualOrder(beyond ?? '').flatMap((run) => [...run.text]);
        expect(characters.toSorted()).toEqual([...(beyond ?? '')].toSorted());
      }),
    );
  });
});

test('right-to-left text shows brackets and quotation marks mirrored', () => {
  expect(mirrored('«שם» (א)')).toBe('»שם« )א(');
});
