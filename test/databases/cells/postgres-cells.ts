import * as fc from 'fast-check';
import { isOldestPostgres } from '../../servers/oldest-postgres.ts';
import { bytes, decimals, documents, doubles, hexOf, texts, wholeNumbers } from './texts.ts';
import { documentAfter } from './native-cells.ts';
import type { CellType, NativeCells } from './native-cells.ts';
import type { Literals } from './texts.ts';

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const quoted = (values: fc.Arbitrary<string>): Literals => values.map(quote);
const of = (...values: readonly string[]): Literals => fc.constantFrom(...values.map(quote));

const anyText = (maxLength?: number): Literals =>
  texts(maxLength).map((text) => `convert_from('\\x${hexOf(text.replaceAll('\0', ''))}', 'UTF8')`);

const numerics: Literals = fc.oneof(
  quoted(decimals),
  of('NaN', 'Infinity', '-Infinity', `1${'0'.repeat(400)}.${'0'.repeat(300)}1`),
);
const floats: Literals = fc.oneof(quoted(doubles), of('NaN', 'Infinity', '-Infinity', '-0'));
const dates = of('2024-02-29', '0044-03-15 BC', 'infinity', '-infinity', '5874897-12-31', '4713-01-01 BC', '0001-01-01', '9999-12-31', '10000-01-01', '1582-10-10'); // prettier-ignore
const timestamps = of('2026-01-31 13:05:00.123456', '2026-01-31 00:00:00', '0001-01-01 00:00:00', '0044-03-15 10:11:12.5 BC', 'infinity', '-infinity', '294276-12-31 23:59:59.999999', '10000-01-01 00:00:00', '1969-12-31 23:59:59.9', '1883-11-18 12:00:00'); // prettier-ignore
// Rounding the greatest timestamp would give one that PostgreSQL does not accept.
const timesOfSeconds = of(
  '2026-01-31 13:05:00.6',
  '0044-03-15 10:11:12 BC',
  'infinity',
  '10000-01-01 00:00:00',
);
const zonedOfMillis = of(
  '2026-01-31 13:05:00.123456+02',
  '0044-03-15 10:11:12.5+00 BC',
  '-infinity',
);
const times = of('00:00:00', '24:00:00', '23:59:59.999999', '13:05:00.5', '00:00:00.000001');
const zonedTimes = of('13:05:00.25+05:30', '00:00:00Z', '24:00:00-15:59', '01:02:03+15:59:59', '12:00:00-00:30'); // prettier-ignore
const zoned = of('2026-01-31 13:05:00.123456+02', '0001-01-01 00:00:00+00', '0044-03-15 10:11:12.5+00 BC', 'infinity', '-infinity', '294276-12-31 23:59:59.999999+00', '1800-01-01 00:00:00+00:53:28', '9999-12-31 23:59:59.999999+00'); // prettier-ignore
const intervals = of('1 year 2 mons -3 days 04:05:06.789', '-00:00:01', '178000000 years', '00:00:00', '-1 day +00:00:00.000001', '2562047788:00:54.775807', '1 mon -1 day'); // prettier-ignore
const json = quoted(documents);
const points = of('(1.5,-2)', '(0,-0)', '(NaN,Infinity)', '(1e300,5e-324)');
const hstores = fc
  .array(fc.tuple(anyText(20), fc.option(anyText(20), { nil: 'NULL' })), { maxLength: 3 })
  .map((pairs) => pairs.map(([key, value]) => `hstore(${key}, ${value})`).join(' || ') || "''");
const ranges = (type: string, bounds: Literals): Literals =>
  fc.oneof(
    of('empty', '(,)'),
    fc
      .tuple(bounds, bounds, fc.constantFrom('[)', '[]', '()', '(]'))
      .map(([a, b, ends]) => `${type}(least(${a}::${subtypes[type]}, ${b}::${subtypes[type]}), greatest(${a}::${subtypes[type]}, ${b}::${subtypes[type]}), '${ends}')`),
    bounds.map((bound) => `${type}(NULL, ${bound})`),
  ); // prettier-ignore

const subtypes: Readonly<Record<string, string>> = {
  int4range: 'int4',
  int8range: 'int8',
  numrange: 'numeric',
  tsrange: 'timestamp',
  tstzrange: 'timestamptz',
  daterange: 'date',
  textrange: 'text',
};

const scalarTypes: readonly CellType[] = [
  { type: 'smallint', values: wholeNumbers() },
  { type: 'integer', values: wholeNumbers() },
  { type: 'bigint', values: wholeNumbers() },
  { type: 'oid', values: quoted(wholeNumbers()) },
  { type: 'xid8', values: quoted(wholeNumbers()) },
  { type: 'numeric', values: numerics },
  { type: 'numeric(38,10)', values: numerics },
  ...(isOldestPostgres
    ? []
    : [
        { type: 'numeric(5,-2)', values: numerics },
        { type: 'numeric(3,5)', values: of('0.00999', '-0.00001', 'NaN', '0') },
      ]),
  { type: 'real', values: floats },
  { type: 'double precision', values: floats },
  { type: 'boolean', values: fc.constantFrom('true', 'false') },
  { type: 'money', values: of('-1234.56', '0', '92233720368547758.07', '-92233720368547758.08') },
  { type: 'text', values: anyText() },
  { type: 'text', values: anyText(40_000) },
  { type: 'character varying', values: anyText() },
  { type: 'character varying(30)', values: anyText(30) },
  { type: 'character(8)', values: anyText(8) },
  { type: 'character', values: anyText(1) },
  { type: '"char"', values: of('', 'a', '\\', "'", '\\377', '\n') },
  { type: 'name', values: anyText(15) },
  { type: 'citext', values: anyText() },
  { type: 'date', values: dates },
  { type: 'time', values: times },
  { type: 'time(3)', values: times },
  { type: 'timetz', values: zonedTimes },
  { type: 'timetz(0)', values: zonedTimes },
  { type: 'timestamp', values: timestamps },
  { type: 'timestamp(0)', values: timesOfSeconds },
  { type: 'timestamptz', values: zoned },
  { type: 'timestamptz(3)', values: zonedOfMillis },
  { type: 'interval', values: intervals },
  { type: 'interval year to month', values: intervals },
  { type: 'interval(2)', values: intervals },
  { type: 'uuid', values: of('00112233-4455-6677-8899-aabbccddeeff', '00000000-0000-0000-0000-000000000000') },
  { type: 'json', values: json },
  { type: 'json', values: of('"\\u0000"', '"\\ud800"', '{"\\ud800":1,"\\u0000":[]}', ' null ', '\n{"$json":\n{"$json":1}}') },
  { type: 'jsonb', values: json },
  { type: 'bytea', values: bytes(60).map((hex) => `'\\x${hex}'`) },
  { type: 'bit(7)', values: fc.constantFrom("B'0000000'", "B'1010101'") },
  { type: 'bit(1)', values: fc.constantFrom("B'0'", "B'1'") },
  { type: 'bit varying', values: fc.constantFrom("B''", "B'0'", "B'01'", `B'${'10'.repeat(70)}'`) },
  { type: 'inet', values: of('10.0.0.1/8', '::1', '192.168.0.1', '::ffff:1.2.3.4/96') },
  { type: 'cidr', values: of('10.0.0.0/8', '::1/128', '0.0.0.0/0') },
  { type: 'macaddr', values: of('08:00:2b:01:02:03') },
  { type: 'macaddr8', values: of('08:00:2b:01:02:03:04:05') },
  { type: 'point', values: points },
  { type: 'line', values: of('{1,2.5,-3}', '{0,1,0}') },
  { type: 'lseg', values: of('[(1,2),(3,4)]') },
  { type: 'box', values: of('(3,4),(1,2)', '(0.1,1e300),(-0,5e-324)') },
  { type: 'path', values: of('[(1,2),(3,4)]', '((1,2),(3,4))') },
  { type: 'polygon', values: of('((1,2),(3,4),(5,6))') },
  { type: 'circle', values: of('<(1,2),3>') },
  { type: 'int4range', values: ranges('int4range', fc.constantFrom('1', '5', '-7')) },
  { type: 'int8range', values: ranges('int8range', fc.constantFrom('1', '9007199254740993')) },
  { type: 'numrange', values: ranges('numrange', fc.constantFrom('1.50', '-2', '9007199254740993.1')) },
  { type: 'tsrange', values: ranges('tsrange', timestamps) },
  { type: 'tstzrange', values: ranges('tstzrange', zoned) },
  { type: 'daterange', values: ranges('daterange', dates) },
  { type: 'textrange', values: ranges('textrange', anyText(20)) },
  { type: 'int4multirange', values: of('{}', '{[1,3),[5,9)}') },
  { type: 'tsvector', values: of('a:1 b:2', "'it''s' 'a\\\\b':3A", '', "' ' ','") },
  { type: 'tsquery', values: of("a & !b | (c <-> 'd e')", "'\\\\':*AB", '') },
  { type: 'xml', values: of('<a>&amp;</a>', '', 'text', '<!-- c --><a b="1"/>', '<?xml version="1.0"?><a>é</a>', '\n<a>\r\n</a>') },
  { type: 'jsonpath', values: of('$.a[*] ? (@ > 1)', 'strict $."it\'s"') },
  { type: 'pg_lsn', values: of('16/B374D848', '0/0') },
  { type: 'mood', values: of('sad', "it's ok", 'a,b', '', ' NULL', '\\') },
  { type: 'pair', values: fc.oneof(of('(,)', '(1,"x,y")', '(1,"a""b\\\\c")', '("",)'), anyText(20).map((text) => `ROW(1, ${text})::pair`)) },
  { type: 'short_text', values: anyText(10) },
  { type: 'positive', values: wholeNumbers() },
  { type: 'document', values: json },
  { type: 'list', values: of('{}', '{1,NULL,3}') },
  { type: 'hstore', values: hstores },
  { type: 'ltree', values: of('Top.Science', '') },
  { type: 'cube', values: of('(1,2),(3,4)', '0.1') },
  { type: 'seg', values: of('1.5 .. 2.50', '<1', '5(+-)0.3') },
  { type: 'isbn', values: of('978-0-11-000533-4') },
  { type: 'regtype', values: of('integer', 'text[]') },
  { type: 'oidvector', values: of('1 2 3', '') },
  { type: 'int2vector', values: of('1 2', '') },
]; // prettier-ignore

/** Arrays of all these types: plain, empty, nested, with NULLs, with explicit bounds. */
function arrayOf({ type, values }: CellType): CellType {
  const item = fc.oneof({ weight: 5, arbitrary: values }, { weight: 1, arbitrary: fc.constant('NULL') }); // prettier-ignore
  const plain = fc
    .array(item, { minLength: 1, maxLength: 3 })
    .map((items) => `ARRAY[${items.join(', ')}]::${type}[]`);
  const shapes = fc.oneof(
    { weight: 6, arbitrary: plain },
    { weight: 1, arbitrary: fc.constant(`'{}'::${type}[]`) },
    { weight: 1, arbitrary: plain.map((array) => `ARRAY[${array}, ${array}]`) },
    { weight: 1, arbitrary: values.map((value) => `array_fill(${value}::${type}, ARRAY[2], ARRAY[-1])`) },
  ); // prettier-ignore
  return { type: `${type}[]`, values: shapes };
}

/** The end of an array item is hard to find in the text, so quotes and spaces within items are removed too. */
const withoutAnyBlanks = (text: string): string => text.replaceAll(/[ \t\r\n"]/g, '');

const withoutArray = new Set(['list', 'oidvector', 'int2vector']);

export const postgresCells: NativeCells = {
  setUp: `
    CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION ltree; CREATE EXTENSION cube; CREATE EXTENSION seg; CREATE EXTENSION isn;
    CREATE TYPE mood AS ENUM ('sad', 'it''s ok', 'a,b', '', ' NULL', '\\');
    CREATE TYPE pair AS (a int, b text);
    CREATE TYPE textrange AS RANGE (subtype = text);
    CREATE DOMAIN short_text AS varchar(10);
    CREATE DOMAIN positive AS bigint CHECK (VALUE > 0);
    CREATE DOMAIN document AS jsonb;
    CREATE DOMAIN list AS int[];`,
  types: [
    ...scalarTypes,
    ...scalarTypes.filter(({ type }) => !withoutArray.has(type)).map(arrayOf),
  ],
  show: (name) => `${name}::text`,
  create: (table, columns) =>
    `CREATE TABLE ${table} (id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, ${columns.join(', ')})`,
  set: ({ table, id, name, literal }) =>
    `DO $cell_of_test$ BEGIN UPDATE ${table} SET ${name} = ${literal} WHERE id = ${id}; EXCEPTION WHEN OTHERS THEN NULL; END $cell_of_test$`,
  isLost: (losses, { type, before, after }) => {
    if (before === '' && after === null) return losses.has('empty_text');
    if (type === 'json') return documentAfter(losses, before) === after;
    const losesBlanks = losses.has('json_blanks') || losses.has('array_blanks');
    return type === 'json[]' && losesBlanks && withoutAnyBlanks(before) === withoutAnyBlanks(after ?? '');
  }, // prettier-ignore
};
