/** Cells of workbooks without a name above them, without a value, or with more digits than a double. */
import { expect, test } from 'vitest';
import { buildWorkbook } from '../../formats/build-workbook.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { storedRows } from './loading.ts';
import { columnOf, int, name, optional, tableWithId } from './tables.ts';
import type { ImportDataResponse } from '../../../src/studio/import/report-import.ts';
import type { ImportFileOptions } from '../importing.ts';

type CellText = string | number | null;

/** A text that begins with `#` is an error. */
const cellOf = (cell: CellText): string => {
  if (cell === null) return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  return cell.startsWith('#')
    ? `<c t="e"><v>${cell}</v></c>`
    : `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
};

function sheetOf(rows: Readonly<Record<number, readonly CellText[]>>): string {
  return Object.entries(rows)
    .map(([number, cells]) => `<row r="${number}">${cells.map(cellOf).join('')}</row>`)
    .join('');
}

describeOnEachDatabase('cells of a workbook', (harness) => {
  const send = async (
    rows: Parameters<typeof sheetOf>[0],
    options: ImportFileOptions,
  ): Promise<ImportDataResponse> =>
    importFile(
      harness.database.url,
      ['file.xlsx', await buildWorkbook({ sheets: { one: sheetOf(rows) } })],
      options,
    );
  const newTable = (table: string): { readonly table: string; readonly create_table: true } => ({
    table,
    create_table: true,
  });
  const wide = { 1: ['id', 'a'], 2: [1, 'x'], 3: [2, 'y', null, 'z'], 4: [3, 'w', 'v'] };

  test('on the right of the header become columns of a new table, with a warning', async () => {
    const { warnings } = await send(wide, newTable('wide'));
    await harness.refresh();
    expect(await storedRows(harness, 'wide')).toEqual([
      { id: 1, a: 'x', column_3: null, column_4: null },
      { id: 2, a: 'y', column_3: null, column_4: 'z' },
      { id: 3, a: 'w', column_3: 'v', column_4: null },
    ]);
    expect(warnings).toEqual([
      'The names of the columns end in cell B1, and columns on the right have values, such as cell D3. They are named by their numbers.',
    ]);
  });

  test('below a title say how many rows to skip', async () => {
    const rows = { 1: ['Report'], 3: ['id', 'a'], 4: [1, 'x'] };
    const { warnings } = await send(rows, { ...newTable('report'), dry_run: true });
    expect(warnings.join()).toContain('If the sheet begins with a title, set skip_rows to 2.');
    expect((await send(rows, { ...newTable('report'), skip_rows: '2' })).warnings).toEqual([]);
    await harness.refresh();
    expect(await storedRows(harness, 'report')).toEqual([{ id: 1, a: 'x' }]);
  });

  test('on the right of the header are mapped, or left out', async () => {
    await harness.createTables([tableWithId('notes', [columnOf('a', name), optional('b', name)])]);
    const failure = await failureOf(send(wide, { table: 'notes' }));
    expect((failure.errors as readonly { readonly message: string }[])[0]?.message).toBe(
      'Cell D3 contains a value, but its column has no name in the header. Map "column 4" to a column of the table, or to null to skip it.',
    );
    await send(wide, { table: 'notes', mapping: '{"column 3":null,"column 4":"b"}' });
    expect(await storedRows(harness, 'notes')).toEqual([
      { id: 1, a: 'x', b: null },
      { id: 2, a: 'y', b: 'z' },
      { id: 3, a: 'w', b: null },
    ]);
  });

  test('with errors are NULL, counted and located, or rejected where there is no NULL', async () => {
    await harness.createTables([tableWithId('sums', [columnOf('a', name), optional('b', int)])]);
    const rows = { 1: ['id', 'a', 'b'], 2: [1, 'x', '#N/A'], 3: [2, 'y', 5], 4: [3, 'z', '#REF!'] };
    const { warnings } = await send(rows, { table: 'sums' });
    expect(warnings).toEqual([
      '2 cells of column "b" contain an error of the spreadsheet instead of a value, which is imported as NULL. The first: line 2: "#N/A", line 4: "#REF!".',
    ]);
    expect(await storedRows(harness, 'sums')).toEqual([
      { id: 1, a: 'x', b: null },
      { id: 2, a: 'y', b: 5 },
      { id: 3, a: 'z', b: null },
    ]);
    const failure = await failureOf(send({ 1: ['id', 'a'], 2: [7, '#VALUE!'] }, { table: 'sums' }));
    expect(failure.errors).toMatchObject([
      {
        message:
          'Cell B2: the cell contains the error #VALUE!, which means no value, and column "a" takes no NULL.',
        line: 2,
        column: 'a',
      },
    ]);
    expect((await send(rows, newTable('sums_made'))).warnings).toHaveLength(1);
    await harness.refresh();
    expect((await storedRows(harness, 'sums_made')).map(({ b }) => b)).toEqual([null, 5, null]);
  });

  test('without a name are not imported, with a warning, if their column is removed from the proposal', async () => {
    const proposal = await send(wide, { ...newTable('removed'), dry_run: true });
    const { tables } = proposal.schema as {
      tables: { name: string; columns: { name: string }[] }[];
    };
    for (const table of tables)
      table.columns = table.columns.filter((column) => column.name !== 'column_3');
    const { warnings } = await send(wide, {
      ...newTable('removed'),
      schema: JSON.stringify({ tables }),
    });
    expect(warnings).toContain(
      'Column 3 of "removed", which has values but no name, is not imported: the proposal has no column for it.',
    );
    await harness.refresh();
    expect(await storedRows(harness, 'removed')).toEqual([
      { id: 1, a: 'x', column_4: null },
      { id: 2, a: 'y', column_4: 'z' },
      { id: 3, a: 'w', column_4: null },
    ]);
  });

  test('with errors replace no value of an existing row', async () => {
    await harness.createTables([tableWithId('prices', [optional('b', int)])]);
    await send({ 1: ['id', 'b'], 2: [1, 5], 3: [2, 6] }, { table: 'prices' });
    const rows = { 1: ['id', 'b'], 2: [1, '#N/A'], 3: [2, 7], 4: [3, '#N/A'] };
    const { errors } = await send(rows, {
      table: 'prices',
      on_conflict: 'update',
      on_error: 'skip',
    });
    expect(
      errors?.map(({ line, column, message, value }) => [line, column, message, value]),
    ).toEqual(
      [2, 4].map((line) => [
        line,
        'b',
        `Cell B${line}: the cell contains the error #N/A, which would replace the value of an existing row with NULL.`,
        '#N/A',
      ]),
    );
    expect(await storedRows(harness, 'prices')).toEqual([
      { id: 1, b: 5 },
      { id: 2, b: 7 },
    ]);
  });

  test('with more columns than a table can have are one sentence', async () => {
    const header = Array.from({ length: 2001 }, (_, i) => `c${i}`).join();
    const values = Array.from({ length: 2001 }, () => '1').join();
    const failure = await failureOf(
      importFile(harness.database.url, ['file.csv', `${header}\n${values}\n`], newTable('many')),
    );
    expect(failure.message).toMatch(
      /^The table many would have 2001 columns; the database takes at most (?:1017|1600|2000|1024)\./,
    );
  });
});
