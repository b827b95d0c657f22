import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { truncate } from '../../src/diagram/measure.ts';
import { printable } from '../../src/portable/drawing/printable.ts';
import { hostileNames } from './hostile.ts';

describe('printable', () => {
  test('an invisible character becomes a visible symbol', () => {
    expect(printable('a\0b\nc\td\x7fe')).toBe('a␀b␊c␉d␦e');
    expect(printable('\u202etxt.exe')).toBe('␦txt.exe');
    expect(printable('\ud800')).toBe('␦');
  });

  test('joiners and variation selectors within graphemes stay', () => {
    expect(printable('👩‍👩‍👧 ❤️ क्‍ष')).toBe('👩‍👩‍👧 ❤️ क्‍ष');
  });

  test('no line breaks or direction controls remain, and no name becomes empty', () => {
    const names = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostileNames));
    fc.assert(
      fc.property(names, (name) => {
        const shown = printable(name);
        expect(shown).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
        expect(shown.isWellFormed()).toBe(true);
        expect([...shown].length).toBeGreaterThanOrEqual([...name].length === 0 ? 0 : 1);
      }),
    );
  });
});

describe('truncate', () => {
  const style = { face: 'text', size: 10 } as const;
  const measure = (text: string): number => [...text].length * 10;

  test('text that fits is unchanged', () => {
    expect(truncate('exactly', style, { width: 70, measure })).toBe('exactly');
  });

  test('text that does not fit is cut as late as possible', () => {
    expect(truncate('exactly more', style, { width: 70, measure })).toBe('exactl…');
    expect(truncate('a'.repeat(1_000_000), style, { width: 50, measure })).toBe('aaaa…');
  });

  test('a grapheme of several characters is not split', () => {
    expect(truncate('👩‍👩‍👧👩‍👩‍👧', style, { width: 60, measure })).toBe('👩‍👩‍👧…');
  });
});
