import { distinctNames } from '../../../src/portable/files/distinct-names.ts';
import { displayText, hasValue, isDate } from '../../../src/portable/xlsx/cell-reader.ts';
import type { CellReaderOptions } from '../../../src/portable/xlsx/cell-reader.ts';
import { readDateStyles } from '../../../src/portable/xlsx/date-styles.ts';
import { readSheetRows } from '../../../src/portable/xlsx/read-sheet.ts';
import type { SharedText, SheetRow } from '../../../src/portable/xlsx/read-sheet.ts';
import {
  findSheet,
  isCompoundFile,
  protectedWorkbookError,
  readWorkbook,
} from '../../../src/portable/xlsx/read-workbook.ts';
import type { Sheet, WorkbookParts } from '../../../src/portable/xlsx/read-workbook.ts';
import { readSharedStrings } from '../../../src/portable/xlsx/shared-strings.ts';
import { allSheets, numberedColumns, rowsShown } from './file-preview.ts';
import type { FileHead, FilePreview, ReadOptions, TableHead } from './file-preview.ts';
import { openZip } from './open-zip.ts';

/** Previews a workbook: its sheets, and the first rows of one of them, read as the server reads them. */
export async function previewXlsx(
  file: File,
  { sheet: sheetName, hasHeader = true, skipRows = 0 }: ReadOptions,
): Promise<FilePreview> {
  const start = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  if (isCompoundFile(start)) throw protectedWorkbookError(file.name);
  const workbook = await readWorkbook(file.name, await openZip(file));
  const { styles: stylesPart, from1904, sheets } = workbook;
  const readerOptions = { styles: await readDateStyles(stylesPart), from1904 };
  const readHead = async (sheet: Sheet): Promise<FileHead> => {
    const rows = await readFirstRows(workbook, sheet, skipRows);
    return hasHeader ? headOf(rows, readerOptions) : headOfRows(rows, readerOptions);
  };
  const names = sheets.map(({ name }) => name);
  // An export of several tables names them.
  const isExport = sheets.filter(({ table }) => table !== undefined).length > 1;
  if (sheetName === allSheets || (sheetName === undefined && isExport))
    return { sheets: names, sheet: allSheets, tables: await readHeads(sheets, readHead) };
  const sheet = findSheet(sheets, sheetName);
  return { sheets: names, sheet: sheet.name, title: sheet.name, head: await readHead(sheet) };
}

/** The heads of the visible sheets, except empty ones. */
async function readHeads(
  sheets: readonly Sheet[],
  readHead: (sheet: Sheet) => Promise<FileHead>,
): Promise<readonly TableHead[]> {
  const heads: TableHead[] = [];
  for (const sheet of sheets.filter(({ isHidden }) => !isHidden)) {
    const head = await readHead(sheet);
    if (head.columns.length > 0)
      heads.push({ table: sheet.table ?? sheet.name, part: sheet.name, head });
  }
  return heads;
}

/** Reads the rows twice. The first pass finds out how many shared strings the second one needs. */
async function readFirstRows(
  { strings: stringsPart }: WorkbookParts,
  sheet: Sheet,
  skipRows: number,
): Promise<readonly SheetRow[]> {
  let stringCount = 0;
  const countStrings: SharedText = (index) => {
    stringCount = Math.max(stringCount, index + 1);
    return '';
  };
  await readHeaderAndRows(sheet, skipRows, countStrings);
  const strings = stringCount === 0 ? [] : await readSharedStrings(stringsPart, stringCount);
  return readHeaderAndRows(sheet, skipRows, (index) => strings[index]);
}

/** The rows that show the formats of texts. */
const sampledRows = 200;

/** Reads the header and the first rows that are not empty, after those that are skipped. */
async function readHeaderAndRows(
  sheet: Sheet,
  skipRows: number,
  sharedText: SharedText,
): Promise<readonly SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const batch of readSheetRows(sheet, sharedText)) {
    const readRows = batch.filter(({ number }) => number > skipRows);
    rows.push(...readRows.filter(({ cells }) => cells.some((cell) => cell !== undefined)));
    if (rows.length > sampledRows) break;
  }
  return rows.slice(0, sampledRows + 1);
}

/** The columns of the names, which are in the first row with a value, and those on the right that have values in the first rows. */
function headOf(sheetRows: readonly SheetRow[], readerOptions: CellReaderOptions): FileHead {
  const headerAt = sheetRows.findIndex(({ cells }) => cells.some(hasValue));
  const rows = headerAt === -1 ? [] : sheetRows.slice(headerAt);
  const [names = [], ...values] = rows.map(({ cells }) =>
    Array.from(cells, (cell) => displayText(cell, readerOptions) ?? ''),
  );
  const widths = [names, ...values].map((texts) => texts.findLastIndex((text) => text !== '') + 1);
  const columns = Array.from({ length: Math.max(...widths) }, (_, i) => names[i] ?? '');
  return headWith(distinctNames(columns), rows.slice(1), readerOptions);
}

/** The head of a sheet whose first row is not one of names. */
function headOfRows(rows: readonly SheetRow[], readerOptions: CellReaderOptions): FileHead {
  const columns = numberedColumns(rows[0]?.cells.length ?? 0);
  return headWith(columns, rows, readerOptions);
}

function headWith(
  columns: readonly string[],
  sheetRows: readonly SheetRow[],
  readerOptions: CellReaderOptions,
): FileHead {
  const sample = sheetRows.map(({ cells }) =>
    columns.map((_, i) => displayText(cells[i], readerOptions)),
  );
  const numbers = sheetRows.map(({ cells }) =>
    columns.map((_, i) => cells[i]?.kind === 'number' && !isDate(cells[i], readerOptions)),
  );
  return { columns, rows: sample.slice(0, rowsShown), sample, numbers };
}
