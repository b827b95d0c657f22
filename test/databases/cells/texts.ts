/** Random texts, numbers and documents that a writer or reader could get wrong. */
import * as fc from 'fast-check';

/** A value as a literal of the database's language. */
export type Literals = fc.Arbitrary<string>;

const fragments = [
  '', ' ', '  ', '\t', '\n', '\r', '\r\n', '\u0000', '\u0001', '\u001b', '\u007f', '\u0085', '\u00a0', '\u2028', '\ufeff', '\ufffd', '\uffff', '😀', 'e\u0301', 'א', '\u202eabc', '\u200d', '日本', 'ß', 'İ',
  '=1+1', '+1', '-1', '@x', "'", "''", '"', '""', '\\', '\\\\', '\\N', '\\.', '\\n', '\\x41', 'NULL', 'null', 'true', 'f', 'NaN', 'Infinity', '-0', '00', '007', '1.0', '1e5', '0x1F', '9007199254740993', '{', '}', '[]', '{}', '[2:3]={5,6}',
  ',', ';', '|', '/*', '*/', '--', '#', '$1', '$$', '?', ':x', '%s', '${y}', '<b>', '&amp;', '_x000D_', '_x005F_', '2026-01-31', '12:00', '{"$json":1}', '{"$int":"1"}', '{"$base64":"AA=="}', '{"$cut":1}', '~.', '\nGO\n', 'a', 'x',
]; // prettier-ignore

/** At most this many UTF-16 code units. */
export function texts(maxLength = 200): fc.Arbitrary<string> {
  return fc
    .oneof(
      { weight: 8, arbitrary: fc.array(fc.constantFrom(...fragments), { maxLength: 5 }).map((all) => all.join('')) },
      { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
      { weight: 1, arbitrary: fc.constantFrom('äöü😀'.repeat(3000), 'x'.repeat(32_767), "'".repeat(9000), '\r\n'.repeat(5000)) },
    )
    .map((text) => text.slice(0, maxLength).toWellFormed()); // prettier-ignore
}

export function hexOf(text: string | Uint8Array): string {
  return Buffer.from(text as string).toString('hex');
}

export const bytes = (maxLength: number): fc.Arbitrary<string> =>
  fc.uint8Array({ maxLength }).map(hexOf);

/** Integers near the limits of this many bits, signed and unsigned. */
export function wholeNumbers(): Literals {
  const borders = [0, 1, 7, 8, 15, 16, 23, 24, 31, 32, 53, 63, 64].map(
    (bits) => 2n ** BigInt(bits),
  );
  return fc
    .tuple(fc.constantFrom(...borders), fc.constantFrom(-1n, 0n, 1n), fc.constantFrom(1n, -1n))
    .map(([border, step, sign]) => String(sign * border + step));
}

/** Digits with a decimal point. */
export const decimals: Literals = fc.oneof(
  wholeNumbers(),
  fc.constantFrom('0.1', '-0.5', '0.00', '10.50', '1e-20', '-0.0', '99.995', '0.30000000000000004', '12345678901234567890.1234567890', '0.00000000000000000000000000000000000001'),
  fc.tuple(fc.constantFrom('', '-'), fc.bigInt(0n, 10n ** 28n), fc.bigInt(0n, 10n ** 12n)).map(([sign, a, b]) => `${sign}${a}.${b}`),
); // prettier-ignore

const edgeDoubles = ['-0.0', '0.0', '5e-324', '-5e-324', '2.2250738585072014e-308', '1.7976931348623157e308', '-1.7976931348623157e308', '3.4028234663852886e38', '1.401298464324817e-45', '0.1', '1e21', '1e22', '123456789012345680', '9007199254740993', '1e15', '0.3', '16777217', '1.5e-7']; // prettier-ignore

export const doubles: Literals = fc.oneof(
  fc.constantFrom(...edgeDoubles),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (Object.is(value, -0) ? '-0.0' : String(value))),
);

const names = ['$json', '$int', '$base64', '$cut', 'head', '__proto__', 'constructor', 'a', 'b', '', '$', '\\u0024json', 'a\\nb', '日', '\\ud83d\\ude00']; // prettier-ignore
const scalars = [
  'null', 'true', 'false', '0', '-0', '-0.0', '1.50', '1E400', '-1e-400', '9007199254740993', '0.10000000000000000555', '12345678901234567890123456789012345678901234567890', '""', '"1"', '"AA=="', '"NULL"', '"=1+1"', '"\\\\x41"', '"\\n\\t\\/\\u0007"', '"\\u00e9é😀\\ud83d\\ude00"', '"it\'s \\"q\\""', '[]', '{}', '"\u2028"', '"[2:3]={1}"',
]; // prettier-ignore

/** JSON texts with the studio's markers at any depth, duplicate keys, numbers of any size, and white space. */
export const documents: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '', '', '', '', ' ', '\n', '\t'), anyDocument(), fc.constantFrom('', '', '', '', '\n', ' '))
  .map((parts) => parts.join('')); // prettier-ignore

function anyDocument(): fc.Arbitrary<string> {
  return fc.letrec<{ value: string }>((tie) => {
    const gap = fc.constantFrom('', '', '', ' ', '\n', '\t ', '\r\n');
    const member = fc
      .tuple(gap, fc.constantFrom(...names), gap, tie('value'))
      .map(([before, name, after, value]) => `${before}"${name}"${after}:${value}`);
    const among = (open: string, close: string, items: fc.Arbitrary<string>, most: number) =>
    fc.tuple(fc.array(items, { maxLength: most }), gap).map(([all, end]) => `${open}${all.join(',')}${end}${close}`); // prettier-ignore
    return {
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...scalars),
      among('[', ']', fc.tuple(gap, tie('value')).map((both) => both.join('')), 3),
      among('{', '}', member, 3),
      member.map((only) => `{${only}}`),
    ),
  }; // prettier-ignore
  }).value;
}
