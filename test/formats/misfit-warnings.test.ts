/** Values that a column of SQLite keeps although its declared type does not have them are imported with a warning. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { misfitWarner } from '../../src/formats/warn-of-misfits.ts';
import { column } from './run-reader.ts';
import type { ColumnType } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/values.ts';

/** The warning about one value, if there is one. */
function warningAbout(value: Value, type: ColumnType, dynamic = true): string | undefined {
  const warnings: string[] = [];
  const context = { warn: (warning: (count: number) => string) => void warnings.push(warning(1)) };
  misfitWarner(column('v', type, { dynamic }), context)?.(value);
  expect(warnings.length).toBeLessThan(2);
  return warnings[0];
}

test('warns of texts with more characters than the type has', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(8), (text, length) => {
      const warning = warningAbout(text, { kind: 'text', length });
      expect(warning !== undefined).toBe([...text].length > length);
    }),
  );
});

test('warns of decimals that the type does not have', () => {
  fc.assert(
    fc.property(fc.integer({ min: -9999, max: 9999 }), fc.nat(4), (digits, scale) => {
      const value = digits / 1000;
      const isRounded = Number(value.toFixed(scale)) !== value;
      expect(
        warningAbout(value, { kind: 'decimal', precision: scale + 1, scale }) !== undefined,
      ).toBe(isRounded || Math.abs(value) >= 10);
      const warning = warningAbout(value, { kind: 'decimal', precision: 9, scale });
      expect(warning !== undefined).toBe(isRounded);
      const integer = warningAbout(value, { kind: 'integer', bits: 32 });
      expect(integer !== undefined).toBe(!Number.isInteger(value));
    }),
  );
});

test.each([
  ['2020-01-02 03:04:05', 'a time of day'],
  ['2020-01-02T00:00:01', 'a time of day'],
  ['tomorrow', 'text that is not a date (YYYY-MM-DD); it is kept as text.'],
])('warns of %s in a column of dates', (text, what) => {
  expect(warningAbout(text, { kind: 'date' })).toContain(`1 cell of column "v" (date) contains ${what}`); // prettier-ignore
});

test('warns of texts that are no JSON or UUID, and of other numbers than truth values', () => {
  const uuid = '0e37df36-f698-11e6-8dd4-cb9ced3df976';
  expect(warningAbout('{"a":1}', { kind: 'json' })).toBeUndefined();
  expect(warningAbout('{a:1}', { kind: 'json' })).toContain('text that is not JSON');
  expect(warningAbout(uuid.toUpperCase(), { kind: 'uuid' })).toBeUndefined();
  expect(warningAbout(uuid.slice(1), { kind: 'uuid' })).toContain('text that is not a UUID');
  expect(warningAbout(1n, { kind: 'boolean' })).toBeUndefined();
  expect(warningAbout(2, { kind: 'boolean' })).toContain('numbers other than 0 and 1');
  expect(warningAbout('perhaps', { kind: 'boolean' })).toContain('text that is not true or false');
});

test('warns neither of fitting values nor where the database rejects others', () => {
  expect(warningAbout('2020-01-02', { kind: 'date' })).toBeUndefined();
  expect(warningAbout('2020-01-02 00:00:00', { kind: 'date' })).toBeUndefined();
  expect(warningAbout(null, { kind: 'integer', bits: 64 })).toBeUndefined();
  expect(warningAbout(7n, { kind: 'integer', bits: 64 })).toBeUndefined();
  expect(warningAbout('long', { kind: 'text', length: 1 }, false)).toBeUndefined();
});
