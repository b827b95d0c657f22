/** How an import converts the cells of a file. The browser computes it with the code of the server. */
import { readBoolean } from '../../../src/model/values/boolean-text.ts';
import {
  allFormats,
  booleanWords,
  CellFormatError,
  commaNumber,
  parametersOf,
  pointNumber,
  readLocalDate,
} from '../../../src/portable/cells/cell-format.ts';
import type { CellColumn, CellFormat, DateOrder } from '../../../src/portable/cells/cell-format.ts';
import {
  createProfile,
  observe,
  observeNumber,
} from '../../../src/portable/cells/column-profile.ts';
import type { ColumnProfile } from '../../../src/portable/cells/column-profile.ts';
import { hasOtherOffset } from '../../../src/portable/cells/iso-offset.ts';
import { withoutFormulaGuard } from '../../../src/portable/files/guard-formula.ts';
import { emptyValueOf, formattedReader } from '../../../src/portable/cells/formatted-reader.ts';
import { areBooleanWords, formatOf } from '../../../src/portable/cells/local-profile.ts';
import type { FileFormat } from '../../../src/portable/cells/local-profile.ts';
import {
  decimalOf,
  hasUnclearPoints,
  mayHaveGroups,
} from '../../../src/portable/cells/unclear-points.ts';
import type { Column } from '../api/responses.ts';
import type { FileHead } from '../file-preview/file-preview.ts';
import { wordsOf } from './import-choices.ts';
import type { ImportChoices } from './import-choices.ts';

export interface CellPreview {
  /** The text of the value that is imported. Null for NULL. */
  readonly text: string | null;
  /** The text in the file, if the import converts it. */
  readonly source?: string;
  /** Why the value cannot be imported. */
  readonly error?: string;
  /** The column stores the text as it is, although a format would make it a value. */
  readonly isUnconverted?: boolean;
  /** The format that makes it a value. Undefined if the first rows do not show which. */
  readonly conversion?: Conversion | undefined;
}

interface Conversion {
  readonly text: string;
  readonly choices: ConversionChoices;
}

/** Options of the import that convert a text. */
interface ConversionChoices {
  readonly decimal?: 'comma' | 'point';
  readonly dateOrder?: DateOrder;
  readonly trueWords?: string;
  readonly falseWords?: string;
}

/** Whether the user should say how the value is written. */
export function isProblem({ error, isUnconverted }: CellPreview): boolean {
  return error !== undefined || isUnconverted === true;
}

/** Previews a cell, from its text in the file. Null is a field without any text. `isNumber`: the file stores a number. */
export type PreviewCell = (text: string | null, isNumber?: boolean) => CellPreview;

/** The formats that the first rows show, and what is known of each column. */
interface SampledFormat {
  readonly foundFormat: FileFormat & { readonly hasUnclearPoints: boolean };
  readonly profiles: readonly ColumnProfile[];
}

interface PreviewRequest {
  readonly head: FileHead;
  readonly choices: ImportChoices;
  /** The file's columns that are imported, with those of the table. Undefined for a table that the import creates. */
  readonly columnOf: ((name: string) => Column | undefined) | undefined;
  readonly storesAnyText: boolean;
}

/** The previews for each column of the file. Undefined for files with typed values. */
export function previewCells({
  head,
  choices,
  columnOf,
  storesAnyText,
}: PreviewRequest): readonly PreviewCell[] | undefined {
  const sampledFormat = sampleFormat(head, choices);
  if (sampledFormat === undefined) return undefined;
  const { isEmptyTextMissing } = head;
  const format = { ...formatOfChoices(choices, sampledFormat.foundFormat), isEmptyTextMissing };
  return head.columns.map((name, i) => {
    const column = columnOf?.(name);
    if (column !== undefined) return cellPreview(column, format, storesAnyText);
    return newCellPreview(name, sampledFormat.profiles[i], format);
  });
}

/** Undefined for files with typed values. */
export function sampleFormat(
  { columns, sample, numbers }: FileHead,
  { nullText, trimsTexts, delimiter }: Pick<ImportChoices, 'nullText' | 'trimsTexts' | 'delimiter'>,
): SampledFormat | undefined {
  if (sample === undefined) return undefined;
  const profiles = columns.map(() => createProfile());
  for (const [number, row] of sample.entries())
    for (const [i, profile] of profiles.entries()) {
      if (numbers?.[number]?.[i] === true) observeNumber(profile, row[i] ?? '');
      const field = row[i] ?? '';
      const text = trimsTexts ? field.trim() : field;
      if (text !== '' && text !== nullText)
        observe(profile, { text, line: number + 1 }, { isJson: false, mixesDates: false });
    }
  const format = formatOf(profiles.flatMap(({ local }) => local?.notation ?? []));
  const evidence = { profiles, format, delimiter: delimiter === '' ? undefined : delimiter };
  const foundFormat = { ...format, hasUnclearPoints: hasUnclearPoints(evidence) };
  return { foundFormat, profiles };
}

/** The format by which the import reads cells: as the user says, else as the first rows show. */
function formatOfChoices(
  choices: ImportChoices,
  foundFormat: SampledFormat['foundFormat'],
): CellFormat {
  const { decimal, dateOrder, nullText, trimsTexts, keepsFormulaApostrophes } = choices;
  const trueWords = wordsOf(choices.trueWords);
  const falseWords = wordsOf(choices.falseWords);
  const requested = [
    ...(decimal === '' ? [] : (['numbers'] as const)),
    ...(dateOrder === '' ? [] : (['dates'] as const)),
    ...(trueWords === undefined && falseWords === undefined ? [] : (['words'] as const)),
  ];
  return {
    formulas: keepsFormulaApostrophes ? 'raw' : 'guarded',
    decimal: decimal === '' ? foundFormat.decimal : decimal,
    isDecimalRequested: decimal !== '',
    hasUnclearPoints: decimal === '' && foundFormat.hasUnclearPoints,
    dateOrder: dateOrder === '' ? foundFormat.dateOrder : dateOrder,
    ofAnyText: new Set(requested),
    trueWords,
    falseWords,
    nullText: nullText === '' ? undefined : nullText,
    trim: trimsTexts,
  };
}

/** Previews cells for an existing column. `storesAnyText`: the column stores a text that does not fit its type. */
function cellPreview(
  { name, type, kind, is_nullable: nullable }: Column,
  format: CellFormat,
  storesAnyText: boolean,
): PreviewCell {
  const column: CellColumn = {
    name,
    nativeType: type,
    nullable,
    type: { kind: kind as CellColumn['type']['kind'] },
    ...(storesAnyText ? { dynamic: true } : {}),
  };
  const preview = readerOf(column, format);
  if (!storesAnyText) return preview;
  const convert = readerOf(column, { ...format, ofAnyText: allFormats });
  return (text, isNumber) => {
    const read = preview(text, isNumber);
    const converted = convert(text, isNumber);
    const isUnconverted = converted.error !== undefined || converted.text !== read.text;
    if (!isUnconverted || read.error !== undefined) return read;
    return { ...read, isUnconverted, conversion: conversionTo(text, column, format) };
  };
}

/** The format that the file shows, or else the text itself. Undefined if it can be read in several ways. */
function conversionTo(
  source: string | null,
  column: CellColumn,
  format: CellFormat,
): Conversion | undefined {
  if (source === null) return undefined;
  const choices = choicesFor(source, column.type.kind, format);
  if (choices === undefined) return undefined;
  const { trueWords, falseWords, ...orders } = choices;
  const words = { trueWords: wordsOf(trueWords ?? ''), falseWords: wordsOf(falseWords ?? '') };
  const convert = readerOf(column, { ...format, ...orders, ...words, ofAnyText: allFormats });
  const { text, error } = convert(source);
  return text === null || error !== undefined ? undefined : { text, choices };
}

function choicesFor(
  source: string,
  kind: CellColumn['type']['kind'],
  { decimal, dateOrder }: CellFormat,
): ConversionChoices | undefined {
  const parameter = parametersOf(kind);
  if (parameter === 'decimal') {
    if (decimal === 'comma' || decimal === 'point') return { decimal };
    const canBeComma = commaNumber(source) !== undefined;
    const canBePoint = pointNumber(source) !== undefined || !Number.isNaN(Number(source));
    if (canBeComma === canBePoint) return undefined;
    return { decimal: canBeComma ? 'comma' : 'point' };
  }
  if (parameter === 'date_order') {
    if (dateOrder !== undefined && dateOrder !== 'ambiguous') return { dateOrder };
    // The import converts offsets together with dates, and ISO 8601 needs no order.
    if (hasOtherOffset(source)) return { dateOrder: 'YMD' };
    const [only, other] = readLocalDate(source)?.orders.keys() ?? [];
    return only === undefined || other !== undefined ? undefined : { dateOrder: only };
  }
  const word = source.trim();
  const truth = parameter === undefined ? undefined : truthOf(word);
  return truth === undefined ? undefined : truth ? { trueWords: word } : { falseWords: word };
}

function truthOf(word: string): boolean | undefined {
  const pair = booleanWords.find((words) => words.includes(word.toLowerCase()));
  return pair && pair[0] === word.toLowerCase();
}

/** Previews cells for a column that the import creates with the type that its values show. */
function newCellPreview(
  name: string,
  profile: ColumnProfile | undefined,
  format: CellFormat,
): PreviewCell {
  const kind = profile === undefined ? 'text' : localKindOf(profile, format);
  const column: CellColumn = { name, nativeType: '', nullable: true, type: { kind } };
  const previewText = readerOf(column, format);
  const hasTexts = profile?.kind === undefined || profile.kind === 'text';
  const preview: PreviewCell = (text, isNumber) =>
    text === '' && !hasTexts ? { text: null } : previewText(text, isNumber);
  if (profile === undefined || !mayHaveGroups(profile, format)) return preview;
  return (text, isNumber) => ({ ...preview(text, isNumber), isUnconverted: text !== null });
}

/** The kind of a column whose values have the format of a locale, or an offset. Text for all others, which are not converted. */
function localKindOf(
  profile: ColumnProfile,
  format: CellFormat,
): 'decimal' | 'date' | 'timestamp' | 'boolean' | 'text' {
  if (profile.kind === 'zoned timestamp') return 'timestamp';
  const { dateOrder } = format;
  const notation = profile.local?.notation;
  if (notation?.kind === 'number')
    return decimalOf(profile, format) === undefined ? 'text' : 'decimal';
  if (notation?.kind === 'date')
    return dateOrder === 'ambiguous' && !notation.orders.has('YMD') ? 'text' : 'date';
  return notation?.kind === 'word' && areBooleanWords(notation) ? 'boolean' : 'text';
}

function readerOf(column: CellColumn, format: CellFormat): PreviewCell {
  const readText = column.type.kind === 'boolean' ? booleanText : (text: string) => text;
  const read = formattedReader(column, readText, format);
  const empty = emptyValueOf(column);
  const isNumeric = numberKinds.has(column.type.kind);
  return (source, isNumber = false) => {
    if (source === null) return { text: empty };
    if (isNumber && isNumeric) return { text: source };
    try {
      const text = read(format.formulas === 'raw' ? source : withoutFormulaGuard(source));
      return text === source ? { text } : { text, source };
    } catch (error) {
      if (!(error instanceof CellFormatError)) throw error;
      return { text: source, error: error.reason };
    }
  };
}

/** Kinds of columns that take the numbers of a workbook as they are. */
const numberKinds: ReadonlySet<string> = new Set(['integer', 'decimal', 'float', 'boolean']);

function booleanText(text: string): string {
  return readBoolean(text)?.toString() ?? text;
}
