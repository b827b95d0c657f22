/** Reads rows from the sheets of a workbook. The first row of a sheet has the column names. */
import { StudioError } from '../../model/errors.ts';
import { rejectedText } from '../../model/values/rejected-value.ts';
import { createRowCollector } from '../row-collector.ts';
import { createColumnReaders } from '../column-readers.ts';
import { compressionRatio, countReads } from '../count-reads.ts';
import { inPart, partTarget, partsMustExist, rowsOfPart } from '../file-parts.ts';
import { cellReader, cellText, displayText } from '../../portable/xlsx/cell-reader.ts';
import { readDateStyles } from '../../portable/xlsx/date-styles.ts';
import { openWorkbook } from './open-workbook.ts';
import { columnLetters, lastRow, readSheetRows } from '../../portable/xlsx/read-sheet.ts';
import { findSheet } from '../../portable/xlsx/read-workbook.ts';
import { readSharedStrings } from '../../portable/xlsx/shared-strings.ts';
import { numberedName } from './sheet-names.ts';
import type { RowChunk } from '../../model/load.ts';
import type { Value } from '../../model/values.ts';
import type { RowCollector } from '../row-collector.ts';
import type { CellFormat } from '../../portable/cells/cell-format.ts';
import type { ImportContext, RowBatches, ColumnMapping } from '../row-import.ts';
import type { PartTarget, TablesOfParts } from '../file-parts.ts';
import type { ArchiveSource } from '../unzip.ts';
import type { CellReaderOptions } from '../../portable/xlsx/cell-reader.ts';
import type { Cell, SheetRow } from '../../portable/xlsx/read-sheet.ts';
import type { Sheet, WorkbookParts } from '../../portable/xlsx/read-workbook.ts';

export interface XlsxOptions extends CellFormat {
  /** `absent`: the first row is not one of names. */
  readonly header?: 'present' | 'absent' | undefined;
  /** The number of rows before the header. Default: 0. */
  readonly skipRows?: number | undefined;
  /** A sheet's name, or its number from 1; undefined: the first visible one. */
  readonly sheet: string | undefined;
  /** Whether the request names the target table. */
  readonly isTableNamed: boolean;
  /** Reads all visible sheets, each as the table of its name, unless the request names a sheet or the table. */
  readonly hasTableInEachSheet?: boolean;
  /** The tables that the request names for sheets. The others are those of the sheets' names. */
  readonly tables?: TablesOfParts | undefined;
  readonly onRead: (bytes: number) => void;
}

/** The state of the reader. */
interface SheetRows {
  context: ImportContext;
  readonly format: Pick<XlsxOptions, keyof CellFormat | 'header' | 'skipRows'>;
  readonly cells: CellReaderOptions;
  /** New workbooks have sheets that nobody has used. */
  readonly skipsEmptySheets: boolean;
  /** Undefined: the table of the request. */
  target: PartTarget | undefined;
  header: Header | undefined;
  /** Whether a sheet has had a header. */
  hasRows: boolean;
  /** Row number within its table, from 1. */
  rowNumber: number;
  /** Number of the last row read from the sheet. */
  lastRow: number;
}

interface Header {
  readonly target: ColumnMapping;
  readonly width: number;
  readonly readers: readonly (((cell: Cell | undefined) => Value) | undefined)[];
  readonly collector: RowCollector;
}

export async function* readXlsx(
  source: ArchiveSource,
  context: ImportContext,
  options: XlsxOptions,
): RowBatches {
  const workbook = await openWorkbook(source);
  try {
    const strings = await readSharedStrings(workbook.strings);
    const styles = await readDateStyles(workbook.styles);
    const rows: SheetRows = {
      context,
      format: options,
      cells: { styles, from1904: workbook.from1904 },
      skipsEmptySheets: readsEachSheet(options),
      target: undefined,
      header: undefined,
      hasRows: false,
      rowNumber: 0,
      lastRow: 0,
    };
    const readOne: ReadSheet = (sheet) =>
      readSheet(
        rows,
        { ...sheet, part: countReads(sheet.part, options.onRead, compressionRatio(sheet.part)) },
        strings,
      );
    const groups = groupsToRead(workbook, options);
    warnOfHiddenSheets(workbook, options, context);
    const isOnly = groups.flatMap(({ sheets }) => sheets).length === 1;
    const readPart: ReadSheet = (sheet) => {
      rows.context = isOnly ? context : inPart(context, sheet.name);
      return isOnly ? readOne(sheet) : rowsOfPart(readOne(sheet), sheet.name);
    };
    for (const group of groups) yield* readGroup(rows, group, readPart);
    mustHaveVisibleRows(rows, workbook);
  } finally {
    workbook.close();
  }
}

interface SheetGroup {
  /** The table that the workbook or the request names for the sheet; undefined: the table of the request. */
  readonly target: PartTarget | undefined;
  /** The sheets of one table in order. A sheet is read only if the one before it is full. */
  readonly sheets: readonly Sheet[];
}

/** The requested sheet; without a requested table or sheet, all sheets of a workbook that names their tables. */
function groupsToRead({ sheets }: WorkbookParts, options: XlsxOptions): readonly SheetGroup[] {
  const { sheet, isTableNamed } = options;
  const namedSheets = sheets.filter(({ table }) => table !== undefined);
  if (readsEachSheet(options)) return mappedGroups(sheets, options.tables);
  if (isTableNamed || sheet !== undefined || namedSheets.length === 0) {
    const first = findSheet(sheets, sheet);
    return [{ target: undefined, sheets: [first, ...continuations(first, sheets)] }];
  }
  return groupsByTable(namedSheets);
}

function readsEachSheet(options: XlsxOptions): boolean {
  const { hasTableInEachSheet, isTableNamed, sheet, tables } = options;
  if (tables !== undefined) return true;
  return hasTableInEachSheet === true && !isTableNamed && sheet === undefined;
}

function warnOfHiddenSheets(
  { sheets }: WorkbookParts,
  options: XlsxOptions,
  { warn }: Pick<ImportContext, 'warn'>,
): void {
  if (!readsEachSheet(options)) return;
  const hidden = sheets.filter(({ name, isHidden }) => isHidden && !options.tables?.has(name));
  if (hidden.length === 0) return;
  const names = hidden.map(({ name }) => JSON.stringify(name)).join(', ');
  warn(() => `Hidden sheets are left out: ${names}. To import one, set sheet.`);
}

/** Of sheets that are all empty, hidden ones may be meant. */
function mustHaveVisibleRows({ hasRows }: SheetRows, { sheets }: WorkbookParts): void {
  const hidden = sheets.filter(({ isHidden }) => isHidden).map(({ name }) => JSON.stringify(name));
  if (hasRows || hidden.length === 0) return;
  throw new StudioError(
    'parse_failed',
    `All sheets that are read are empty. Hidden sheets are left out: ${hidden.join(', ')}. To import one, set sheet.`,
  );
}

/** All visible sheets, and hidden ones that the request maps. A mapped sheet continues in no other. */
function mappedGroups(
  sheets: readonly Sheet[],
  tables: TablesOfParts | undefined,
): readonly SheetGroup[] {
  partsMustExist(
    tables,
    sheets.map(({ name }) => [name]),
    'The workbook has no sheet',
  );
  const parts = sheets
    .filter(({ name, isHidden }) => !isHidden || tables?.has(name) === true)
    .flatMap((sheet) => {
      const target = partTarget(tables, [sheet.name], sheet.table ?? sheet.name);
      return target === undefined ? [] : [{ sheet, target }];
    });
  const mapped = parts.filter(({ target }) => target.isMapped === true);
  const unmappedParts = parts.filter(({ target }) => target.isMapped !== true);
  return [
    ...mapped.map(({ sheet, target }) => ({ target, sheets: [sheet] })),
    ...groupsByTable(unmappedParts.map(({ sheet, target }) => ({ ...sheet, table: target.table }))),
  ];
}

function groupsByTable(sheets: readonly Sheet[]): readonly SheetGroup[] {
  const groups = Map.groupBy(sheets, ({ table }) => table);
  return [...groups].map(([table, ofTable]) => ({
    target: table === undefined ? undefined : { table },
    sheets: ofTable,
  }));
}

/** A table that is too long for a sheet continues in `name (2)`. Excel names copies of a sheet the same. */
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
  { target, sheets }: SheetGroup,
  readOne: ReadSheet,
): RowBatches {
  rows.target = target;
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
  for await (const batch of readSheetRows(sheet, (index) => strings[index])) {
    for (const row of batch) {
      const ready = readRow(rows, row);
      if (ready !== undefined) yield ready;
    }
    await rows.context.afterRecords?.();
  }
  const last = rows.header?.collector.take(true);
  if (last !== undefined) yield last;
  if (rows.header === undefined && !rows.skipsEmptySheets)
    throw new StudioError(
      'parse_failed',
      `Sheet "${sheet.name}" is empty; its first row must contain column names.`,
    );
}

function readRow(rows: SheetRows, row: SheetRow): RowChunk | undefined {
  if (row.number <= (rows.format.skipRows ?? 0)) return undefined;
  const isEmpty = row.cells.every((cell) => cell === undefined);
  if (isEmpty && !(row.isBare && rows.header !== undefined)) return undefined;
  if (rows.header === undefined) {
    rows.header = readHeader(rows, row);
    rows.hasRows = true;
    return rows.format.header === 'absent' ? readRow(rows, row) : undefined;
  }
  rows.rowNumber++;
  rows.lastRow = row.number;
  passRecord(rows, row);
  const values = readCells(rows, rows.header, row);
  const size = row.cells.reduce((sum, cell) => sum + (cell?.text.length ?? 0), 0);
  if (values !== undefined)
    rows.header.collector.add({ row: values, number: rows.rowNumber, line: row.number, size });
  return rows.header.collector.take();
}

function passRecord(
  { context, cells: options, format, rowNumber }: SheetRows,
  row: SheetRow,
): void {
  context.onRecord?.({
    number: rowNumber,
    line: row.number,
    content: {
      kind: 'cells',
      texts: (columns) =>
        Array.from(row.cells, (cell, i) =>
          cellText(cell, columns[i], { ...options, decimal: format.decimal }),
        ),
    },
  });
}

function readHeader(rows: SheetRows, { cells, number }: SheetRow): Header {
  const { context, format, target: part } = rows;
  const lastNamedColumn = cells.findLastIndex((cell) => cell !== undefined && cell.text !== '');
  const isNumbered = format.header === 'absent';
  const names = Array.from({ length: lastNamedColumn + 1 }, (_, i) =>
    isNumbered ? `column ${i + 1}` : (displayText(cells[i], rows.cells) ?? ''),
  );
  const target = context.mapColumns({
    table: part?.table,
    isMapped: part?.isMapped === true,
    columns: names,
    isNumbered,
  });
  for (const columnError of target.errors)
    context.report({ ...columnError, table: target.table.name, line: number });
  const textReaders = createColumnReaders(target, context, format);
  const readers = target.columns.map((column, i) => {
    const reader = textReaders[i];
    const { onNumber } = target;
    const options = onNumber &&
      column && { onNumber: (digits: string) => onNumber(column, digits) };
    return column && reader && cellReader(column, reader, { ...rows.cells, ...options });
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
  rows.context.beginRow?.({ line: row.number });
  const unnamed = row.cells.findIndex(
    (cell, i) => i >= width && cell !== undefined && cell.text !== '',
  );
  let isValid = unnamed === -1;
  if (!isValid) reportUnnamedColumn(rows, header, { row, column: unnamed });
  for (const [i, read] of readers.entries()) {
    if (read === undefined) continue;
    try {
      values.push(read(row.cells[i]));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      isValid = false;
      const cell = `${columnLetters(i)}${row.number}`;
      const { code, message } = error;
      const column = target.columns[i]?.name ?? '';
      const value = rejectedText(row.cells[i]?.text ?? '');
      reportCell(rows, header, { row, code, message: `Cell ${cell}: ${message}`, column, value });
    }
  }
  return isValid ? values : undefined;
}

function reportUnnamedColumn(
  rows: SheetRows,
  header: Header,
  { row, column }: { readonly row: SheetRow; readonly column: number },
): void {
  const isBelowTitle = rows.rowNumber === 1 && (rows.format.skipRows ?? 0) === 0;
  const hint = isBelowTitle ? ' Set skip_rows if the sheet begins with a title.' : '';
  const message = `Cell ${columnLetters(column)}${row.number} contains a value, but its column has no name in the header.${hint}`;
  reportCell(rows, header, { row, code: 'parse_failed', message });
}

interface CellError {
  readonly row: SheetRow;
  readonly code: string;
  readonly message: string;
  readonly column?: string;
  readonly value?: string;
}

function reportCell(rows: SheetRows, { target }: Header, cellError: CellError): void {
  const { row, ...error } = cellError;
  rows.context.report({
    ...error,
    table: target.table.name,
    row: rows.rowNumber,
    line: row.number,
  });
}
