/** Writes a workbook with one sheet for each table, as a stream. */
import { columnLetters } from '../../portable/xlsx/read-sheet.ts';
import { StudioError } from '../../model/errors.ts';
import { renderRows } from '../render-rows.ts';
import { writeZip } from '../zip.ts';
import { cellEncoder, headerCell } from '../../portable/xlsx/cells.ts';
import { dateColumnWidth } from '../../portable/xlsx/date-cells.ts';
import {
  contentTypes,
  packageRelations,
  tableProperties,
  sheetEnd,
  sheetStart,
  styles,
  workbook,
  workbookRelations,
} from '../../portable/xlsx/parts.ts';
import { splitRows } from './split-rows.ts';
import { lastRow } from '../../portable/xlsx/read-sheet.ts';
import { sheetNames } from './sheet-names.ts';
import type { Row } from '../../model/values.ts';
import type { FormulaGuard } from '../../portable/files/guard-formula.ts';
import type { FileChunks, TableRows, TableStream } from '../row-export.ts';
import type { ZipEntry } from '../zip.ts';

/** Stores the table name of each sheet as a property, since sheet names are short and cannot contain every character. */
export function writeXlsxTables(tables: TableStream, formulas: FormulaGuard): FileChunks {
  return writeZip(entries(tables, formulas, new Map()));
}

/** Stores no table name. As with a CSV file, the import request names the table. */
export function writeXlsxTable(rows: TableRows, formulas: FormulaGuard): FileChunks {
  return writeZip(entries(only(rows), formulas));
}

async function* only(rows: TableRows): AsyncGenerator<TableRows> {
  yield rows;
}

async function* entries(
  tables: TableStream,
  formulas: FormulaGuard,
  tableOfSheet?: Map<string, string>,
): AsyncGenerator<ZipEntry> {
  yield entry('[Content_Types].xml', contentTypes);
  yield entry('_rels/.rels', packageRelations);
  const nameOf = sheetNames();
  const names: string[] = [];
  for await (const rows of tables) {
    for await (const chunks of sheetsOf(rows, formulas)) {
      const name = nameOf(rows.table.name);
      names.push(name);
      tableOfSheet?.set(name, rows.table.name);
      yield { name: `xl/worksheets/sheet${names.length}.xml`, chunks };
    }
  }
  // A workbook must have at least one sheet.
  if (names.length === 0) {
    names.push('Sheet');
    yield entry('xl/worksheets/sheet1.xml', sheetStart() + sheetEnd);
  }
  yield entry('xl/styles.xml', styles);
  yield entry('docProps/custom.xml', tableProperties(tableOfSheet ?? new Map()));
  yield entry('xl/workbook.xml', workbook(names));
  yield entry('xl/_rels/workbook.xml.rels', workbookRelations(names.length));
}

/** Rows that fit into a sheet below its header. */
const maxRows = lastRow - 1;
const maxColumns = 16_384;

async function* sheetsOf(
  rows: TableRows,
  formulas: FormulaGuard,
): AsyncGenerator<FileChunks, void, undefined> {
  if (rows.columns.length > maxColumns) throw tooWide(rows);
  let firstRow = 1;
  for await (const batches of splitRows(rows.batches, maxRows)) {
    yield sheet({ ...rows, batches }, formulas, firstRow);
    firstRow += maxRows;
  }
}

function tooWide({ table, columns }: TableRows): StudioError {
  return new StudioError(
    'invalid_value',
    `Table "${table.name}" has ${columns.length} columns; a sheet takes up to ${maxColumns}.`,
    { table: table.name },
  );
}

async function* sheet(rows: TableRows, formulas: FormulaGuard, firstRow: number): FileChunks {
  const letters = rows.columns.map((_, i) => columnLetters(i));
  const header = rows.columns.map(({ name }, i) => headerCell(name, `${letters[i]}1`, formulas));
  yield `${sheetStart(rows.columns.map(dateColumnWidth))}<row r="1">${header.join('')}</row>`;
  const cells = rows.columns.map((column) => cellEncoder(column, formulas));
  let rowNumber = 1;
  const write = (row: Row): string => {
    rowNumber++;
    let text = `<row r="${rowNumber}">`;
    for (let i = 0; i < cells.length; i++)
      text += cells[i]!(row[i] ?? null, letters[i]! + rowNumber);
    return `${text}</row>`;
  };
  yield* renderRows(rows, write, firstRow);
  yield sheetEnd;
}

function entry(name: string, text: string): ZipEntry {
  return { name, chunks: once(text) };
}

async function* once(text: string): FileChunks {
  yield text;
}
