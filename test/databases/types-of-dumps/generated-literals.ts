/** Literals near the limits of the types of a column: most are stored unchanged, some are rounded, cut or rejected. */
import * as fc from 'fast-check';

const digits = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength })
    .map((parts) => parts.join(''));

const twoDigits = (max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));

const numbers = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '-', '+'), digits(6), fc.option(digits(5)))
    .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`),
  fc.constantFrom(
    ...['127', '128', '-129', '255', '256', '32767', '32768', '65535', '65536', '8388608'],
    ...['2147483647', '2147483648', '-2147483648', '-2147483649', '4294967296', '2147483647.5'],
    ...['9223372036854775807', '9223372036854775808', '18446744073709551616', '99999999999999'],
    ...[
      '1e3',
      '1.25e1',
      '15e-1',
      '125e-3',
      '1E2',
      '.5',
      '5.',
      '-0',
      '0',
      '00',
      '000',
      '0000',
      '0.000',
      '00012',
      '1e400',
    ],
    ...['999.99', '999.994', '999.995', '1000', '-999.999', '1.10', '12345678901234567890.12'],
  ),
);

const numberTexts = fc.oneof(
  numbers,
  fc.constantFrom(
    ...['1,234.50', '$1,234.50', '1_000', 'abc', '', ' 12 ', '12abc', 'NaN', 'Infinity', '0x1f'],
    ...['1 234', '12.', '--1', '1e', 'true', '1,5'],
  ),
);

const dates = fc
  .tuple(fc.constantFrom('2020', '1999', '0044', '9999', '0000'), twoDigits(13), twoDigits(32))
  .map((parts) => parts.join('-'));

const fractions = fc.oneof(
  fc.constantFrom('', '', '.5', '.6', '.000', '.123', '.1234567', '.123456', '.999999', '.9999999'),
  digits(7).map((fraction) => `.${fraction}`),
);

const offsets = fc.constantFrom('', '', '', '+05', 'Z', '-03:30', ' +00:00', ' Europe/Berlin');

const clocks = fc
  .tuple(twoDigits(24), twoDigits(59), fc.option(twoDigits(60)), fractions)
  .map(([hour, minute, second, fraction]) =>
    second === null ? `${hour}:${minute}` : `${hour}:${minute}:${second}${fraction}`,
  );

const times = fc.oneof(
  fc.tuple(clocks, offsets).map((parts) => parts.join('')),
  fc.constantFrom('24:00:00', '-01:00:00', '100:00:00', '1112', '3:04 PM', '04:05:06 AM', '0:0:0'),
);

const timestamps = fc.oneof(
  fc.tuple(dates, fc.constantFrom(' ', 'T', '  '), clocks, offsets).map((parts) => parts.join('')),
  dates,
  fc.constantFrom(
    ...['20200102', '20200102030405', '2020-01-02T03', 'infinity', 'epoch', 'now', '2020-1-2'],
    ...['01/02/2020', 'Jan 2 2020', '0000-00-00', '0000-00-00 00:00:00', '2020-01-00'],
    ...['2020-01-02 00:00:00.0', '2020-01-02+05', '2020-01-02 03:04 BC', '99-01-02'],
  ),
);

const characters = fc.constantFrom('a', 'B', ' ', 'é', '😀', '0', 'e\u0301');

const words = fc.oneof(
  fc.array(characters, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.constantFrom('abc', 'abcd', 'abc   ', '   ', ''),
);

const others = fc.constantFrom(
  ...['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ...['{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', 'a0eebc999c0b4ef8bb6d6bb9bd380a11', 'a0eebc99'],
  ...[
    '1 day',
    '1 day 2.6 seconds',
    'P1Y2M3DT4H',
    '04:05:06.789',
    '{"a": 1, "b": [2]}',
    '{"a": 1',
    '"x"',
  ],
  ...['t', 'yes', 'off', 'TRUE', '2', 'x', 'y', 'X', '101', '1', '1010'],
  ...[
    '{1,2}',
    '{1.5}',
    '{abc,d}',
    '{abcd}',
    '{"2020-01-01 00:00:00.6"}',
    '{2020-01-01}',
    '10.0.0.1',
    '10.1.2.3/8',
  ],
);

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Literals by the kind of the column for which most of them are. */
export const literalsOf = {
  number: fc.oneof(numbers, numberTexts.map(quoted)),
  date: fc.oneof(dates, timestamps).map(quoted),
  time: fc.oneof({ weight: 4, arbitrary: times }, { weight: 1, arbitrary: timestamps }).map(quoted),
  timestamp: timestamps.map(quoted),
  text: fc.oneof({ weight: 4, arbitrary: words.map(quoted) }, { weight: 1, arbitrary: numbers }),
  other: others.map(quoted),
  boolean: fc.oneof(
    fc.constantFrom('TRUE', 'FALSE', '0', '1', '2', '-1', '300', '1.5'),
    others.map(quoted),
  ),
  bits: fc.constantFrom(
    "b'101'",
    "B'1'",
    "b'1010'",
    "'101'",
    "'1'",
    '5',
    '1',
    '0',
    '9',
    "X'05'",
    "'\x05'",
    "''",
    "b''",
    '0x01',
  ),
  binary: fc.constantFrom("X'01'", "X'010203'", "X'01020304'", "X''", "'ab'"),
} as const;

export type LiteralKind = keyof typeof literalsOf;
