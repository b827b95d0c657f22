/** Warns of values that a column keeps although its declared type does not have them (SQLite). */
import { changeFinder, decimalsOf } from '../model/values/stored-value.ts';
import { isJson } from '../model/values/json-text.ts';
import { hasOtherOffset } from '../portable/cells/iso-offset.ts';
import { textKind } from '../portable/cells/value-kind.ts';
import type { Column, ColumnKind, ColumnType } from '../model/schema.ts';
import type { Value } from '../model/values.ts';
import type { ValueKind } from '../portable/cells/value-kind.ts';
import type { ImportContext, Warning } from './row-import.ts';

/** The values of a column, in words of a warning. */
const kindTexts: Partial<Record<ColumnKind, string>> = {
  integer: 'a number',
  decimal: 'a number',
  float: 'a number',
  boolean: 'true or false',
  date: 'a date (YYYY-MM-DD)',
  time: 'a time (HH:MM:SS)',
  timestamp: 'a date and time (YYYY-MM-DD HH:MM:SS)',
  json: 'JSON',
  uuid: 'a UUID',
};

/** What SQLite reads in a date column. Numbers are Julian days or Unix times. */
const dateKinds: ReadonlySet<ValueKind> = new Set([
  ...(['date', 'timestamp', 'zoned timestamp', 'time'] as const),
  ...(['integer', 'decimal', 'float'] as const),
]);

type FitsText = (text: string) => boolean;

const isDateText: FitsText = (text) => dateKinds.has(textKind(text)) && !hasOtherOffset(text);
const uuidPattern = /^\{?[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}\}?$/i;

/** The texts that are values of a kind. Those of other kinds have been read as numbers. */
const fittingTexts: Partial<Record<ColumnKind, FitsText>> = {
  date: isDateText,
  time: isDateText,
  timestamp: isDateText,
  json: isJson,
  uuid: (text) => uuidPattern.test(text),
};

/** What to do about texts that another format of the values would convert. */
export interface FormatAdvice {
  /** The end of the warning. */
  readonly sentence: string;
  appliesTo(text: string): boolean;
}

/** Undefined for columns that reject what does not fit. */
export function misfitWarner(
  column: Column,
  context: Pick<ImportContext, 'warn'>,
  advice?: FormatAdvice,
): ((value: Value) => void) | undefined {
  if (column.dynamic !== true) return undefined;
  // Rows with other keys have readers of their own, and share the count.
  const known = warners.get(column);
  if (known?.context === context && known.advice === advice) return known.warner;
  const warner = createWarner(column, context, advice);
  warners.set(column, { context, advice, warner });
  return warner;
}

type Warner = ((value: Value) => void) | undefined;

interface KnownWarner {
  readonly context: unknown;
  readonly advice: FormatAdvice | undefined;
  readonly warner: Warner;
}

const warners = new WeakMap<Column, KnownWarner>();

function createWarner(
  column: Column,
  context: Pick<ImportContext, 'warn'>,
  advice: FormatAdvice | undefined,
): Warner {
  const { type } = column;
  const kindText = kindTexts[type.kind];
  const textWarning = warningOf(column, `text that is not ${kindText}; it is kept as text.`);
  const formatWarning = warningOf(
    column,
    `text that is not ${kindText}; it is kept as text.${advice?.sentence ?? ''}`,
  );
  const misfit = findMisfit(type);
  if (kindText === undefined && misfit === undefined) return undefined;
  const misfitWarning = warningOf(
    column,
    `${misfit?.what}, which the declared type does not allow; the database keeps it.`,
  );
  const fits = fittingTexts[type.kind];
  return (value) => {
    const isText = typeof value === 'string' && kindText !== undefined;
    if (isText && fits?.(value) !== true)
      context.warn(advice?.appliesTo(value) === true ? formatWarning : textWarning, value);
    else if (misfit?.isIn(value) === true) context.warn(misfitWarning, String(value));
  };
}

function warningOf({ name, nativeType }: Column, what: string): Warning {
  return (count) =>
    `${count} ${count === 1 ? 'cell' : 'cells'} of column "${name}" (${nativeType}) ${count === 1 ? 'contains' : 'contain'} ${what}`;
}

type DecimalType = Extract<ColumnType, { kind: 'decimal' }>;

interface Misfit {
  readonly what: string;
  isIn(value: Value): boolean;
}

/** What another database would round, cut or reject. */
function findMisfit(type: ColumnType): Misfit | undefined {
  switch (type.kind) {
    case 'text':
      return type.length === undefined ? undefined : longTexts(type.length);
    case 'integer':
      return { what: 'decimals', isIn: (value) => typeof value === 'number' && value % 1 !== 0 };
    case 'boolean':
      return {
        what: 'numbers other than 0 and 1',
        isIn: (value) => isNumber(value) && Number(value) !== 0 && Number(value) !== 1,
      };
    case 'decimal':
      return otherDecimals(type);
    case 'date': {
      const changeOf = changeFinder(type);
      return {
        what: 'a time of day',
        isIn: (value) => typeof value === 'string' && changeOf?.(value) !== undefined,
      };
    }
    default:
      return undefined;
  }
}

function longTexts(length: number): Misfit {
  return {
    what: `more than ${countText(length, 'character')}`,
    isIn: (value) =>
      typeof value === 'string' && value.length > length && [...value].length > length,
  };
}

function isNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function otherDecimals({ precision, scale }: DecimalType): Misfit | undefined {
  if (scale === undefined) return undefined;
  const integerDigits = precision === undefined ? Infinity : precision - scale;
  const limit = 10 ** integerDigits;
  const beforePoint =
    precision === undefined
      ? ''
      : ` or more than ${countText(integerDigits, 'digit')} before the point`;
  return {
    what: `more than ${countText(scale, 'decimal')}${beforePoint}`,
    isIn: (value) =>
      isNumber(value) &&
      Number.isFinite(Number(value)) &&
      (decimalsOf(String(value)) > scale || Math.abs(Number(value)) >= limit),
  };
}

function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
