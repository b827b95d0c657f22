/** Amounts of money in the formats of locales are read exactly, or rejected. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountReader } from '../../src/formats/sql/values/money.ts';
import { columnOf } from '../sql/neutral-schema.ts';

const readAmount = amountReader(columnOf('price', { kind: 'decimal', precision: 38, scale: 3 }));

interface MoneyFormat {
  readonly symbol: string;
  readonly isBefore: boolean;
  readonly grouping: string;
  readonly decimal: string;
  /** The number of decimals that the locale writes. */
  readonly decimals: number;
}

const formats = fc.record({
  symbol: fc.constantFrom('$', '€', '£', '¥', '₹', 'R$', 'US$'),
  isBefore: fc.boolean(),
  grouping: fc.constantFrom(',', '.', ' ', '\u00a0', '\u202f', "'", ''),
  decimal: fc.constantFrom('.', ','),
  decimals: fc.constantFrom(0, 2, 3),
});

function formatAmount(
  units: bigint,
  sign: 'minus' | 'minus after symbol' | 'parentheses',
  format: MoneyFormat,
): string {
  const { symbol, isBefore, grouping, decimal, decimals } = format;
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const integerDigits = digits
    .slice(0, digits.length - decimals)
    .replaceAll(/\B(?=(?:\d{3})+$)/g, grouping);
  const number =
    decimals === 0 ? integerDigits : `${integerDigits}${decimal}${digits.slice(-decimals)}`;
  const minus = units < 0n ? '-' : '';
  if (sign === 'minus after symbol' && isBefore) return `${symbol}${minus}${number}`;
  const unsigned = isBefore ? `${symbol}${number}` : `${number} ${symbol}`;
  return sign === 'parentheses' && minus ? `(${unsigned})` : `${minus}${unsigned}`;
}

function plainDecimal(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const integerDigits = digits.slice(0, digits.length - decimals);
  return `${units < 0n ? '-' : ''}${integerDigits}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}

test('an amount keeps its digits, or is rejected if its separator may be of thousands or of decimals', () => {
  const negatives = fc.constantFrom(
    'minus' as const,
    'minus after symbol' as const,
    'parentheses' as const,
  );
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 12n), 10n ** 12n), negatives, formats, (units, sign, format) => {
      fc.pre(format.grouping !== format.decimal);
      const text = formatAmount(units, sign, format);
      // One separator before three digits: "1,235" is 1235 yen, but 1.235 dinars.
      const number = /\d(?:.*\d)?/.exec(text)?.[0] ?? '';
      const isAmbiguous = /^[1-9]\d{0,2}[.,]\d{3}$/.test(number);
      if (isAmbiguous)
        expect(() => readAmount(text)).toThrow(/do not say which digits are decimals/);
      else expect(readAmount(text)).toBe(plainDecimal(units, format.decimals));
    }),
    { numRuns: 3000 },
  );
});

test('an invalid amount with a currency is rejected, and a text without a currency stays unchanged', () => {
  const invalidAmounts = [
    '$',
    '$$1.00',
    '$1.00€',
    '-$-1.00',
    '$1.2.3',
    '$1,23,4.00',
    '$ten',
    '($1.00',
    '$1 .00',
    '$1.00 each',
  ];
  for (const text of invalidAmounts) expect(() => readAmount(text), text).toThrow(/price/);
  for (const text of ['1.50', '-7', 'ten', '']) expect(readAmount(text)).toBe(text);
  expect(readAmount('₹ 12,34,567.00')).toBe('1234567.00');
  const readTextCell = amountReader(columnOf('note', { kind: 'text' }));
  expect(readTextCell('$1,234.56')).toBe('$1,234.56');
});
