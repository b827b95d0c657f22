/** Valid and invalid literals and expressions of the dialects that an available server can evaluate. */
import * as fc from 'fast-check';

const characters = fc.constantFrom(
  'a', '\\', "'", "''", '\\\\', "\\'", 'n', 't', '0', '%', '_', 'Z', 'x41', '101', 'u00e9', '\n', ' ', '"', 'é', '😀', '/*', '--', ';', '#', '$',
); // prettier-ignore

/** The content of quotes, which often closes them too early or not at all. */
const quoted = fc.array(characters, { maxLength: 6 }).map((parts) => parts.join(''));

const prefixes = ['', '', '', '', 'E', 'N', 'U&', 'X', 'B', '_utf8mb4', '_binary ', '_latin1'];

export const strings: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...prefixes), quoted).map(([prefix, text]) => `${prefix}'${text}'`) },
  { weight: 2, arbitrary: quoted.map((text) => `"${text}"`) },
  { weight: 1, arbitrary: quoted.map((text) => `$$${text}$$`) },
  { weight: 1, arbitrary: fc.constantFrom("X'00ff'", "x'4'", "b'101'", "'a' 'b'", "'a'\n'b'", "'a' || 'b'", "E'a' 'b'", "'a' + 'b'", '`a`', '[a]') },
); // prettier-ignore

const literals = fc.constantFrom(
  "'abc'", "'it''s'", "''", "'1'", "'-7'", "'1.9'", "'2020-01-02'", "'2020-02-31'", "'2020-01-02 10:11:12'", "'10:11:12'", "'25:00:00'",
  "'00FF'", "'0g'", "'abc='", "'YWJj'", "'{\"a\": 1 ,\"b\":[ 1.50 ]}'", "'\\u0041'", "'\\0041\\\\'", "'hex'", "'base64'", "'é'",
  '0', '1', '7', '-3', '65', '233', '256', '1.9', '1.50', '1e3', '0x41', '0xFFFF', '1_000', 'NULL', 'TRUE', "X'4142'", "X'e9'",
  '55357', '99999999999', "'+1 month'", "'-1 day'", "'utc'", '.5', '5.', '0x', "'9223372036854775808'",
); // prettier-ignore

const functions = [
  'datetime', 'date', 'time', 'concat', 'replace', 'char', 'chr', 'unistr', 'unhex', 'hex', 'decode', 'from_base64', 'zeroblob', 'json', 'nchar', 'abs', 'upper', 'length',
]; // prettier-ignore

const types = [
  'INTEGER', 'BIGINT', 'SMALLINT', 'SIGNED', 'UNSIGNED', 'TEXT', 'CHAR', 'CHAR(2)', 'VARCHAR(2)', 'VARCHAR(20)', 'character varying(3)', 'BINARY', 'BINARY(3)', 'BLOB', 'bytea', 'REAL', 'NUMERIC', 'DECIMAL(5,1)', 'DATE', 'DATETIME', 'TIMESTAMP', 'TIME', 'boolean', 'double precision', 'json', 'uuid', 'DOUBLE', 'integer[]',
]; // prettier-ignore

export const expressions: fc.Arbitrary<string> = fc.letrec<{
  value: string;
  call: string;
  cast: string;
}>((tie) => ({
  value: fc.oneof({ maxDepth: 2, withCrossShrink: true }, literals, tie('call'), tie('cast')),
  call: fc
    .tuple(fc.constantFrom(...functions), fc.array(tie('value'), { maxLength: 3 }))
    .map(([name, args]) => `${name}(${args.join(', ')})`),
  cast: fc
    .tuple(
      fc.constantFrom('cast', 'colons', 'convert', 'joined'),
      tie('value'),
      fc.constantFrom(...types),
      tie('value'),
    )
    .map(([form, value, type, other]) => {
      if (form === 'cast') return `CAST(${value} AS ${type})`;
      if (form === 'colons') return `${value}::${type}`;
      return form === 'joined' ? `${value} || ${other}` : `CONVERT(${value}, ${type})`;
    }),
})).value;

/** Whether the expression has the current time, which differs between the import and the comparison. */
export function readsCurrentTime(expression: string): boolean {
  return /\b(?:date|time|datetime)\((?:\)|'now')/i.test(expression);
}

const digitGroups = fc.tuple(
  fc.constantFrom('2020-01-02', '1999-12-31', '2024-02-29', '2023-02-29', '0001-01-01', '9999-12-31', '20200102', ''),
  fc.constantFrom(' ', 'T', ''),
  fc.constantFrom('03:04:05', '23:59:59', '24:00:00', '00:00:00', '12:30', '30:00:00', ''),
  fc.constantFrom('', '.5', '.500', '.123', '.1234567', '.000000', '.999999'),
  fc.constantFrom('', '', '', 'Z', '+02:00', '-05:30', '+00', '+14:30'),
); // prettier-ignore

const times = digitGroups.map((parts) => `'${parts.join('')}'`);

const decimals = fc
  .tuple(
    fc.constantFrom('', '-', '-'),
    fc.constantFrom('0', '1', '007', '12', '99999', '1234567890123'),
    fc.constantFrom('', '.', '.0', '.5', '.50', '.125', '.999', '.123456789'),
  )
  .chain(([sign, whole, rest]) =>
    fc.constantFrom(`${sign}${whole}${rest}`, `'${sign}${whole}${rest}'`),
  );

const timeTypes = [
  'DATE', 'TIME', 'TIME(3)', 'TIME(0)', 'DATETIME', 'DATETIME(3)', 'DATETIME(6)', 'TIMESTAMP', 'TIMESTAMP(3)', 'timestamp without time zone', 'time without time zone',
]; // prettier-ignore

const decimalTypes = [
  'DECIMAL',
  'NUMERIC',
  'DECIMAL(5,1)',
  'DECIMAL(9, 3)',
  'numeric(4)',
  'DECIMAL(20,10)',
];

/** Casts of literals, most of which the type does not hold exactly. */
export const casts: fc.Arbitrary<string> = fc
  .oneof(
    fc.tuple(times, fc.constantFrom(...timeTypes)),
    fc.tuple(decimals, fc.constantFrom(...decimalTypes)),
  )
  .chain(([value, type]) =>
    fc.constantFrom(`CAST(${value} AS ${type})`, `${value}::${type}`, `CONVERT(${value}, ${type})`),
  );
