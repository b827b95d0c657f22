/** Functions of times that depend on the time of the import or on a format. */
import { randomUUID } from 'node:crypto';
import { fieldOfTime } from './time-fields.ts';
import { formatTime, parseTime } from './time-formats.ts';
import type { TimeFunctionName } from '../../../sql/data-script.ts';
import type { SqlValue } from './literals.ts';
import type { TimeFormatName } from './time-formats.ts';

/** Undefined for arguments that are not supported. */
type TimeFunction = (
  args: readonly SqlValue[],
  context: { readonly now: Date },
) => SqlValue | undefined;

export const timeFunctions: Readonly<Record<TimeFunctionName, TimeFunction>> = {
  'field-of-time': namedField(false),
  'field-or-epoch': namedField(true),
  year: fieldFunction('YEAR'),
  month: fieldFunction('MONTH'),
  'day-of-month': fieldFunction('DAY'),
  'text-by-fields': formatFunction('fields', 0),
  'text-by-percent': formatFunction('percent', 0),
  'text-by-strftime': formatFunction('strftime', 1),
  'time-by-fields': parseFunction('fields'),
  'time-by-percent': parseFunction('percent'),
  'random-uuid': (args) => (args.length === 0 ? { kind: 'text', raw: randomUUID() } : undefined),
};

function namedField(hasEpoch: boolean): TimeFunction {
  return ([field, value, ...others], { now }) =>
    field?.kind === 'text' && value !== undefined && others.length === 0
      ? fieldOfTime(field.raw, value, { now, hasEpoch })
      : undefined;
}

function fieldFunction(name: string): TimeFunction {
  return ([value, ...others], { now }) =>
    value !== undefined && others.length === 0
      ? fieldOfTime(name, value, { now, hasEpoch: false })
      : undefined;
}

function formatFunction(name: TimeFormatName, valueAt: 0 | 1): TimeFunction {
  return (args, { now }) => {
    const value = args[valueAt];
    // SQLite writes the current time as the text 'now'.
    const isNow =
      name === 'strftime' && value?.kind === 'text' && value.raw.toLowerCase() === 'now';
    const time: SqlValue | undefined = isNow ? { kind: 'now', part: 'timestamp' } : value;
    return args.length === 2 ? formatTime(time, args[1 - valueAt], { now, name }) : undefined;
  };
}

function parseFunction(name: TimeFormatName): TimeFunction {
  return ([value, format, ...others]) =>
    others.length === 0 ? parseTime(value, format, name) : undefined;
}
