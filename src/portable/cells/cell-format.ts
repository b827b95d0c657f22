/** How the text of cells is written where that depends on the country: numbers, dates and booleans. */
import { StudioError } from '../../model/errors.ts';
import { withIsoOffset } from './iso-offset.ts';
import { isDay } from './value-kind.ts';
import type { Column, ColumnKind } from '../../model/schema.ts';
import type { FormulaGuard } from '../files/guard-formula.ts';

export type FormatName = 'numbers' | 'dates' | 'words';

export type DateOrder = 'DMY' | 'MDY' | 'YMD';

export interface CellFormat {
  readonly formulas: FormulaGuard;
  /** Undefined: not known before a value depends on it. `ambiguous`: the file does not show it. */
  readonly decimal?: 'comma' | 'point' | 'ambiguous' | undefined;
  /** The request names `decimal`; the values of the file need not show it. */
  readonly isDecimalRequested?: boolean | undefined;
  /** Points in numbers such as `1.234` can be decimal points or stand between thousands. */
  readonly hasUnclearPoints?: boolean | undefined;
  /** In the same way as `decimal`. */
  readonly dateOrder?: DateOrder | 'ambiguous' | undefined;
  /**
   * The formats that also apply to columns that store any text as it is (SQLite). Texts there are
   * converted only on request, because an export of such a column must be imported unchanged.
   */
  readonly ofAnyText?: ReadonlySet<FormatName> | undefined;
  /**
   * The program that wrote the file quotes every field, NULL too. Columns that store any text as it is
   * then read an empty text as NULL, as others always do.
   */
  readonly isEmptyTextMissing?: boolean | undefined;
  readonly trueWords?: readonly string[] | undefined;
  readonly falseWords?: readonly string[] | undefined;
  /** The text of NULL, besides an empty cell. */
  readonly nullText?: string | undefined;
  /** Ignores white space around the text. */
  readonly trim?: boolean | undefined;
}

/** What the format of a cell depends on. */
export type CellColumn = Pick<Column, 'name' | 'nativeType' | 'nullable' | 'dynamic'> & {
  readonly type: { readonly kind: ColumnKind };
  /** As in `Column`. */
  readonly fileType?: { readonly kind: ColumnKind };
};

/** A text that the format does not make a value of the column. */
export class CellFormatError extends StudioError {
  /** What is wrong with the text. The message also has the column and the parameter to set. */
  readonly reason: string;

  constructor({ name, nativeType }: CellColumn, { reason, advice = '' }: CellProblem) {
    const message = `Column "${name}" (${nativeType}): ${[reason, advice].filter((text) => text !== '').join(' ')}`;
    super('invalid_value', message, { column: name });
    this.reason = reason;
  }
}

interface CellProblem {
  readonly reason: string;
  /** The parameter to set. */
  readonly advice?: string;
}

/** Thrown for a value that depends on a format which only all values of the file can show. */
export class UndecidedFormat extends Error {}

/** Converts the text of a cell to the form that its column reads. Fails with `invalid_value`. */
type Convert = (text: string) => string;

/** Undefined for columns whose texts are stored as they are. */
export function cellConverter(column: CellColumn, format: CellFormat): Convert | undefined {
  const name = formatNames[column.type.kind];
  if (name === undefined) return undefined;
  if (column.dynamic === true && format.ofAnyText?.has(name) !== true) return undefined;
  return converters[name](column, format);
}

type MakeConverter = (column: CellColumn, format: CellFormat) => Convert;

const numbers: MakeConverter = (column, { decimal, hasUnclearPoints }) => {
  if (decimal === 'point') return (text) => pointNumber(text) ?? text;
  return (text) => {
    if (decimal === 'comma') return commaNumber(text) ?? rejectGrouped(text, column);
    // Its point may stand between thousands too.
    if (decimal === undefined && groupedPattern.test(text)) throw new UndecidedFormat();
    if (hasUnclearPoints === true && groupedPattern.test(text))
      throw new CellFormatError(column, {
        reason: `${JSON.stringify(text)} can have a decimal point or points between thousands.`,
        advice: 'Set decimal to comma or point.',
      });
    if (!text.includes(',') || (commaNumber(text) ?? pointNumber(text)) === undefined) return text;
    if (decimal === undefined) throw new UndecidedFormat();
    throw new CellFormatError(column, {
      reason: `${JSON.stringify(text)} can have a decimal comma or a comma between thousands.`,
      advice: 'Set decimal to comma or point.',
    });
  };
};

/** A number whose points can be between thousands: `1.234`. */
export const groupedPattern = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+$/;

/** A point is between thousands if the decimal character is a comma. */
function rejectGrouped(text: string, column: CellColumn): string {
  if (!/^[+-]?\d*\.\d+$/.test(text)) return text;
  throw new CellFormatError(column, {
    reason: `${JSON.stringify(text)} has a decimal point, but numbers of the file have a decimal comma.`,
    advice: 'Set decimal to point if that is wrong.',
  });
}

/** Between thousands there may be points or blanks, also those that do not break (French, Swedish). */
const commaPattern =
  /^([+-]?)(\d{1,3}(?:\.\d{3})+|\d{1,3}(?:[ \u00A0\u202F]\d{3})+|\d+)(?:,(\d+))?$/;

/** Reads a number with a decimal comma or none, with points or blanks between thousands or not. */
export function commaNumber(text: string): string | undefined {
  const [, sign = '', integerDigits, fraction] = commaPattern.exec(text) ?? [];
  if (integerDigits === undefined) return undefined;
  const digits = sign + integerDigits.replaceAll(/\D/g, '');
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

const commaGroups = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;

/** Reads a number with commas between thousands, such as `1,234.5`. Undefined without such commas. */
export function pointNumber(text: string): string | undefined {
  return commaGroups.test(text) ? text.replaceAll(',', '') : undefined;
}

const localDate =
  /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[ T](\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?))?$/;

export interface LocalDate {
  /** The texts in ISO 8601 of the orders that give a day. */
  readonly orders: ReadonlyMap<DateOrder, string>;
  readonly hasTime: boolean;
}

/** Reads a date of numbers that is not in ISO 8601. Undefined for other texts. */
export function readLocalDate(text: string): LocalDate | undefined {
  const [, first = '', separator = '', second = '', third = '', time] = localDate.exec(text) ?? [];
  if (separator === '' || (separator === '-' && first.length === 4)) return undefined;
  const clock =
    time === undefined
      ? ''
      : ` ${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : 0, '0')}`;
  const orders = new Map<DateOrder, string>();
  const add = (order: DateOrder, parts: readonly [string, string, string]): void => {
    const [year, month, day] = parts;
    if (year.length !== 4 || day.length > 2 || !isDay(Number(year), Number(month), Number(day)))
      return;
    orders.set(order, `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${clock}`);
  };
  add('DMY', [third, second, first]);
  add('MDY', [third, first, second]);
  add('YMD', [first, second, third]);
  return { orders, hasTime: time !== undefined };
}

const dates: MakeConverter =
  (column, { dateOrder }) =>
  (text) => {
    const local = readLocalDate(text);
    if (local === undefined) return column.type.kind === 'timestamp' ? withIsoOffset(text) : text;
    const { orders } = local;
    const iso = orders.get('YMD') ?? orders.get(dateOrder as DateOrder);
    const [only, other] = new Set(orders.values());
    if (iso !== undefined) return iso;
    if (only === undefined)
      throw new CellFormatError(column, {
        reason: `${JSON.stringify(text)} is not a date.${/\d{4}/.test(text) ? '' : ' Years have four digits.'}`,
      });
    if (dateOrder === undefined) throw new UndecidedFormat();
    if (dateOrder === 'ambiguous' && other === undefined) return only;
    throw new CellFormatError(
      column,
      dateOrder === 'ambiguous'
        ? {
            reason: `${JSON.stringify(text)} can be read in several orders.`,
            advice: 'Set date_order to DMY or MDY.',
          }
        : {
            reason: `${JSON.stringify(text)} is not a date in the order ${dateOrder}, that of the file.`,
            advice: 'Set date_order if that is wrong.',
          },
    );
  };

/** The words of one language, each with its opposite. */
export const booleanWords: readonly (readonly [yes: string, no: string])[] = [
  ['true', 'false'],
  ['yes', 'no'],
  ['y', 'n'],
  ['t', 'f'],
  ['on', 'off'],
  ['ja', 'nein'],
  ['j', 'n'],
  ['wahr', 'falsch'],
  ['oui', 'non'],
  ['vrai', 'faux'],
  ['si', 'no'],
  ['sí', 'no'],
  ['verdadero', 'falso'],
  ['sì', 'no'],
  ['vero', 'falso'],
  ['sim', 'não'],
  ['tak', 'nie'],
  ['ja', 'nee'],
  ['ja', 'nej'],
  ['да', 'нет'],
];

const words: MakeConverter = (column, { trueWords, falseWords }) => {
  const valuesByWord = new Map(
    booleanWords.flatMap(([yes, no]) => [[yes, '1'] as const, [no, '0'] as const]),
  );
  for (const word of trueWords ?? []) valuesByWord.set(word.toLowerCase(), '1');
  for (const word of falseWords ?? []) valuesByWord.set(word.toLowerCase(), '0');
  const isNumber = /^[+-]?\d+$/;
  return (text) => {
    const word = text.trim().toLowerCase();
    const truth = valuesByWord.get(word);
    if (truth !== undefined || word === '1' || word === '0') return truth ?? word;
    if (isNumber.test(word) || column.dynamic === true) return text;
    throw new CellFormatError(column, {
      reason: `${JSON.stringify(text)} is neither true nor false.`,
      advice: 'Set true_words and false_words to the words of the file.',
    });
  };
};

const converters: Readonly<Record<FormatName, MakeConverter>> = { numbers, dates, words };

const formatNames: Partial<Record<ColumnKind, FormatName>> = {
  integer: 'numbers',
  decimal: 'numbers',
  float: 'numbers',
  date: 'dates',
  timestamp: 'dates',
  boolean: 'words',
};

/** The parameters of an import that say how values of the kind are written. */
export function parametersOf(kind: ColumnKind): string | undefined {
  const name = formatNames[kind];
  return name === undefined ? undefined : parameterNames[name];
}

const parameterNames: Readonly<Record<FormatName, string>> = {
  numbers: 'decimal',
  dates: 'date_order',
  words: 'true_words and false_words',
};

export const allFormats: ReadonlySet<FormatName> = new Set(['numbers', 'dates', 'words']);
