import { textReader } from '../model/values/read-text-value.ts';
import { parametersOf } from '../portable/cells/cell-format.ts';
import { emptyValueOf, formattedReader } from '../portable/cells/formatted-reader.ts';
import { withoutFormulaGuard } from '../portable/files/guard-formula.ts';
import { textKind } from '../portable/cells/value-kind.ts';
import type { Column, ColumnKind } from '../model/schema.ts';
import type { Value } from '../model/values.ts';
import type { ColumnReader } from '../portable/files/column-reader.ts';
import type { CellFormat } from '../portable/cells/cell-format.ts';
import type { ImportContext, ColumnMapping, Warning } from './row-import.ts';
import type { ValueKind } from '../portable/cells/value-kind.ts';

/** One reader for each column of a file; undefined for columns that are skipped. */
export function createColumnReaders(
  { columns }: ColumnMapping,
  context: ImportContext,
  format: CellFormat,
): readonly (ColumnReader | undefined)[] {
  return columns.map((column) =>
    column === undefined ? undefined : columnReader(column, context, format),
  );
}

function columnReader(column: Column, context: ImportContext, format: CellFormat): ColumnReader {
  const { formulas } = format;
  const readText = formattedReader(column, readerWithTextWarning(column, context), format);
  const read = (text: string): Value => {
    const plain = withoutFormulaGuard(text);
    if (plain !== text) context.warn(guardsRemovedWarning);
    return readText(plain);
  };
  return { read: formulas === 'raw' ? readText : read, empty: emptyValueOf(column) };
}

const guardsRemovedWarning: Warning = (count) =>
  `An apostrophe that protects against formulas was removed from ${count} ${count === 1 ? 'cell' : 'cells'}; formulas=raw keeps it.`;

/** The values of a column, in words of a warning. */
const kindTexts: Partial<Record<ColumnKind, string>> = {
  integer: 'a number',
  decimal: 'a number',
  float: 'a number',
  boolean: 'true or false',
  date: 'a date (YYYY-MM-DD)',
  time: 'a time (HH:MM:SS)',
  timestamp: 'a date and time (YYYY-MM-DD HH:MM:SS)',
};

/** The end of a warning about texts: the parameters that make the import convert them. */
function advice(kind: ColumnKind): string {
  const parameters = parametersOf(kind);
  if (parameters === undefined) return '';
  return ` Set ${parameters} to import texts of another format as values.`;
}

/** What SQLite reads in a date column. Numbers are Julian days or Unix times. */
const dateKinds: ReadonlySet<ValueKind> = new Set([
  ...(['date', 'timestamp', 'zoned timestamp', 'time'] as const),
  ...(['integer', 'decimal', 'float'] as const),
]);

const fittingKinds: Partial<Record<ColumnKind, ReadonlySet<ValueKind>>> = {
  date: dateKinds,
  time: dateKinds,
  timestamp: dateKinds,
};

/** SQLite accepts text in any column. Text that does not fit the declared type is imported with a warning. */
function readerWithTextWarning(column: Column, context: ImportContext): (text: string) => Value {
  const read = textReader(column);
  const { type } = column;
  const kindText = column.dynamic === true ? kindTexts[type.kind] : undefined;
  if (kindText === undefined) return read;
  const warning: Warning = (count) =>
    `${count} ${count === 1 ? 'cell' : 'cells'} of column "${column.name}" (${column.nativeType}) ${count === 1 ? 'contains' : 'contain'} text that is not ${kindText}; it was stored as text.${advice(type.kind)}`;
  const fitting = fittingKinds[type.kind];
  return (text) => {
    const value = read(text);
    if (typeof value === 'string' && fitting?.has(textKind(value)) !== true) context.warn(warning);
    return value;
  };
}
