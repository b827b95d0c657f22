/** Rows out of one sheet of a workbook; its first row names the columns. */
import { StudioError } from '../../model/errors.ts';
import { createRowCollector } from '../row-collector.ts';
import { createColumnReaders } from '../column-readers.ts';
import { countReads } from '../unzip.ts';
import { cellReader } from './cell-reader.ts';
import { readDateStyles } from './date-styles.ts';
import { openWorkbook } from './open-workbook.ts';
import { columnLetters, lastRow, readSheetRows } from './read-sheet.ts';
import { findSheet } from './read-workbook.ts';
import { readSharedStrings } from './shared-strings.ts';
import { numberedName } from './sheet-names.ts';
import type { RowChunk } from '../../model/load.ts';
import type { Value } from '../../model/values.ts';
import type { RowCollector } from '../row-collector.ts';
import type { FormulaGuard } from '../guard-formula.ts';
import type { ImportContext, RowBatches, ColumnMapping } from '../row-import.ts';
import type { ArchiveSource } from '../unzip.ts';
import type { CellReaderOptions } from './cell-reader.ts';
import type { Cell, SheetRow } from './read-sheet.ts';
import type { Sheet, WorkbookParts } from './read-workbook.ts';

export interface XlsxOptions {
  /** A sheet's name, or its number from 1; else the first one that shows. */
  readonly sheet: string | undefined;
  /** Whether the request names the table that is filled. */
  readonly isTableNamed: boolean;
  readonly formulas: FormulaGuard;
  readonly onRead: (bytes: number) => void;
}

interface SheetRows {
  readonly reading: ImportContext;
  readonly formulas: FormulaGuard;
  readonly cells: CellReaderOptions;
  /** Undefined where the request names it. */
  table: string | undefined;
  header: Header | undefined;
  /** In its table, from 1. */
  rowNumber: number;
  /** The number of the sheet's row that was read last. */
  lastRow: number;
}

interface Header {
  readonly target: ColumnMapping;
  readonly width: number;
  readonly readers: readonly (((cell: Cell | undefined) => Value) | undefined)[];
  readonly collector: RowCollector;
}

export async function* readXlsx(
  place: ArchiveSource,
  reading: ImportContext,
  options: XlsxOptions,
): RowBatches {
  const workbook = await openWorkbook(place);
  try {
    const strings = await readSharedStrings(workbook.strings);
    const styles = await readDateStyles(workbook.styles);
    const rows: SheetRows = {
      reading,
      formulas: options.formulas,
      cells: { styles, from1904: workbook.from1904 },
      table: undefined,
      header: undefined,
      rowNumber: 0,
      lastRow: 0,
    };
    const readOne: ReadSheet = (sheet) =>
      readSheet(rows, { ...sheet, part: countReads(sheet.part, options.onRead) }, strings);
    for (const group of groupsToRead(workbook, options)) yield* readGroup(rows, group, readOne);
  } finally {
    workbook.close();
  }
}

interface SheetGroup {
  /** The table that the workbook names; undefined where the request names it. */
  readonly table: string | undefined;
  /** One table's sheets in their order; each but the first is read only if the one before it is full. */
  readonly sheets: readonly Sheet[];
}

/** The sheet that is asked for, or, where neither table nor sheet is named, all tables of a workbook that names them. */
function groupsToRead({ sheets }: WorkbookParts, options: XlsxOptions): readonly SheetGroup[] {
  const { sheet, isTableNamed } = options;
  const named = sheets.filter(({ table }) => table !== undefined);
  if (isTableNamed || sheet !== undefined || named.length === 0) {
    const first = findSheet(sheets, sheet);
    return [{ table: undefined, sheets: [first, ...continuations(first, sheets)] }];
  }
  const groups = Map.groupBy(named, ({ table }) => table);
  return [...groups].map(([table, ofTable]) => ({ table, sheets: ofTable }));
}

/** A table too long for a sheet goes on in `name (2)`; so is the copy of a sheet called by Excel. */
function continuations(first: Sheet, sheets: readonly Sheet[]): readonly Sheet[] {
  const found: Sheet[] = [];
  for (let number = 2; ; number++) {
    const next = sheets.find(({ name }) => name === numberedName(first.name, number));
    if (next === undefined || next === first) return found;
    found.push(next);
  }
}

async function* readGroup(
  rows: SheetRows,
  { table, sheets }: SheetGroup,
  readOne: ReadSheet,
): RowBatches {
  rows.table = table;
  rows.rowNumber = 0;
  for (const sheet of sheets) {
    rows.header = undefined;
    rows.lastRow = 0;
    yield* readOne(sheet);
    if (rows.lastRow < lastRow) return;
  }
}

type ReadSheet = (sheet: Sheet) => RowBatches;

async function* readSheet(rows: SheetRows, sheet: Sheet, strings: readonly string[]): RowBatches {
  for await (const batch of readSheetRows(sheet, (place) => strings[place])) {
    for (const row of batch) {
      const chunk = takeRow(rows, row);
      if (chunk !== undefined) yield chunk;
    }
  }
  const last = rows.header?.collector.take(true);
  if (last !== undefined) yield last;
  if (rows.header === undefined)
    throw new StudioError(
      'parse_failed',
      `Sheet "${sheet.name}" is empty; a row of column names is expected.`,
    );
}

function takeRow(rows: SheetRows, row: SheetRow): RowChunk | undefined {
  const isEmpty = row.cells.every((cell) => cell === undefined);
  if (isEmpty && !(row.isBare && rows.header !== undefined)) return undefined;
  if (rows.header === undefined) {
    rows.header = readHeader(rows, row);
    return undefined;
  }
  rows.rowNumber++;
  rows.lastRow = row.number;
  const values = readCells(rows, rows.header, row);
  const size = row.cells.reduce((sum, cell) => sum + (cell?.text.length ?? 0), 0);
  if (values !== undefined)
    rows.header.collector.add({ row: values, number: rows.rowNumber, line: row.number, size });
  return rows.header.collector.take();
}

function readHeader(rows: SheetRows, { cells, number }: SheetRow): Header {
  const { reading, formulas, table } = rows;
  const named = cells.findLastIndex((cell) => cell !== undefined && cell.text !== '');
  const names = Array.from({ length: named + 1 }, (_, i) => cells[i]?.text ?? '');
  const target = reading.mapColumns({ table, columns: names });
  for (const flaw of target.errors)
    reading.report({ ...flaw, table: target.table.name, line: number });
  const texts = createColumnReaders(target, reading, formulas);
  const readers = target.columns.map((column, i) => {
    const reader = texts[i];
    return column && reader && cellReader(column, reader, rows.cells);
  });
  const columns = target.columns.filter((column) => column !== undefined);
  return {
    target,
    width: names.length,
    readers,
    collector: createRowCollector(target.table, columns),
  };
}

function readCells(rows: SheetRows, header: Header, row: SheetRow): Value[] | undefined {
  const { readers, target, width } = header;
  const values: Value[] = [];
  const beyond = row.cells.findIndex(
    (cell, i) => i >= width && cell !== undefined && cell.text !== '',
  );
  let isWhole = beyond === -1;
  if (!isWhole) reportBeyond(rows, header, { row, column: beyond });
  for (const [i, read] of readers.entries()) {
    if (read === undefined) continue;
    try {
      values.push(read(row.cells[i]));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      isWhole = false;
      const cell = `${columnLetters(i)}${row.number}`;
      const { code, message } = error;
      const column = target.columns[i]?.name ?? '';
      report(rows, header, { row, code, message: `Cell ${cell}: ${message}`, column });
    }
  }
  return isWhole ? values : undefined;
}

function reportBeyond(
  rows: SheetRows,
  header: Header,
  { row, column }: { readonly row: SheetRow; readonly column: number },
): void {
  const message = `Cell ${columnLetters(column)}${row.number} holds a value in a column that the header does not name.`;
  report(rows, header, { row, code: 'parse_failed', message });
}

interface CellProblem {
  readonly row: SheetRow;
  readonly code: string;
  readonly message: string;
  readonly column?: string;
}

function report(rows: SheetRows, { target }: Header, problem: CellProblem): void {
  const { row, ...error } = problem;
  rows.reading.report({
    ...error,
    table: target.table.name,
    row: rows.rowNumber,
    line: row.number,
  });
}
