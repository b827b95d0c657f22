import type { ConstantValue } from './value.ts';

const verb = /%([-+# 0]*)(\d*)(?:\.(\d+))?([a-zA-Z%])/g;

const maxWidth = 1000;
const maxPrecision = 100;

/** fmt.Sprintf with the verbs of texts, numbers and booleans. Undefined with any other verb, or for values that do not fit. */
export function formatText(format: string, values: readonly ConstantValue[]): string | undefined {
  let next = 0;
  let isKnown = !/%(?![-+# 0]*\d*(?:\.\d+)?[a-zA-Z%])/.test(format);
  const text = format.replaceAll(verb, (...[, flags, width, precision, letter]: string[]) => {
    if (letter === '%') return '%';
    const value = values[next++];
    const formattedValue =
      value === undefined ? undefined : formatValue(String(letter), value, precision);
    isKnown &&= formattedValue !== undefined && !/[+# ]/.test(flags ?? '');
    // Zeros come after the sign.
    isKnown &&=
      Number(width) <= maxWidth && !(flags === '0' && formattedValue?.startsWith('-') === true);
    if (!isKnown) return '';
    return pad(formattedValue ?? '', Number(width), flags ?? '');
  });
  return isKnown && next === values.length ? text : undefined;
}

function formatValue(
  letter: string,
  value: ConstantValue,
  precision: string | undefined,
): string | undefined {
  const isWhole = typeof value === 'bigint';
  if (letter === 'f' && typeof value === 'number' && Number(precision ?? 6) <= maxPrecision)
    return value.toFixed(Number(precision ?? 6));
  if (precision !== undefined) return undefined;
  switch (letter) {
    case 'v':
      return plainText(value);
    case 's':
      return typeof value === 'string' ? value : undefined;
    case 'd':
      return isWhole ? String(value) : undefined;
    case 'x':
      return isWhole ? value.toString(16) : undefined;
    case 't':
      return typeof value === 'boolean' ? String(value) : undefined;
    case 'q':
      return typeof value === 'string' && /^[\w ()-]*$/.test(value) ? `"${value}"` : undefined;
    default:
      return undefined;
  }
}

/** As `%v` writes it. */
export function plainText(value: ConstantValue): string {
  if (typeof value !== 'number') return String(value);
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function pad(text: string, width: number, flags: string): string {
  if (flags.includes('-')) return text.padEnd(width);
  return text.padStart(width, flags.includes('0') ? '0' : ' ');
}
