import { param, sql } from '../model/fragment.ts';
import { operatorOf } from './compare-column.ts';
import type { Column, ColumnInfo } from '../model/schema.ts';
import type { CursorKey, SortKey, TieBreaker } from '../model/sort-key.ts';

/** A column whose own comparisons agree with its order, by its quoted name. */
export function plainSortKey(
  name: string,
  column: Column,
  extras: Partial<CursorKey> & { readonly distinguishing?: SortKey['distinguishing'] } = {},
): SortKey {
  const { distinguishing = [], ...cursor } = extras;
  return {
    order: name,
    cursor: {
      isExact: () => true,
      compare: (comparison, value) =>
        sql`${name} ${operatorOf(column, comparison)} ${param(value, column.type)}`,
      ...cursor,
    },
    distinguishing,
  };
}

const textColumn: ColumnInfo = { name: 'digest', type: { kind: 'text' } };

/** An expression that ORDER BY and comparisons order alike; `selected` where it is selected otherwise. */
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
