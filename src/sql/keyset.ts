import type { Dialect } from '../model/database.ts';
import type { Fragment } from '../model/fragment.ts';
import type { Row, Value } from '../model/values.ts';
import type { OrderTerm } from './select.ts';
import { param, raw, sql } from '../model/fragment.ts';

/**
 * The rows that come after the one with these order values, NULLs last, as conditions to be read
 * one after the other: for (a, b) first `a = x AND b > y`, then `a > x`. Each is one range of an
 * index on the order, which an OR of them would not be.
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

/** Beyond the value, then NULL. */
function isAfter(dialect: Dialect, term: OrderTerm, value: Value): readonly Fragment[] {
  if (value === null) return [];
  const name = dialect.quoteName(term.column.name);
  const beyond = sql`${name} ${term.descending ? '<' : '>'} ${param(value, term.column.type)}`;
  return term.column.nullable ? [beyond, raw(`${name} IS NULL`)] : [beyond];
}

function isEqual(dialect: Dialect, term: OrderTerm, value: Value): Fragment {
  const name = dialect.quoteName(term.column.name);
  return value === null ? raw(`${name} IS NULL`) : sql`${name} = ${param(value, term.column.type)}`;
}
