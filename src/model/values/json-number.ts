/**
 * The rule for numbers in JSON: a number is written without quotes if a double in its shortest form
 * equals it, and otherwise as a string of its digits. The digits are never changed.
 */

/**
 * The JSON token for a number in decimal text. A text that is not a JSON number (`007`, `.5`,
 * `NaN`) becomes a string.
 */
export function numberToken(digits: string): string {
  return isBare(digits) ? digits : JSON.stringify(digits);
}

/** The JSON token for a double: its shortest form, which is always exact; `-0` keeps its sign. */
export function doubleToken(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : String(value);
}

export function bigintToken(value: bigint): string {
  return numberToken(String(value));
}

/** Every decimal of up to 15 digits survives a double (without an exponent that leaves its range). */
const safeLength = 15;
const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isBare(digits: string): boolean {
  if (digits.length <= safeLength && plainDecimal.test(digits)) return true;
  return jsonNumber.test(digits) && isExactDouble(digits);
}

/** Whether a double represents a decimal text exactly. `+5`, `.5` and `007` are valid decimals too. */
export function isExactDouble(digits: string): boolean {
  if (digits.length <= safeLength && plainDecimal.test(digits)) return true;
  const value = Number(digits);
  return Number.isFinite(value) && isSameNumber(digits, String(value));
}

/** Whether two decimal texts, with or without an exponent, have the same value. */
export function isSameNumber(a: string, b: string): boolean {
  return normalForm(a) === normalForm(b);
}

/**
 * A normal form that is the same for all texts of one number: sign, digits without redundant zeros,
 * power of ten. Empty for zero.
 */
function normalForm(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [integerDigits = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const digits = integerDigits + fraction;
  const first = digits.search(/[1-9]/);
  if (first === -1) return '';
  const sign = mantissa.startsWith('-') ? '-' : '';
  const point = integerDigits.length - first + Number(exponent);
  return `${sign}0.${digits.slice(first, endOfDigits(digits))}e${point}`;
}

function endOfDigits(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end;
}
