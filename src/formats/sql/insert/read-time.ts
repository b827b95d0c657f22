/** Converts dates and times of a script to ISO 8601, for databases that do not read their other forms. */
import { changeFinder } from '../../../model/values/stored-value.ts';
import { readLocalDate } from '../../../portable/cells/cell-format.ts';
import { convertTime, isTimeType } from '../../../sql/expression/time-literal.ts';
import { valueError } from './value-error.ts';
import { writtenTime } from './written-time.ts';
import type { Column } from '../../../model/schema.ts';
import type { DateOrder } from '../../../portable/cells/cell-format.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';
import type { TimeSyntax } from '../../../sql/expression/syntax.ts';
import type { TimeType } from '../../../sql/expression/time-literal.ts';

export interface TimeOptions {
  readonly dataScript: Pick<DataScriptRules, 'times'>;
  /** The script is in the dialect of the studio, so its values are for columns of that database. */
  readonly isOwnDialect: boolean;
  /** The order of dates such as `13.12.1956` in the rows that follow, if the request or the script names it. */
  readonly dateOrder: () => DateOrder | undefined;
}

export function isoOf(text: string, type: TimeType, times: TimeSyntax): string | undefined {
  return convertTime(text, type, { from: times, to: { ...times, storesTexts: true } });
}

/** Where any value can be stored, a date is the text that is stored. */
function storesTimesAsTexts({ dynamic, type }: Column): boolean {
  return dynamic === true && isTimeType(type);
}

const isoDate = /^\d{4}-\d\d-\d\d(?:$|[T ])/;

const afterHours = String.raw`:\d\d(?::\d\d(?:\.\d*)?)? *(?:Z|[+-]\d\d(?::?\d\d){0,2})?`;
/** The texts that a column stores unchanged, if the type of the column in the file is not known. */
const storedTimes = {
  date: new RegExp(
    String.raw`^\d{4}-\d\d-\d\d(?:[T ] *(?:[01]?\d|2[0-3])(?:${afterHours})?)?(?: BC)?$`,
  ),
  // MySQL has times of more than a day, and negative ones.
  time: new RegExp(`^-?\\d{1,3}${afterHours}$`),
} as const;

/**
 * Converts dates in other forms, such as `20200131`, to ISO 8601. The database reads them by itself if
 * the script is in its own dialect, unless it stores texts. Throws `invalid_value` for a date whose
 * meaning depends on settings, such as `01/02/2020`, where the text would be stored, unless the request
 * names the order.
 */
export function timeConverter(column: Column, options: TimeOptions): (text: string) => string {
  const { kind } = column.type;
  const toIso = isoConverter(column, options);
  if (kind !== 'date' && kind !== 'timestamp') return toIso;
  const lastYear = options.dataScript.times?.lastTwoDigitYear;
  return (text) => {
    const order = options.dateOrder();
    return (order && isoInOrder(withCentury(text, order, lastYear), order)) ?? toIso(text);
  };
}

const shortYear = {
  YMD: /^(?<before>)(?<year>\d\d)(?<after>([-/.])\d{1,2}\4\d{1,2}(?!\d).*)$/s,
  MDY: /^(?<before>\d{1,2}([-/.])\d{1,2}\2)(?<year>\d\d)(?<after>(?!\d).*)$/s,
  DMY: /^(?<before>\d{1,2}([-/.])\d{1,2}\2)(?<year>\d\d)(?<after>(?!\d).*)$/s,
} as const;

/** A date with a year of four digits: `06/12/94` is `06/12/1994`. */
function withCentury(text: string, order: DateOrder, lastYear: number | undefined): string {
  if (lastYear === undefined || !/^\d{1,2}\D/.test(text)) return text;
  const { before = '', year, after = '' } = shortYear[order].exec(text.trim())?.groups ?? {};
  if (year === undefined) return text;
  const century = lastYear - (lastYear % 100);
  const full = century + Number(year);
  return `${before}${full > lastYear ? full - 100 : full}${after}`;
}

/** A date that begins with its year is read as year, month, day wherever months come before days. */
function isoInOrder(text: string, order: DateOrder): string | undefined {
  const orders = readLocalDate(text)?.orders;
  return orders?.get(order) ?? (order === 'MDY' ? orders?.get('YMD') : undefined);
}

function knownForm({ kind }: TimeType, isStored: boolean): (text: string) => boolean {
  const stored = storedTimes[kind === 'time' ? 'time' : 'date'];
  const form = isStored || kind === 'time' ? stored : isoDate;
  return (text) => form.test(text);
}

function isoConverter(
  column: Column,
  { dataScript: { times }, isOwnDialect, dateOrder }: TimeOptions,
): (text: string) => string {
  const isStored = storesTimesAsTexts(column);
  const type = isStored && isTimeType(column.fileType) ? column.fileType : column.type;
  const isReadByDatabase = isOwnDialect && !isStored;
  if (times === undefined || times.storesTexts || isReadByDatabase || !isTimeType(type))
    return (text) => text;
  const hasFileType = type === column.fileType;
  const isInForm = hasFileType ? writtenTime(type, times) : knownForm(type, isStored);
  const changeOf = hasFileType ? changeFinder(type) : undefined;
  return (text) => {
    if (isInForm(text)) return text;
    // Only an order that the script sets can make the second number a day.
    const isYearFirst = dateOrder() === undefined;
    const converted =
      isoOf(text, type, times) ??
      (isYearFirst ? readLocalDate(text)?.orders.get('YMD') : undefined);
    // MySQL reads `1112` as 00:11:12, PostgreSQL as 11:12:00.
    const isAmbiguous = type.kind === 'time' && /^\s*-?\d{1,5}(?:\.\d*)?\s*$/.test(text);
    if (converted !== undefined || !(isStored || isAmbiguous || !isOwnDialect))
      return converted ?? text;
    const change = changeOf?.(text);
    if (change !== undefined) throw valueError(column, `"${text}" ${change}.`);
    if (/^\s*[+-]?infinity\s*$/i.test(text))
      throw valueError(
        column,
        `"${text}" is no ${type.kind} outside of PostgreSQL: write a ${type.kind} far away, or NULL.`,
      );
    const hint = readLocalDate(text) === undefined ? '' : ', or set date_order';
    throw valueError(
      column,
      `"${text}" has no certain meaning as a ${type.kind}: write ${type.kind === 'time' ? '23:59:59' : '2020-01-31'}${hint}.`,
    );
  };
}
