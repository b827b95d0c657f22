import { textReader } from '../model/read-text-value.ts';
import type { Column, ColumnKind } from '../model/schema.ts';
import type { Value } from '../model/values.ts';
import type { FormulaGuard } from './guard-formula.ts';
import type { Reading, Target, Warning } from './reading.ts';

/** Reads the text cells of one column. */
export interface ColumnReader {
  read(text: string): Value;
  /** What an empty cell stands for. */
  readonly empty: Value;
}

/** A reader for each column of a file; undefined for those left out. */
export function columnReaders(
  { columns }: Target,
  reading: Reading,
  formulas: FormulaGuard,
): readonly (ColumnReader | undefined)[] {
  return columns.map((column) =>
    column === undefined ? undefined : columnReader(column, reading, formulas),
  );
}

const APOSTROPHE = 0x27;
const guarded = /^'+[=+\-@\t\r]/;

function columnReader(column: Column, reading: Reading, formulas: FormulaGuard): ColumnReader {
  const readText = watchNumbers(column, reading);
  const read = (text: string): Value => {
    if (text.charCodeAt(0) !== APOSTROPHE || !guarded.test(text)) return readText(text);
    reading.warn(guardsTakenOff);
    return readText(text.slice(1));
  };
  return { read: formulas === 'raw' ? readText : read, empty: emptyOf(column) };
}

function emptyOf({ nullable, type }: Column): Value {
  return !nullable && type.kind === 'text' ? '' : null;
}

const guardsTakenOff: Warning = (count) =>
  `${count} ${count === 1 ? 'cell' : 'cells'} lost the apostrophe that guards spreadsheets against formulas; formulas=raw keeps it.`;

const numberKinds: ReadonlySet<ColumnKind> = new Set(['integer', 'decimal', 'float']);

/** Where a column of numbers takes text too (SQLite), that is said. */
function watchNumbers(column: Column, reading: Reading): (text: string) => Value {
  const read = textReader(column);
  if (column.dynamic !== true || !numberKinds.has(column.type.kind)) return read;
  const warning: Warning = (count) =>
    `${count} ${count === 1 ? 'cell' : 'cells'} of column "${column.name}" (${column.nativeType}) ${count === 1 ? 'holds' : 'hold'} text that is no number; it is kept as text.`;
  return (text) => {
    const value = read(text);
    if (typeof value === 'string') reading.warn(warning);
    return value;
  };
}
