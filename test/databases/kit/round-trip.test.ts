/** Export, import into an empty database, export again: the same bytes. */
import { describe, expect, test } from 'vitest';
import { createSchema } from '../../../src/sql/create-schema.ts';
import { schemaOf } from '../../sql/neutral-schema.ts';
import { unzip } from '../../formats/read-zip.ts';
import { exportAll, exportOne } from '../exporting.ts';
import { importFile } from '../importing.ts';
import { overDatabases } from './bench.ts';
import {
  bigint,
  columnOf,
  int,
  jsonOf,
  keyTo,
  name,
  numbered,
  optional,
  tableOf,
} from './tables.ts';
import type { Table } from '../../../src/model/schema.ts';
import type { Bench } from './bench.ts';
import type { NativeDatabase, Subject } from './subject.ts';

const everything = numbered('every_kind', [
  optional('flag', { kind: 'boolean' }),
  optional('whole', bigint),
  optional('cents', { kind: 'decimal', precision: 12, scale: 2 }),
  optional('real_number', { kind: 'float', bits: 64 }),
  optional('words', { kind: 'text' }),
  optional('=Odd, "name"', name),
  optional('day', { kind: 'date' }),
  optional('clock', { kind: 'time', precision: 6 }),
  optional('moment', { kind: 'timestamp', precision: 6 }),
  optional('zoned', { kind: 'timestamp', precision: 6, zone: true }),
  optional('bytes', { kind: 'binary' }),
  optional('json_value', { kind: 'json' }),
]);

/** Points at itself and comes before what it points at. */
const tree = tableOf(
  'Tree',
  [columnOf('id', bigint), optional('parent', bigint), optional('t', name)],
  {
    primaryKey: { columns: ['id'] },
    foreignKeys: [keyTo('Tree', ['parent'])],
  },
);

const pairs = tableOf(
  'pairs',
  [columnOf('a', int), columnOf('b', name), optional('tree_id', bigint)],
  {
    primaryKey: { columns: ['a', 'b'] },
    foreignKeys: [keyTo('Tree', ['tree_id'])],
  },
);

const tables: readonly Table[] = [everything, tree, pairs];

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

const rowsFor = (subject: Subject): readonly string[] => [
  '{"flag":null}',
  '{"flag":true,"whole":9007199254740993,"cents":-0.5,"real_number":0.1}',
  '{"flag":false,"whole":-9223372036854775808,"cents":1234567890.12,"real_number":1.7976931348623157e308}',
  '{"whole":9007199254740992,"cents":10.5,"real_number":5e-324}',
  '{"whole":0,"cents":0,"real_number":-0}',
  '{"day":"2024-02-29","clock":"23:59:59.999999","moment":"2026-01-31T13:05:00.123456","zoned":"2026-01-31T13:05:00.120000Z"}',
  '{"bytes":{"$base64":""}}',
  `{"bytes":{"$base64":"${Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('base64')}"}}`,
  `{"json_value":${jsonOf('{"a":[1,10.50,null,"x\\"y\\\\z"],"big":9007199254740993}', subject)}}`,
  `{"json_value":${jsonOf('[]', subject)}}`,
  `{"json_value":${jsonOf('{"$json":null}', subject)}}`,
  ...texts.map((text) => JSON.stringify({ words: text })),
  ...texts
    .filter((text) => text.length <= 100)
    .map((text) => JSON.stringify({ '=Odd, "name"': text })),
];

overDatabases('round trip', (bench) => {
  bench.before(async () => {
    await bench.make(tables);
    for (const row of rowsFor(bench.subject)) await bench.create('every_kind', row);
    await bench.fill('Tree', [
      { id: 5, parent: null, t: 'root' },
      { id: 7, parent: 5, t: null },
    ]);
    await bench.create('Tree', { id: 1, parent: 7, t: 'points ahead' });
    await bench.create('pairs', { a: 1, b: 'x,y', tree_id: 7 });
    await bench.create('pairs', { a: 1, b: 'X', tree_id: null });
  });

  describe.each(['json', 'ndjson', 'sql', 'csv'] as const)('as %s', (format) => {
    test('all tables come back to the byte', async () => {
      const first = await exportAll(bench.native.url, { format });
      await onCopy(bench, async (copy) => {
        const answer = await importFile(copy.url, [first.head.fileName, first.bytes]);
        expect(answer.rows_imported).toBe(first.rows);
        const again = await exportAll(copy.url, { format });
        if (format !== 'csv') expect(again.text).toBe(first.text);
        else expect(await unzipped(again.bytes)).toEqual(await unzipped(first.bytes));
        expect(again.bytes.equals(first.bytes)).toBe(true);
        const whole = await exportAll(bench.native.url, { format: 'json' });
        expect((await exportAll(copy.url, { format: 'json' })).text).toBe(whole.text);
      });
    });
  });

  test('as xlsx, a table comes back but for the empty text', async () => {
    await onCopy(bench, async (copy) => {
      for (const table of ['Tree', 'every_kind', 'pairs']) {
        const { bytes } = await exportOne(bench.native.url, { table, format: 'xlsx' });
        await importFile(copy.url, [`${table}.xlsx`, bytes], { table });
        const json = await exportOne(bench.native.url, { table });
        expect((await exportOne(copy.url, { table })).text).toBe(json.text);
      }
    });
  });

  test.each(['json', 'ndjson', 'sql', 'csv'] as const)(
    'a table comes back as %s',
    async (format) => {
      await onCopy(bench, async (copy) => {
        const first = await exportOne(bench.native.url, { table: 'every_kind', format });
        await importFile(copy.url, [first.head.fileName, first.bytes], { table: 'every_kind' });
        const again = await exportOne(copy.url, { table: 'every_kind', format });
        expect(again.text).toBe(first.text);
      });
    },
  );
});

async function unzipped(bytes: Buffer): Promise<readonly string[]> {
  return (await unzip(bytes)).map((file) => `${file.name}\n${file.bytes.toString()}`);
}

/** An empty database of the same structure. */
async function onCopy(
  { subject }: Bench,
  work: (copy: NativeDatabase) => Promise<void>,
): Promise<void> {
  const copy = await subject.makeDatabase();
  try {
    const { statements } = createSchema(schemaOf(tables), subject.dialect.ddl, { native: false });
    await copy.run(statements.join(';\n'));
    await work(copy);
  } finally {
    await copy.drop();
  }
}
