/** Computes times that a script gives relative to that of the import: `now() - INTERVAL '1 day'`. */
import { units } from './time-step.ts';
import type { SqlValue } from './literals.ts';
import type { Interval, TimeStep, TimeUnit } from './time-step.ts';

export type NowValue = Extract<SqlValue, { readonly kind: 'now' }>;

const unitNames: Readonly<Record<string, readonly [keyof Interval, number]>> = {
  YEAR: ['months', 12],
  QUARTER: ['months', 3],
  MONTH: ['months', 1],
  MON: ['months', 1],
  WEEK: ['days', 7],
  DAY: ['days', 1],
  HOUR: ['seconds', 3600],
  MINUTE: ['seconds', 60],
  MIN: ['seconds', 60],
  SECOND: ['seconds', 1],
  SEC: ['seconds', 1],
};

const none: Interval = { months: 0, days: 0, seconds: 0 };

/** A number of units, which may be in the plural. Undefined for other words. */
export function intervalOf(count: number, word: string): Interval | undefined {
  const name = word.toUpperCase();
  const unit = [name, name.replace(/S$/, '')].find((each) => Object.hasOwn(unitNames, each));
  if (unit === undefined || !Number.isSafeInteger(count)) return undefined;
  const [part, factor] = unitNames[unit]!;
  return { ...none, [part]: count * factor };
}

/** Reads `1 year -2 days`. Undefined for other forms. */
export function intervalOfText(text: string): Interval | undefined {
  const parts = [...text.matchAll(/([+-]?\d{1,6})\s*([A-Za-z]+)/g)];
  if (parts.length === 0 || text.replaceAll(/[+-]?\d{1,6}\s*[A-Za-z]+/g, '').trim() !== '')
    return undefined;
  let sum = none;
  for (const [, count, word = ''] of parts) {
    const interval = intervalOf(Number(count), word);
    if (interval === undefined) return undefined;
    sum = {
      months: sum.months + interval.months,
      days: sum.days + interval.days,
      seconds: sum.seconds + interval.seconds,
    };
  }
  return sum;
}

export function negative({ months, days, seconds }: Interval): Interval {
  return { months: -months, days: -days, seconds: -seconds };
}

/** `date_trunc('month', now())` */
export function truncateTime([unit, value, ...others]: readonly SqlValue[]): SqlValue | undefined {
  if (unit?.kind !== 'text' || value?.kind !== 'now' || others.length > 0) return undefined;
  const name = units.find((each) => each === unit.raw.toLowerCase());
  return name && value.part !== 'time' ? withStep(value, { truncate: name }) : undefined;
}

/** A date becomes the time at its beginning. */
export function withStep(value: NowValue, step: TimeStep): NowValue {
  const fromMidnight = value.part === 'date' || value.fromMidnight === true;
  return { ...value, part: 'timestamp', fromMidnight, steps: [...(value.steps ?? []), step] };
}

/** The instant of the value, in UTC. */
export function instantOf(now: Date, { steps = [], fromMidnight }: NowValue): Date {
  const start = fromMidnight === true ? truncated(now, 'day') : now;
  let instant = start;
  for (const step of steps)
    instant = 'truncate' in step ? truncated(instant, step.truncate) : shifted(instant, step);
  return instant;
}

/** As databases do, months first, and at most to the last day of the month. */
function shifted(instant: Date, { months, days, seconds }: Interval): Date {
  const moved = new Date(instant);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new Date(moved);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  moved.setUTCDate(Math.min(instant.getUTCDate(), last.getUTCDate()));
  moved.setUTCDate(moved.getUTCDate() + days);
  moved.setUTCSeconds(moved.getUTCSeconds() + seconds);
  return moved;
}

function truncated(instant: Date, unit: TimeUnit): Date {
  const [year, month, day] = [
    instant.getUTCFullYear(),
    instant.getUTCMonth(),
    instant.getUTCDate(),
  ];
  const midnight = Date.UTC(year, month, day);
  // Weeks begin on Monday.
  const weekday = (instant.getUTCDay() + 6) % 7;
  const ms = { hour: 3_600_000, minute: 60_000, second: 1000 };
  if (unit === 'year') return new Date(Date.UTC(year, 0));
  if (unit === 'month') return new Date(Date.UTC(year, month));
  if (unit === 'week') return new Date(Date.UTC(year, month, day - weekday));
  if (unit === 'day') return new Date(midnight);
  return new Date(Math.floor(instant.getTime() / ms[unit]) * ms[unit]);
}
