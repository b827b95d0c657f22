import { textReader } from '../model/read-text-value.ts';
import type { Column, ColumnKind } from '../model/schema.ts';
import type { Value } from '../model/values.ts';
import type { ColumnReader } from '../portable/files/column-reader.ts';
import type { FormulaGuard } from '../portable/files/guard-formula.ts';
import type { ImportContext, ColumnMapping, Warning } from './row-import.ts';

/** One reader for each column of a file; undefined for columns that are skipped. */
export function createColumnReaders(
  { columns }: ColumnMapping,
  context: ImportContext,
  formulas: FormulaGuard,
): readonly (ColumnReader | undefined)[] {
  return columns.map((column) =>
    column === undefined ? undefined : columnReader(column, context, formulas),
  );
}

const APOSTROPHE = 0x27;
const guardPattern = /^'+[=+\-@\t\r]/;

function columnReader(
  column: Column,
  context: ImportContext,
  formulas: FormulaGuard,
): ColumnReader {
  const readText = readerWithTextWarning(column, context);
  const read = (text: string): Value => {
    if (text.charCodeAt(0) !== APOSTROPHE || !guardPattern.test(text)) return readText(text);
    context.warn(guardsRemovedWarning);
    return readText(text.slice(1));
  };
  return { read: formulas === 'raw' ? readText : read, empty: emptyValueOf(column) };
}

function emptyValueOf({ nullable, type }: Column): Value {
  return !nullable && type.kind === 'text' ? '' : null;
}

const guardsRemovedWarning: Warning = (count) =>
  `An apostrophe that protects against formulas was removed from ${count} ${count === 1 ? 'cell' : 'cells'}; formulas=raw keeps it.`;

const numberKinds: ReadonlySet<ColumnKind> = new Set(['integer', 'decimal', 'float']);

/** SQLite accepts text in a numeric column. Such text is imported with a warning. */
function readerWithTextWarning(column: Column, context: ImportContext): (text: string) => Value {
  const read = textReader(column);
  if (column.dynamic !== true || !numberKinds.has(column.type.kind)) return read;
  const warning: Warning = (count) =>
    `${count} ${count === 1 ? 'cell' : 'cells'} of column "${column.name}" (${column.nativeType}) ${count === 1 ? 'contains' : 'contain'} text that is not a number; it was stored as text.`;
  return (text) => {
    const value = read(text);
    if (typeof value === 'string') context.warn(warning);
    return value;
  };
}
