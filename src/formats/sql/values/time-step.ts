/** How a script changes the current time. */

/** A part that is added or, with a negative number, subtracted. */
export interface Interval {
  readonly months: number;
  readonly days: number;
  readonly seconds: number;
}

export const units = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;

export type TimeUnit = (typeof units)[number];

export type TimeStep = Interval | { readonly truncate: TimeUnit };
