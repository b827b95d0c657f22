/** Export, import into an empty database, and export again: the bytes are the same. */
import { describe, expect, test } from 'vitest';
import { unzip } from '../../formats/read-zip.ts';
import { exportAll, exportOne } from '../exporting.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { everyKind, onCopy, rowsOfEveryKind } from './every-kind.ts';
import { bigint, jsonOf, columnOf, int, foreignKeyTo, name, optional, tableOf } from './tables.ts';
import type { Table } from '../../../src/model/schema.ts';

const shortText = '=Odd, "name"';
const everything = everyKind(shortText);

/** References itself, and comes before the table that it references. */
const tree = tableOf(
  'Tree',
  [columnOf('id', bigint), optional('parent', bigint), optional('t', name)],
  {
    primaryKey: { columns: ['id'] },
    foreignKeys: [foreignKeyTo('Tree', ['parent'])],
  },
);

const pairs = tableOf(
  'pairs',
  [columnOf('a', int), columnOf('b', name), optional('tree_id', bigint)],
  {
    primaryKey: { columns: ['a', 'b'] },
    foreignKeys: [foreignKeyTo('Tree', ['tree_id'])],
  },
);

const tables: readonly Table[] = [everything, tree, pairs];

describeOnEachDatabase('round trip', (harness) => {
  harness.beforeTests(async () => {
    await harness.createTables(tables);
    const rows = [
      ...rowsOfEveryKind(harness.underTest, shortText),
      '{"whole":0,"cents":0,"real_number":-0}',
      `{"json_value":${jsonOf('{"$json":null}', harness.underTest)}}`,
    ];
    for (const row of rows) await harness.create('every_kind', row);
    await harness.insertRows('Tree', [
      { id: 5, parent: null, t: 'root' },
      { id: 7, parent: 5, t: null },
    ]);
    await harness.create('Tree', { id: 1, parent: 7, t: 'points ahead' });
    await harness.create('pairs', { a: 1, b: 'x,y', tree_id: 7 });
    await harness.create('pairs', { a: 1, b: 'X', tree_id: null });
  });

  describe.each(['json', 'ndjson', 'sql', 'csv'] as const)('as %s', (format) => {
    test('all tables are the same, byte by byte', async () => {
      const first = await exportAll(harness.database.url, { format });
      await onCopy(harness.underTest, tables, async (copy) => {
        const response = await importFile(copy.url, [first.head.fileName, first.bytes]);
        expect(response.rows_imported).toBe(first.rows);
        const again = await exportAll(copy.url, { format });
        if (format !== 'csv') expect(again.text).toBe(first.text);
        else expect(await unzipped(again.bytes)).toEqual(await unzipped(first.bytes));
        expect(again.bytes.equals(first.bytes)).toBe(true);
        const originalExport = await exportAll(harness.database.url, { format: 'json' });
        expect((await exportAll(copy.url, { format: 'json' })).text).toBe(originalExport.text);
      });
    });
  });

  test('as xlsx, a table is the same except for the empty text', async () => {
    await onCopy(harness.underTest, tables, async (copy) => {
      for (const table of ['Tree', 'every_kind', 'pairs']) {
        const { bytes } = await exportOne(harness.database.url, { table, format: 'xlsx' });
        await importFile(copy.url, [`${table}.xlsx`, bytes], { table });
        const json = await exportOne(harness.database.url, { table });
        expect((await exportOne(copy.url, { table })).text).toBe(json.text);
      }
    });
  });

  test('as xlsx, a workbook of all tables names the table of each sheet', async () => {
    await onCopy(harness.underTest, tables, async (copy) => {
      const first = await exportAll(harness.database.url, { format: 'xlsx' });
      await importFile(copy.url, [first.head.fileName, first.bytes]);
      const originalExport = await exportAll(harness.database.url, { format: 'json' });
      expect((await exportAll(copy.url, { format: 'json' })).text).toBe(originalExport.text);
      const again = await exportAll(copy.url, { format: 'xlsx' });
      expect(again.bytes.equals(first.bytes)).toBe(true);
    });
  });

  test.each(['json', 'ndjson', 'sql', 'csv'] as const)(
    'a table is the same as %s',
    async (format) => {
      await onCopy(harness.underTest, tables, async (copy) => {
        const first = await exportOne(harness.database.url, { table: 'every_kind', format });
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
