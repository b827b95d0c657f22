/** Rejected rows of CSV files and workbooks as CSV: each after the reason. */
import { guardFormula } from '../../portable/files/guard-formula.ts';
import { reasonColumn } from '../../portable/files/reason-column.ts';
import type { CellFormat } from '../../portable/cells/cell-format.ts';
import type { CellRecord, ColumnMapping, CsvRecord } from '../../formats/row-import.ts';

/** The first row of the file, or of the sheet. */
export interface RecordHeading {
  readonly names: readonly string[];
  readonly columns: ColumnMapping['columns'];
  /** The file itself has rejected rows of an earlier import. */
  readonly startsWithReason: boolean;
}

/** Excel reads UTF-8 as such only after a byte order mark. */
const byteOrderMark = '\ufeff';

const standard = { delimiter: ',', quote: '"' } as const;

/** A line of the file. The reader reuses the buffers of the row afterwards. */
export function csvLine(
  heading: RecordHeading,
  content: CsvRecord | CellRecord,
  { reason, formulas }: { readonly reason: string } & Pick<CellFormat, 'formulas'>,
): string {
  const first = heading.startsWithReason ? 1 : 0;
  const { delimiter, quote } = separatorsOf(content);
  const text =
    content.kind === 'csv'
      ? content.text(first)
      : cellFields(content.texts(heading.columns).slice(first), formulas);
  return `${field(guardFormula(reason), quote)}${delimiter}${text}\n`;
}

export function csvHeader(
  { names, startsWithReason }: RecordHeading,
  content: CsvRecord | CellRecord,
): string {
  const { delimiter, quote } = separatorsOf(content);
  const ofFile = startsWithReason ? names.slice(1) : names;
  const fields = [reasonColumn(ofFile), ...ofFile].map((name) => field(name, quote));
  return `${byteOrderMark}${fields.join(delimiter)}\n`;
}

function separatorsOf(content: CsvRecord | CellRecord): Pick<CsvRecord, 'delimiter' | 'quote'> {
  return content.kind === 'csv' ? content : standard;
}

function cellFields(texts: readonly string[], formulas: CellFormat['formulas']): string {
  const guarded = formulas === 'raw' ? texts : texts.map((text) => guardFormula(text));
  return guarded.map((text) => (text === '' ? '' : field(text, standard.quote))).join(',');
}

function field(text: string, quote: string): string {
  const isPlain = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]*$/u.test(text);
  return isPlain ? text : `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;
}
