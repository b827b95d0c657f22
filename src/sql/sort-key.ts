import { param, sql } from '../model/fragment.ts';
import { operatorOf } from './compare-column.ts';
import type { Column, ColumnInfo } from '../model/schema.ts';
import type { CursorKey, SortKey, TieBreaker } from '../model/sort-key.ts';

/** The sort key of a column whose comparison operators agree with ORDER BY; `name` is quoted. */
export function plainSortKey(
  name: string,
  column: Column,
  extras: Partial<CursorKey> & { readonly tieBreakers?: SortKey['tieBreakers'] } = {},
): SortKey {
  const { tieBreakers = [], ...cursor } = extras;
  return {
    order: name,
    cursor: {
      isExact: () => true,
      compare: (comparison, value) =>
        sql`${name} ${operatorOf(column, comparison)} ${param(value, column.type)}`,
      ...cursor,
    },
    tieBreakers,
  };
}

/** Most tie breakers are texts, such as a value in hex. The name of the column is never shown. */
const textColumn: ColumnInfo = { name: 'tie_breaker', type: { kind: 'text' } };

/** A tie breaker that ORDER BY and comparisons order alike; `selected` if SELECT needs another expression. */
export function tieBreaker(
  expression: string,
  { selected = expression, column = textColumn }: Partial<Selected> = {},
): TieBreaker {
  return {
    order: expression,
    cursor: {
      selected: { expression: selected, column },
      isExact: () => true,
      compare: (comparison, value) => sql`${expression} ${comparison} ${param(value)}`,
    },
  };
}

interface Selected {
  readonly selected: string;
  readonly column: ColumnInfo;
}
