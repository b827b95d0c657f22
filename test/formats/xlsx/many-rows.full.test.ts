import { expect, test } from 'vitest';
import { writeXlsxTables } from '../../../src/formats/xlsx/write-rows.ts';
import { unzip } from '../read-zip.ts';
import { bytesOf, int, nullable, rowsOf, tablesOf } from '../writing.ts';

test('a table with more rows than a sheet can have continues in a second sheet', async () => {
  const rows = Array.from({ length: 1_048_577 }, (_, i) => [i]);
  const table = rowsOf('many', [nullable('id', int)], rows, 1000);
  const files = await unzip(await bytesOf(writeXlsxTables(tablesOf(table), 'guarded')));
  const textOf = (name: string): string =>
    files.find((file) => file.name === name)?.bytes.toString() ?? '';
  expect(textOf('xl/workbook.xml')).toMatch(/name="many" .*name="many \(2\)"/);
  expect(textOf('xl/worksheets/sheet1.xml')).toContain(
    '<row r="1048576"><c r="A1048576"><v>1048574</v></c></row></sheetData>',
  );
  expect(textOf('xl/worksheets/sheet2.xml')).toContain(
    '<row r="2"><c r="A2"><v>1048575</v></c></row><row r="3"><c r="A3"><v>1048576</v></c></row>',
  );
});
