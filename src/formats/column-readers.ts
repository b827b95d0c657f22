import { textReader } from '../model/values/read-text-value.ts';
import {
  commaNumber,
  parametersOf,
  pointNumber,
  readLocalDate,
} from '../portable/cells/cell-format.ts';
import { hasOtherOffset } from '../portable/cells/iso-offset.ts';
import {
  emptyValueOf,
  formattedReader,
  readsEmptyAsNull,
} from '../portable/cells/formatted-reader.ts';
import { withoutFormulaGuard } from '../portable/files/guard-formula.ts';
import { misfitWarner } from './warn-of-misfits.ts';
import type { Column, ColumnKind, Table } from '../model/schema.ts';
import type { Value } from '../model/values.ts';
import type { ColumnReader } from '../portable/files/column-reader.ts';
import type { FormatAdvice } from './warn-of-misfits.ts';
import type { CellFormat } from '../portable/cells/cell-format.ts';
import type { ImportContext, ColumnMapping, Warning } from './row-import.ts';

/** One reader for each column of a file; undefined for columns that are skipped. */
export function createColumnReaders(
  { table, columns }: ColumnMapping,
  context: ImportContext,
  format: CellFormat,
): readonly (ColumnReader | undefined)[] {
  return columns.map((column) =>
    column === undefined
      ? undefined
      : withKeyWarning(columnReader(column, context, format), { table, column, context }),
  );
}

function columnReader(column: Column, context: ImportContext, format: CellFormat): ColumnReader {
  const { formulas } = format;
  const readCell = formattedReader(column, readerWithWarnings(column, context), format);
  const warnsOfEmpty = column.nullable && readsEmptyAsNull(column, format);
  const readText = warnsOfEmpty ? withEmptyWarning(readCell, context) : readCell;
  const read = (text: string): Value => {
    const plain = withoutFormulaGuard(text);
    if (plain !== text) context.warn(guardsRemovedWarning);
    return readText(plain);
  };
  return { read: formulas === 'raw' ? readText : read, empty: emptyValueOf(column) };
}

function withEmptyWarning(
  read: ColumnReader['read'],
  { warn }: ImportContext,
): ColumnReader['read'] {
  return (text) => {
    if (text === '') warn(emptyTextsWarning);
    return read(text);
  };
}

const emptyTextsWarning: Warning = (count) =>
  `${count} empty ${count === 1 ? 'text' : 'texts'} in quotes, in columns whose type has no empty text, ${count === 1 ? 'was' : 'were'} imported as NULL.`;

interface KeyContext {
  readonly table: Table;
  readonly column: Column;
  readonly context: ImportContext;
}

/** An empty cell is no error where a key can be the empty text or NULL (SQLite), but is hardly meant. */
function withKeyWarning(
  reader: ColumnReader,
  { table, column, context }: KeyContext,
): ColumnReader {
  const { empty, read } = reader;
  const isKey = table.primaryKey?.columns.includes(column.name) === true;
  const isNullStored =
    table.nullableKey === true && column.nullable && column.autoIncrement !== true;
  if (!isKey || (empty === null && !isNullStored)) return reader;
  const stored = empty === null ? 'NULL' : 'the empty text';
  const warning: Warning = (count) =>
    `${count} empty ${count === 1 ? 'cell' : 'cells'} of column "${column.name}", which is part of the primary key of table "${table.name}", ${count === 1 ? 'was' : 'were'} imported as ${stored}.`;
  return {
    read,
    get empty() {
      context.warn(warning, '');
      return empty;
    },
  };
}

const guardsRemovedWarning: Warning = (count) =>
  `An apostrophe that protects against formulas was removed from ${count} ${count === 1 ? 'cell' : 'cells'}; formulas=raw keeps it.`;

/** Whether a text is a value of the kind in the format of some country. Any word may mean true or false. */
const isFormatted: Partial<Record<ColumnKind, (text: string) => boolean>> = {
  integer: isLocalNumber,
  decimal: isLocalNumber,
  float: isLocalNumber,
  date: isLocalDate,
  timestamp: (text) => isLocalDate(text) || hasOtherOffset(text.trim()),
  boolean: () => true,
};

function isLocalNumber(text: string): boolean {
  const plain = text.trim();
  return (commaNumber(plain) ?? pointNumber(plain)) !== undefined;
}

function isLocalDate(text: string): boolean {
  return (readLocalDate(text.trim())?.orders.size ?? 0) > 0;
}

const knownAdvice = new Map<ColumnKind, FormatAdvice>();

/** The parameters that make the import convert texts of the kind. Always the same object, which warnings are counted by. */
function adviceFor(kind: ColumnKind): FormatAdvice | undefined {
  const parameters = parametersOf(kind);
  const appliesTo = isFormatted[kind];
  if (parameters === undefined || appliesTo === undefined) return undefined;
  const names = parameters.split(' and ').map((name) => `\`${name}\``);
  const sentence = ` Set the format of the values (${names.join(' and ')}) to import such texts as values.`;
  const advice = knownAdvice.get(kind) ?? { sentence, appliesTo };
  knownAdvice.set(kind, advice);
  return advice;
}

/** SQLite accepts any value in any column. */
function readerWithWarnings(column: Column, context: ImportContext): (text: string) => Value {
  const read = textReader(column);
  const warn = misfitWarner(column, context, adviceFor(column.type.kind));
  if (warn === undefined) return read;
  return (text) => {
    const value = read(text);
    warn(value);
    return value;
  };
}
