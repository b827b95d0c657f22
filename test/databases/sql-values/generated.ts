/** Literals and expressions, right and wrong ones, of the dialects that a server here can judge. */
import * as fc from 'fast-check';

const characters = fc.constantFrom(
  'a', '\\', "'", "''", '\\\\', "\\'", 'n', 't', '0', '%', '_', 'Z', 'x41', '101', 'u00e9', '\n', ' ', '"', 'é', '😀', '/*', '--', ';', '#', '$',
); // prettier-ignore

/** What stands between quotes; often it ends them too early, or never. */
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
    .map(([how, value, type, other]) => {
      if (how === 'cast') return `CAST(${value} AS ${type})`;
      if (how === 'colons') return `${value}::${type}`;
      return how === 'joined' ? `${value} || ${other}` : `CONVERT(${value}, ${type})`;
    }),
})).value;

/** The time of the import is no value to compare. */
export function isOfNow(expression: string): boolean {
  return /\b(?:date|time|datetime)\((?:\)|'now')/i.test(expression);
}
