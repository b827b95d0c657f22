import { describe, expect, test } from 'vitest';
import { visualOrder } from '../../src/diagram/bidi.ts';

/** The runs of text in visual order, right-to-left runs in brackets. */
function seen(text: string): readonly string[] {
  return visualOrder(text).map((part) => (part.isRightToLeft ? `[${part.text}]` : part.text));
}

describe('the order of a line', () => {
  test('left-to-right text is one run', () => {
    expect(seen('order_id (12)')).toEqual(['order_id (12)']);
  });

  test('right-to-left text is reversed within the line', () => {
    expect(seen('id لقب x')).toEqual(['id ', '[لقب]', ' x']);
    expect(seen('שם_לקוח')).toEqual(['[שם_לקוח]']);
  });

  test('numbers within it stay left-to-right', () => {
    expect(seen('رقم 123 هاتف')).toEqual(['[ هاتف]', '123', '[رقم ]']);
  });

  test('digits after Latin letters are part of those', () => {
    expect(seen('a1 שם b2')).toEqual(['a1 ', '[שם]', ' b2']);
  });

  test('brackets around it go with it', () => {
    expect(seen('هاتف (محمول)')).toEqual(['[هاتف (محمول)]']);
    expect(seen('رقم 12 (محمول)')).toEqual(['[ (محمول)]', '12', '[رقم ]']);
    expect(seen('name (שם)')).toEqual(['name (', '[שם]', ')']);
  });

  test('accents stay with their letters', () => {
    expect(seen('שָׁלוֹם')).toEqual(['[שָׁלוֹם]']);
  });
});
