/** Reads the cells of a sheet from its XML, row by row. */
import { decodeEscapes, createTextCollector } from './shared-strings.ts';
import { StudioError } from '../../model/errors.ts';
import { parseXml } from './read-xml.ts';
import type { Sheet } from './read-workbook.ts';
import type { XmlTag } from './read-xml.ts';
import type { TextCollector } from './shared-strings.ts';

export interface Cell {
  /**
   * `error`: a formula's result such as `#N/A`. `formula`: one whose result the file does not have, because
   * libraries that write workbooks compute none. `damaged`: `text` says what the file lacks.
   */
  readonly kind: 'text' | 'number' | 'boolean' | 'error' | 'formula' | 'damaged';
  readonly text: string;
  /** Index of its style; -1 if it has none. */
  readonly style: number;
}

export interface SheetRow {
  /** Row number in the sheet, from 1. */
  readonly number: number;
  /** By column index; undefined for empty cells. */
  readonly cells: readonly (Cell | undefined)[];
  /**
   * The XML has only the number of the row. Exports write such a row if all its values are NULL.
   * Spreadsheet programs omit empty rows, or give them a height or a style.
   */
  readonly isBare: boolean;
}

/** Looks up a shared string by its index. */
export type SharedText = (index: number) => string | undefined;

interface SheetState {
  readonly sharedText: SharedText;
  readonly text: TextCollector;
  readonly rows: SheetRow[];
  readonly sheetName: string;
  inData: boolean;
  inValue: boolean;
  hasValue: boolean;
  hasFormula: boolean;
  rowNumber: number;
  isBare: boolean;
  cells: (Cell | undefined)[];
  column: number;
  type: string;
  style: number;
  value: string;
}

/** Yields rows in batches; reads no further than its consumer requests. */
export async function* readSheetRows(
  { name: sheetName, part }: Sheet,
  sharedText: SharedText,
): AsyncGenerator<readonly SheetRow[], void, undefined> {
  const state: SheetState = {
    sharedText,
    text: createTextCollector(),
    rows: [],
    sheetName,
    inData: false,
    inValue: false,
    hasValue: false,
    hasFormula: false,
    rowNumber: 0,
    isBare: false,
    cells: [],
    column: -1,
    type: '',
    style: -1,
    value: '',
  };
  const steps = parseXml(part.open(), {
    open: (name, tag) => openTag(state, name, tag),
    text: (text) => {
      if (state.inValue) state.value += text;
      else state.text.text(text);
    },
    close: (name) => closeTag(state, name),
  });
  for await (const _ of steps) if (state.rows.length > 0) yield state.rows.splice(0);
  if (state.rows.length > 0) yield state.rows;
}

function openTag(state: SheetState, name: string, tag: XmlTag): void {
  if (name === 'sheetData') state.inData = true;
  if (!state.inData) return;
  if (name === 'row') beginRow(state, tag);
  else if (name === 'c') beginCell(state, tag);
  else if (name === 'v') [state.inValue, state.hasValue] = [true, true];
  else if (name === 'f') state.hasFormula = true;
  else state.text.open(name, tag);
}

function beginRow(state: SheetState, tag: XmlTag): void {
  const number = Number(tag.attribute('r'));
  state.rowNumber = number > 0 ? number : state.rowNumber + 1;
  state.isBare = tag.count() <= 1;
  state.cells = [];
  state.column = -1;
}

function beginCell(state: SheetState, tag: XmlTag): void {
  state.isBare = false;
  const column = columnOf(tag.attribute('r') ?? '');
  state.column = column ?? state.column + 1;
  state.type = tag.attribute('t') ?? 'n';
  state.style = Number(tag.attribute('s') ?? -1);
  state.value = '';
  [state.hasValue, state.hasFormula] = [false, false];
  state.text.take();
}

const maxColumns = 16_384;
/** The number of the last row that a sheet can have, its header included. */
export const lastRow = 1_048_576;

/** The column index of a reference like `AB12`. Indexes beyond the last column become one value, against huge arrays. */
function columnOf(reference: string): number | undefined {
  let column = 0;
  for (let i = 0; i < reference.length; i++) {
    const letter = reference.charCodeAt(i) & ~0x20;
    if (letter < 0x41 || letter > 0x5a) break;
    column = column * 26 + letter - 0x40;
  }
  return column === 0 ? undefined : Math.min(column - 1, maxColumns);
}

function closeTag(state: SheetState, name: string): void {
  if (!state.inData) return;
  if (name === 'sheetData') state.inData = false;
  else if (name === 'v') state.inValue = false;
  else if (name === 'c') endCell(state);
  else if (name === 'row') endRow(state);
  else state.text.close(name);
}

function endRow({ rows, rowNumber: number, cells, isBare }: SheetState): void {
  rows.push({ number, cells, isBare });
}

function endCell(state: SheetState): void {
  const cell = cellOf(state);
  if (cell === undefined) return;
  const { cells, column } = state;
  if (cells[column] !== undefined && column < maxColumns) throw repeatedCell(state);
  cells[column] = cell;
}

/** Spreadsheet programs call such a workbook damaged. Either value may be the intended one. */
function repeatedCell({ sheetName, column, rowNumber: line }: SheetState): StudioError {
  const cell = `${columnLetters(column)}${line}`;
  return new StudioError('parse_failed', `Sheet "${sheetName}" contains two cells ${cell}.`, {
    line,
  });
}

function cellOf(state: SheetState): Cell | undefined {
  const { type, value, style, sharedText, text } = state;
  // A text may be empty, other results are not.
  const hasResult = state.hasValue && (value !== '' || type === 'str');
  if (state.hasFormula && !hasResult && type !== 'inlineStr')
    return { kind: 'formula', text: '', style };
  if (type === 's') return value === '' ? undefined : sharedCell(sharedText, value, style);
  if (type === 'inlineStr')
    return { kind: 'text', text: text.take() || decodeEscapes(value), style };
  if (type === 'str' || type === 'd') return { kind: 'text', text: decodeEscapes(value), style };
  if (value === '') return undefined;
  if (type === 'b')
    return { kind: 'boolean', text: /^(?:1|true)$/i.test(value) ? '1' : '0', style };
  return { kind: type === 'e' ? 'error' : 'number', text: value.trim(), style };
}

/** A cell that refers to a missing string is damaged, not empty. */
function sharedCell(sharedText: SharedText, index: string, style: number): Cell {
  const text = /^\s*\d+\s*$/.test(index) ? sharedText(Number(index)) : undefined;
  return text === undefined
    ? { kind: 'damaged', text: `the missing shared string ${index}`, style }
    : { kind: 'text', text, style };
}

/** The letters of a column, counted from 0: `A`, `B`, … `AA`. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(0x41 + (rest % 26)) + letters;
  return letters;
}
