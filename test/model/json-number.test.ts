import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  bigintToken,
  doubleToken,
  isExactDouble,
  numberToken,
} from '../../src/model/values/json-number.ts';

interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A decimal text as a fraction of integers: an independent way to compute the expected result. */
function ratioOf(text: string): Ratio {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
  if (digits === 0n) return { numerator: 0n, denominator: 1n };
  const power = Number(exponent) - fraction.length;
  return power < 0
    ? { numerator: digits, denominator: 10n ** BigInt(-power) }
    : { numerator: digits * 10n ** BigInt(power), denominator: 1n };
}

function areEqual(a: Ratio, b: Ratio): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}

function isExactAsDouble(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && areEqual(ratioOf(text), ratioOf(String(value)));
}

const digit = fc.constantFrom(...'0123456789');
const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: digit, minLength, maxLength });
const whole = fc.oneof(
  fc.constant('0'),
  fc.tuple(fc.constantFrom(...'123456789'), digits(0, 24)).map((parts) => parts.join('')),
);
const fraction = fc.oneof(
  fc.constant(''),
  digits(1, 24).map((text) => `.${text}`),
);
const exponent = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc
    .tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.integer({ min: 0, max: 350 }))
    .map((parts) => parts.join('')),
);
const jsonNumber = fc
  .tuple(fc.constantFrom('', '-'), whole, fraction, exponent)
  .map((parts) => parts.join(''));
/** Decimals that are exact doubles, in unusual notations. */
const printedDouble = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => `${value}`);

describe('numberToken', () => {
  test.each([
    ['42'],
    ['-0'],
    ['0.1'],
    ['10.50'],
    ['1E+5'],
    ['9007199254740992'],
    ['100000000000000000000'],
    ['0e9999999'],
    ['5e-324'],
  ])('%s is a number with the digits as stored', (text) => {
    expect(numberToken(text)).toBe(text);
  });

  test.each([
    ['9007199254740993'],
    ['0.10000000000000000555'],
    ['1152921504606846976'],
    ['1e400'],
    ['1e-400'],
    ['NaN'],
    ['-Infinity'],
    ['+5'],
    ['007'],
    ['.5'],
    ['5.'],
    ['0x10'],
    [''],
    ['1"'],
  ])('%j is a string of its digits', (text) => {
    expect(numberToken(text)).toBe(JSON.stringify(text));
  });

  test('a bare token is a number exactly if its double, printed, is equal to it', () => {
    fc.assert(
      fc.property(fc.oneof(jsonNumber, printedDouble), (text) => {
        expect(numberToken(text)).toBe(isExactAsDouble(text) ? text : `"${text}"`);
      }),
      { numRuns: 2000 },
    );
  });

  test('the token of any text is JSON that parses to the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123.-+eE "') })),
        (text) => {
          const read: unknown = JSON.parse(numberToken(text));
          expect(
            typeof read === 'number'
              ? areEqual(ratioOf(text), ratioOf(String(read)))
              : read === text,
          ).toBe(true);
        },
      ),
    );
  });
});

test('isExactDouble accepts decimals that are not valid JSON', () => {
  const signed = fc.tuple(
    fc.constantFrom('', '+', '-', '00', '-0'),
    jsonNumber.filter((text) => !text.startsWith('-')),
  );
  fc.assert(
    fc.property(
      signed.map((parts) => parts.join('')),
      (text) => {
        expect(isExactDouble(text)).toBe(isExactAsDouble(text));
      },
    ),
  );
  expect(['.5', '5.', '+5', '007', '.10000000000000000555'].map(isExactDouble)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});

test('a double has its shortest form, with the sign of zero', () => {
  expect([0, -0, 0.1, 1e21, 1e-7, -2.5].map(doubleToken)).toEqual([
    '0',
    '-0',
    '0.1',
    '1e+21',
    '1e-7',
    '-2.5',
  ]);
  expect([NaN, Infinity, -Infinity].map(doubleToken)).toEqual([
    '"NaN"',
    '"Infinity"',
    '"-Infinity"',
  ]);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(JSON.parse(doubleToken(value))).toBe(value);
    }),
  );
});

test('a bigint is a number if a double prints it exactly', () => {
  expect([2n ** 53n, 2n ** 53n + 1n, 2n ** 60n, 10n ** 20n, -5n].map(bigintToken)).toEqual([
    '9007199254740992',
    '"9007199254740993"',
    '"1152921504606846976"',
    '100000000000000000000',
    '-5',
  ]);
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (value) => {
      expect(bigintToken(value)).toBe(isExactAsDouble(String(value)) ? `${value}` : `"${value}"`);
    }),
  );
});
