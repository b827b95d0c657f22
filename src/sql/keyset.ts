import type { Dialect } from '../model/database.ts';
import type { Fragment } from '../model/fragment.ts';
import type { Row, Value } from '../model/values.ts';
import type { OrderTerm } from './select.ts';
import { join, raw, sql } from '../model/fragment.ts';
import type { Comparison, TieBreaker } from '../model/sort-key.ts';

/**
 * Conditions for the rows after the one with these order values, NULLs last, to be queried one after
 * the other: for (a, b) first `a = x AND b > y`, then `a > x`. Each condition is one range of an
 * index on the order; a single query with OR would not use the index.
 */
export function rangesAfter(
  dialect: Dialect,
  order: readonly OrderTerm[],
  values: Row,
): readonly (readonly Fragment[])[] {
  const equal = order.map((term, i) => isEqual(dialect, term, values[i] ?? null));
  const ranges: (readonly Fragment[])[] = [];
  for (let i = order.length - 1; i >= 0; i--) {
    for (const after of isAfter(dialect, order[i]!, values[i] ?? null))
      ranges.push([...equal.slice(0, i), after]);
  }
  return ranges;
}

/** Greater values first, then NULL. */
function isAfter(dialect: Dialect, term: OrderTerm, value: Value): readonly Fragment[] {
  if (value === null) return [];
  const greater = compare(dialect, term, { comparison: term.descending ? '<' : '>', value });
  return term.column.nullable ? [greater, isNull(dialect, term)] : [greater];
}

function isEqual(dialect: Dialect, term: OrderTerm, value: Value): Fragment {
  return value === null
    ? isNull(dialect, term)
    : compare(dialect, term, { comparison: '=', value });
}

/** Order values that several rows may share. */
export interface SharedValues {
  readonly order: readonly OrderTerm[];
  readonly breakers: readonly TieBreaker[];
  /** The values of the order terms, followed by those of the tie breakers. */
  readonly values: Row;
}

/**
 * Conditions for the rows with these values (`at`), those after them (`after`), and both (`from`).
 * Each is one condition and therefore one scan: no index supports an order by all columns.
 */
export function conditionsAround(
  dialect: Dialect,
  { order, breakers, values }: SharedValues,
): Readonly<Record<'at' | 'after' | 'from', Fragment>> {
  const terms = [
    ...order.map((term, i) => {
      const value = values[i] ?? null;
      return { equal: isEqual(dialect, term, value), after: isAfter(dialect, term, value) };
    }),
    ...breakers.flatMap(({ cursor }, i) => {
      const value = values[order.length + i] ?? null;
      // Its column is NULL too, and the order terms compare that.
      if (value === null) return [];
      return [{ equal: cursor.compare('=', value), after: [cursor.compare('>', value)] }];
    }),
  ];
  const from = (isIncluded: boolean): Fragment =>
    terms.reduceRight<Fragment | undefined>((rest, { equal, after }, i) => {
      const isLast = i === terms.length - 1;
      const tied = rest === undefined ? [] : [sql`(${equal} AND ${rest})`];
      const all = [...after, ...(isLast && isIncluded ? [equal] : tied)];
      return all.length === 0 ? undefined : sql`(${join(all, ' OR ')})`;
    }, undefined) ?? raw('(1 = 0)');
  const at = join(
    terms.map(({ equal }) => equal),
    ' AND ',
  );
  return { at, after: from(false), from: from(true) };
}

/** Tests the sort expression instead of the column: in PostgreSQL a composite of NULLs `IS NULL`, but its text is not. */
function isNull(dialect: Dialect, { column }: OrderTerm): Fragment {
  return raw(`${dialect.sortKey(column).order} IS NULL`);
}

function compare(
  dialect: Dialect,
  { column }: OrderTerm,
  { comparison, value }: { readonly comparison: Comparison; readonly value: Value },
): Fragment {
  const { cursor } = dialect.sortKey(column);
  if (cursor === undefined)
    throw new Error(`The order of column "${column.name}" has no comparison that follows it.`);
  return cursor.compare(comparison, value);
}
