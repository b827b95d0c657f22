/** Every kind of value in one table, and empty copies of a structure to import into. */
import { createSchema } from '../../../src/sql/create-schema.ts';
import { schemaOf } from '../../sql/neutral-schema.ts';
import { bigint, jsonOf, name, tableWithId, optional } from './tables.ts';
import type { Table } from '../../../src/model/schema.ts';
import type { KitDatabase, DatabaseUnderTest } from './database-under-test.ts';

/** Has a column for each kind. */
export const everyKind = (shortText: string): Table =>
  tableWithId('every_kind', [
    optional('flag', { kind: 'boolean' }),
    optional('whole', bigint),
    optional('cents', { kind: 'decimal', precision: 12, scale: 2 }),
    optional('real_number', { kind: 'float', bits: 64 }),
    optional('words', { kind: 'text' }),
    optional(shortText, name),
    optional('day', { kind: 'date' }),
    optional('clock', { kind: 'time', precision: 6 }),
    optional('moment', { kind: 'timestamp', precision: 6 }),
    optional('zoned', { kind: 'timestamp', precision: 6, zone: true }),
    optional('bytes', { kind: 'binary' }),
    optional('json_value', { kind: 'json' }),
  ]);

const texts = [
  ' ',
  'NULL',
  '\\N',
  '\\.',
  "O'Brien",
  '"quoted", and; more',
  'one\ntwo\r\nthree\rfour',
  '\n',
  '=1+1',
  "'=1+1",
  "''@x",
  '+1',
  '-1',
  '\t=x',
  '\r=x',
  "'plain",
  "'",
  'back\\slash \\n \\',
  '$1 :x ? ${y} %s /* -- */ ;',
  'a\nGO\nb',
  "x'; DROP TABLE every_kind; --",
  '<b>&amp;</b> _x0041_ _x005F_',
  '\u0001\u001b\u007f\u0085\u2028\ufeff',
  '😀 العربية 日本 e\u0301',
  '  spaces  ',
  'äöü'.repeat(5000),
];

/** A row for each value that a writer or reader could get wrong. */
export const rowsOfEveryKind = (
  underTest: DatabaseUnderTest,
  shortText: string,
): readonly string[] => [
  '{"flag":null}',
  '{"flag":true,"whole":9007199254740993,"cents":-0.5,"real_number":0.1}',
  '{"flag":false,"whole":-9223372036854775808,"cents":1234567890.12,"real_number":1.7976931348623157e308}',
  '{"whole":9007199254740992,"cents":10.5,"real_number":5e-324}',
  '{"day":"2024-02-29","clock":"23:59:59.999999","moment":"2026-01-31T13:05:00.123456","zoned":"2026-01-31T13:05:00.12Z"}',
  '{"bytes":{"$base64":""}}',
  `{"bytes":{"$base64":"${Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('base64')}"}}`,
  `{"json_value":${jsonOf('{"a":[1,10.50,null,"x\\"y\\\\z"],"big":9007199254740993}', underTest)}}`,
  `{"json_value":${jsonOf('[]', underTest)}}`,
  ...texts.map((text) => JSON.stringify({ words: text })),
  ...texts
    .filter((text) => text.length <= 100)
    .map((text) => JSON.stringify({ [shortText]: text })),
];

/** Runs the work on an empty database of the same structure. */
export async function onCopy(
  underTest: DatabaseUnderTest,
  tables: readonly Table[],
  work: (copy: KitDatabase) => Promise<void>,
): Promise<void> {
  const copy = await underTest.makeDatabase();
  try {
    const { statements } = createSchema(schemaOf(tables), underTest.dialect.ddl, { native: false });
    await copy.run(statements.join(';\n'));
    await work(copy);
  } finally {
    await copy.drop();
  }
}
