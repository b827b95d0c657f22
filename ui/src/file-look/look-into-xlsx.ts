import { displayText } from '../../../src/portable/xlsx/cell-reader.ts';
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
import { rowsShown } from './file-look.ts';
import type { FileHead, FileLook, Manner } from './file-look.ts';
import { openZip } from './open-zip.ts';

/** The sheets of a workbook, and the first rows of one, read as the server reads them. */
export async function lookIntoXlsx(file: File, { sheet: wanted }: Manner): Promise<FileLook> {
  const start = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  if (isCompoundFile(start)) throw protectedWorkbookError(file.name);
  const workbook = await readWorkbook(file.name, await openZip(file));
  const sheet = findSheet(workbook.sheets, wanted);
  const { styles: part, from1904 } = workbook;
  const look = { styles: await readDateStyles(part), from1904 };
  const rows = await readFirstRows(workbook, sheet);
  const shown = { sheets: workbook.sheets.map(({ name }) => name), sheet: sheet.name };
  return { ...shown, title: sheet.name, head: headOf(rows, look) };
}

/** Twice: the texts that cells point at are read as far as the first pass found them to be needed. */
async function readFirstRows(
  { strings: part }: WorkbookParts,
  sheet: Sheet,
): Promise<readonly SheetRow[]> {
  let wanted = 0;
  await takeRows(sheet, (place) => {
    wanted = Math.max(wanted, place + 1);
    return '';
  });
  const strings = wanted === 0 ? [] : await readSharedStrings(part, wanted);
  return takeRows(sheet, (place) => strings[place]);
}

/** The header and the first rows that hold anything. */
async function takeRows(sheet: Sheet, sharedText: SharedText): Promise<readonly SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const batch of readSheetRows(sheet, sharedText)) {
    rows.push(...batch.filter(({ cells }) => cells.some((cell) => cell !== undefined)));
    if (rows.length > rowsShown) break;
  }
  return rows.slice(0, rowsShown + 1);
}

function headOf([header, ...rows]: readonly SheetRow[], look: CellReaderOptions): FileHead {
  const names = Array.from(header?.cells ?? [], (cell) => cell?.text ?? '');
  const columns = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  return {
    columns,
    rows: rows.map(({ cells }) => columns.map((_, i) => displayText(cells[i], look))),
  };
}
