/** Reads the rows of a sheet: its header, then values for the columns of the header. */
import { StudioError } from '../../model/errors.ts';
import { rejectedText } from '../../model/values/rejected-value.ts';
import { createRowCollector } from '../row-collector.ts';
import { createColumnReaders } from '../column-readers.ts';
import { cellReader, cellText, displayText, hasValue } from '../../portable/xlsx/cell-reader.ts';
import { unnamedAdvice } from '../../portable/files/distinct-names.ts';
import { columnLetters } from '../../portable/xlsx/read-sheet.ts';
import { reportFurtherErrors } from '../report-further-errors.ts';
import type { RowChunk } from '../../model/load.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { RowCollector } from '../row-collector.ts';
import type { ColumnMapping, ImportContext, Warning } from '../row-import.ts';
import type { PartTarget } from '../file-parts.ts';
import type { CellFormat } from '../../portable/cells/cell-format.ts';
import type { CellReaderOptions } from '../../portable/xlsx/cell-reader.ts';
import type { Cell, SheetRow } from '../../portable/xlsx/read-sheet.ts';

/** How a sheet has rows and values. */
export interface SheetFormat extends CellFormat {
  /** `absent`: the first row is not one of names. */
  readonly header?: 'present' | 'absent' | undefined;
  /** The number of rows before the header. Default: 0. */
  readonly skipRows?: number | undefined;
}

/** The state of the reader. Its functions change it. */
export interface SheetRowsState {
  context: ImportContext;
  readonly format: SheetFormat;
  readonly cells: CellReaderOptions;
  /** New workbooks have sheets that nobody has used. */
  readonly skipsEmptySheets: boolean;
  /** Undefined: the table of the request. */
  target: PartTarget | undefined;
  header: Header | undefined;
  /** By column; each counts the cells with errors. */
  readonly errorWarnings: Map<Column, Warning>;
  /** Whether a sheet has had a header. */
  hasRows: boolean;
  /** Row number within its table, from 1. */
  rowNumber: number;
  /** Number of the last row read from the sheet. */
  lastRow: number;
}

interface Header {
  readonly target: ColumnMapping;
  /** In the file; empty for a column without a name. */
  readonly names: readonly string[];
  /** Of the header in the sheet. */
  readonly rowNumber: number;
  /** Columns on the right of the last name have been added. */
  readonly isWidened: boolean;
  readonly readers: readonly (((cell: Cell | undefined) => Value) | undefined)[];
  readonly collector: RowCollector;
}

/** Reads a row. Returns a chunk of rows when enough of them have been read. */
export function readRow(state: SheetRowsState, row: SheetRow): RowChunk | undefined {
  if (row.number <= (state.format.skipRows ?? 0)) return undefined;
  const isEmpty = row.cells.every((cell) => cell === undefined);
  if (isEmpty && !(row.isBare && state.header !== undefined)) return undefined;
  if (state.header === undefined) {
    if (state.format.header !== 'absent' && usedWidth(row.cells) === 0) {
      warnOfErrorsAboveHeader(state, row);
      return undefined;
    }
    state.header = readHeader(state, row);
    state.hasRows = true;
    return state.format.header === 'absent' ? readRow(state, row) : undefined;
  }
  state.rowNumber++;
  state.lastRow = row.number;
  passRecord(state, row);
  const rowsBefore = widenHeader(state, state.header, row);
  const { header } = state;
  const values = readCells(state, header, row);
  const size = row.cells.reduce((sum, cell) => sum + (cell?.text.length ?? 0), 0);
  if (values !== undefined)
    header.collector.add({ row: values, number: state.rowNumber, line: row.number, size });
  return rowsBefore ?? header.collector.take();
}

/** The errors may have been the names of the columns. Rows of empty texts need no warning, as empty rows. */
function warnOfErrorsAboveHeader({ context }: SheetRowsState, { cells, number }: SheetRow): void {
  if (cells.every((cell) => cell?.kind !== 'error')) return;
  context.warn(
    () =>
      `Row ${number} contains only errors of the spreadsheet. It is left out, and the names of the columns are read from a row below it.`,
  );
}

/** Adds the columns on the right of the header that the row has values in, if the target takes them. Returns the rows before. */
function widenHeader(state: SheetRowsState, header: Header, row: SheetRow): RowChunk | undefined {
  const { target, names, collector, rowNumber } = header;
  const takesColumn = (i: number): boolean => target.takesUnnamed?.(i + 1) === true;
  const last = row.cells.findLastIndex((cell, i) => hasValue(cell) && takesColumn(i));
  const width = last + 1;
  if (width <= names.length) return undefined;
  const isNumbered = state.format.header === 'absent';
  const added = Array.from({ length: width - names.length }, (_, i) =>
    isNumbered ? `column ${names.length + i + 1}` : '',
  );
  state.header = { ...openHeader(state, [...names, ...added], rowNumber), isWidened: true };
  const isImported = state.header.target.columns.some((column, i) => column && i >= names.length);
  if (isImported && !isNumbered && !header.isWidened) warnOfUnnamedColumns(state, header, row);
  return collector.take(true);
}

function warnOfUnnamedColumns(
  state: SheetRowsState,
  { names, rowNumber }: Header,
  row: SheetRow,
): void {
  const cell = `${columnLetters(usedWidth(row.cells) - 1)}${row.number}`;
  const title = titleHint(state, row);
  const lastName = `${columnLetters(names.length - 1)}${rowNumber}`;
  state.context.warn(
    () =>
      `The names of the columns end in cell ${lastName}, and columns on the right have values, such as cell ${cell}. They are named by their numbers.${title}`,
  );
}

/** A title has fewer cells than the rows below it. */
function titleHint({ rowNumber, format }: SheetRowsState, row: SheetRow): string {
  const isBelowTitle = rowNumber === 1 && (format.skipRows ?? 0) === 0;
  return isBelowTitle
    ? ` If the sheet begins with a title, set skip_rows to ${row.number - 1}.`
    : '';
}

/** The number of columns up to the last one with a value. */
function usedWidth(cells: SheetRow['cells']): number {
  return cells.findLastIndex(hasValue) + 1;
}

function passRecord(
  { context, cells: options, format, rowNumber }: SheetRowsState,
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

function readHeader(state: SheetRowsState, { cells, number }: SheetRow): Header {
  const isNumbered = state.format.header === 'absent';
  const names = Array.from({ length: usedWidth(cells) }, (_, i) =>
    isNumbered ? `column ${i + 1}` : (displayText(cells[i], state.cells) ?? ''),
  );
  return openHeader(state, names, number);
}

function openHeader(state: SheetRowsState, names: readonly string[], rowNumber: number): Header {
  const { context, format, target: part } = state;
  const target = context.mapColumns({
    table: part?.table,
    isMapped: part?.isMapped === true,
    columns: names,
    isNumbered: format.header === 'absent',
  });
  for (const columnError of target.errors)
    context.report({ ...columnError, table: target.table.name, line: rowNumber });
  const textReaders = createColumnReaders(target, context, format);
  const readers = target.columns.map((column, i) => {
    const reader = textReaders[i];
    return (
      column &&
      reader &&
      cellReader(column, reader, { ...state.cells, ...observers(state, target, column) })
    );
  });
  const columns = target.columns.filter((column) => column !== undefined);
  return {
    target,
    names,
    rowNumber,
    isWidened: false,
    readers,
    collector: createRowCollector(target.table, columns),
  };
}

/** What is called with the numbers and the errors of a column. */
function observers(
  { context, errorWarnings }: SheetRowsState,
  { onNumber }: ColumnMapping,
  column: Column,
): Pick<CellReaderOptions, 'onNumber' | 'onError'> {
  const warning = errorWarnings.get(column) ?? errorWarning(column);
  errorWarnings.set(column, warning);
  return {
    onError: (error) => context.warn(warning, error),
    ...(onNumber && { onNumber: (digits) => onNumber(column, digits) }),
  };
}

function errorWarning({ name }: Column): Warning {
  return (count) =>
    `${count} ${count === 1 ? 'cell' : 'cells'} of column "${name}" ${count === 1 ? 'contains' : 'contain'} an error of the spreadsheet instead of a value, which is imported as NULL.`;
}

function readCells(state: SheetRowsState, header: Header, row: SheetRow): Value[] | undefined {
  const { readers, target, names } = header;
  const values: Value[] = [];
  state.context.beginRow?.({ line: row.number });
  const unnamed = row.cells.findIndex((cell, i) => i >= names.length && hasValue(cell));
  let invalid: Set<number> | undefined;
  if (unnamed !== -1) reportUnnamedColumn(state, header, { row, column: unnamed });
  for (const [i, read] of readers.entries()) {
    if (read === undefined) {
      if (names[i] === '' && hasValue(row.cells[i])) target.onSkippedUnnamed?.(i + 1);
      continue;
    }
    try {
      values.push(read(row.cells[i]));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      invalid = (invalid ?? new Set()).add(values.push(null) - 1);
      const cell = `${columnLetters(i)}${row.number}`;
      const { code, message } = error;
      const column = target.columns[i]?.name ?? '';
      const value = rejectedText(row.cells[i]?.text ?? '');
      reportCell(state, header, { row, code, message: `Cell ${cell}: ${message}`, column, value });
    }
  }
  if (invalid === undefined) return unnamed === -1 ? values : undefined;
  const position = { table: target.table.name, row: state.rowNumber, line: row.number };
  reportFurtherErrors(state.context, target, { row: values, invalid, position });
  return undefined;
}

function reportUnnamedColumn(
  state: SheetRowsState,
  header: Header,
  { row, column }: { readonly row: SheetRow; readonly column: number },
): void {
  const message = `Cell ${columnLetters(column)}${row.number} contains a value, but its column has no name in the header. ${unnamedAdvice(column + 1)}${titleHint(state, row)}`;
  reportCell(state, header, { row, code: 'parse_failed', message });
}

interface CellError {
  readonly row: SheetRow;
  readonly code: string;
  readonly message: string;
  readonly column?: string;
  readonly value?: string;
}

function reportCell(state: SheetRowsState, { target }: Header, cellError: CellError): void {
  const { row, ...error } = cellError;
  state.context.report({
    ...error,
    table: target.table.name,
    row: state.rowNumber,
    line: row.number,
  });
}
