/** Rows whose column that the database numbers is empty, among rows that have numbers. */
import { expect, test } from 'vitest';
import { buildWorkbook } from '../../formats/build-workbook.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { storedRows } from './loading.ts';
import { bigint, columnOf, foreignKeyTo, int, name, optional, tableWithId } from './tables.ts';
import type { ImportFileOptions } from '../importing.ts';

type ImportedFile = Parameters<typeof importFile>[1];

const csv = 'id,a\n,first\n1,x\n5,z\n,last\n';
const json = [
  { id: null, a: 'first' },
  { id: 1, a: 'x' },
  { id: 5, a: 'z' },
  { id: null, a: 'last' },
];
const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const sheet = [['id', 'a'], ...json.map(({ id, a }) => [id === null ? '' : String(id), a])]
  .map(
    ([id = '', a = ''], i) => `<row r="${i + 1}">${id === '' ? '<c/>' : cell(id)}${cell(a)}</row>`,
  )
  .join('');

const files = async (): Promise<readonly ImportedFile[]> => [
  ['file.csv', csv],
  ['file.json', JSON.stringify(json)],
  ['file.ndjson', json.map((row) => JSON.stringify(row)).join('\n')],
  ['file.xlsx', await buildWorkbook({ sheets: { one: sheet } })],
];

const warning =
  'The database numbers 2 rows of table "notes", for which the file has no value of column "id".';

describeOnEachDatabase('rows without a number', (harness) => {
  const send = (file: ImportedFile, options: ImportFileOptions): ReturnType<typeof importFile> =>
    importFile(harness.database.url, file, options);
  const makeNotes = (): Promise<void> =>
    harness.createTables([tableWithId('notes', [columnOf('a', name), optional('boss', int)])]);

  test('get one that no row of the file has', async () => {
    for (const file of await files()) {
      await makeNotes();
      const response = await send(file, { table: 'notes' });
      expect(response).toMatchObject({ rows_imported: 4, warnings: [warning] });
      const rows = (await storedRows(harness, 'notes')) as readonly { id: number; a: string }[];
      expect(rows.filter(({ id }) => id <= 5).map(({ a }) => a)).toEqual(['x', 'z']);
      expect(rows.filter(({ id }) => id > 5).map(({ a }) => a)).toEqual(['first', 'last']);
      await send(['file.csv', 'a\nafter\n'], { table: 'notes' });
      expect((await storedRows(harness, 'notes')).at(-1)).toMatchObject({ a: 'after' });
      await harness.dropTables(['notes']);
    }
  });

  test('are new rows, where existing ones are updated or skipped', async () => {
    await makeNotes();
    await send(['file.csv', 'id,a\n1,old\n6,other\n'], { table: 'notes' });
    const updated = await send(['f.csv', csv], {
      table: 'notes',
      on_conflict: 'update',
    });
    expect(updated).toMatchObject({
      tables: { notes: { rows_imported: 3, rows_updated: 1, rows_skipped: 0 } },
      warnings: [warning],
    });
    const texts = async (): Promise<unknown> =>
      (await storedRows(harness, 'notes')).map(({ a }) => a);
    expect(await texts()).toEqual(['x', 'z', 'other', 'first', 'last']);
    const skipped = await send(['f.csv', csv], { table: 'notes', on_conflict: 'skip' });
    expect(skipped).toMatchObject({
      tables: { notes: { rows_imported: 2, rows_updated: 0, rows_skipped: 2 } },
    });
    expect(await texts()).toEqual(['x', 'z', 'other', 'first', 'last', 'first', 'last']);
    await harness.dropTables(['notes']);
  });

  test('are found in a dry run, which changes nothing', async () => {
    await makeNotes();
    const response = await send(['f.csv', csv], { table: 'notes', dry_run: true });
    expect(response).toMatchObject({ rows_imported: 4, warnings: [warning] });
    expect(await storedRows(harness, 'notes')).toEqual([]);
    const { warnings } = await send(['f.csv', csv], { table: 'notes' });
    expect(warnings).toEqual([warning]);
  });

  test('reference rows of the file, and are rejected with their line', async () => {
    const boss = columnOf('boss', bigint, { nullable: true });
    await harness.createTables([
      tableWithId('staff', [columnOf('a', name), boss], {
        foreignKeys: [foreignKeyTo('staff', ['boss'])],
      }),
    ]);
    await send(['f.csv', 'id,a,boss\n,second,7\n7,first,\n'], { table: 'staff' });
    expect(await storedRows(harness, 'staff')).toMatchObject([
      { id: 7, a: 'first', boss: null },
      { a: 'second', boss: 7 },
    ]);
    const failure = await failureOf(
      send(['f.csv', 'id,a,boss\n,third,99\n20,fourth,\n'], { table: 'staff' }),
    );
    expect(failure.errors).toMatchObject([{ code: 'foreign_key_violation', row: 1, line: 2 }]);
  });
});
