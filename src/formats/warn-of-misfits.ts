/** Warns of values that a column keeps although its declared type does not have them (SQLite). */
import { changeFinder, decimalsOf } from '../model/values/stored-value.ts';
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
};

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

/** `advice` ends the warning about texts. Undefined for columns that reject what does not fit. */
export function misfitWarner(
  column: Column,
  context: Pick<ImportContext, 'warn'>,
  advice = '',
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
  readonly advice: string;
  readonly warner: Warner;
}

const warners = new WeakMap<Column, KnownWarner>();

function createWarner(
  column: Column,
  context: Pick<ImportContext, 'warn'>,
  advice: string,
): Warner {
  const { type } = column;
  const kindText = kindTexts[type.kind];
  const textWarning = warningOf(
    column,
    `text that is not ${kindText}; it is kept as text.${advice}`,
  );
  const misfit = findMisfit(type);
  if (kindText === undefined && misfit === undefined) return undefined;
  const misfitWarning = warningOf(
    column,
    `${misfit?.what}, which the declared type does not allow; the database keeps it.`,
  );
  const fitting = fittingKinds[type.kind];
  return (value) => {
    const isText = typeof value === 'string' && kindText !== undefined;
    if (isText && fitting?.has(textKind(value)) !== true) context.warn(textWarning);
    else if (misfit?.isIn(value) === true) context.warn(misfitWarning);
  };
}

function warningOf({ name, nativeType }: Column, what: string): Warning {
  return (count) =>
    `${count} ${count === 1 ? 'cell' : 'cells'} of column "${name}" (${nativeType}) ${count === 1 ? 'contains' : 'contain'} ${what}`;
}

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
    case 'decimal':
      return type.scale === undefined ? undefined : moreDecimals(type.scale);
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
    what: `more than ${length} ${length === 1 ? 'character' : 'characters'}`,
    isIn: (value) =>
      typeof value === 'string' && value.length > length && [...value].length > length,
  };
}

function moreDecimals(scale: number): Misfit {
  return {
    what: `more than ${scale} ${scale === 1 ? 'decimal' : 'decimals'}`,
    isIn: (value) =>
      typeof value === 'number' && Number.isFinite(value) && decimalsOf(String(value)) > scale,
  };
}
