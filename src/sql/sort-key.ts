import { param, sql } from '../model/fragment.ts';
import { operatorOf } from './compare-column.ts';
import type { Column } from '../model/schema.ts';
import type { CursorKey, SortKey } from '../model/sort-key.ts';

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
