import type { Fragment } from './fragment.ts';
import type { ColumnInfo } from './schema.ts';
import type { Value } from './values.ts';

export type Comparison = '=' | '<' | '>';

/**
 * How a column's values are ordered, and how the place of one is found again by a cursor. The
 * comparisons must agree with ORDER BY for every stored value, else rows are lost between pages.
 */
export interface SortKey extends SortTerm {
  /** Further ORDER BY terms for values that differ but compare as equal. */
  readonly distinguishing: readonly TieBreaker[];
}

interface SortTerm {
  /** In ORDER BY. */
  readonly order: string;
  /** Absent where no comparison agrees with the order: then pages go by offset. */
  readonly cursor?: CursorKey;
}

/** An ORDER BY term other than a column. It is NULL only where its column is. */
export interface TieBreaker extends SortTerm {
  readonly cursor: CursorKey & { readonly selected: SelectedExpression };
}

export interface CursorKey {
  /** What is selected for the cursor, where it is not the column's value itself. */
  readonly selected?: SelectedExpression;
  /** What else is selected, for `isExact` to look at. */
  readonly check?: SelectedExpression;
  /** Whether the value leads back to its place: compared as a parameter, it equals what is stored. */
  isExact(value: Value, check: Value): boolean;
  compare(comparison: Comparison, value: Value): Fragment;
}

export interface SelectedExpression {
  readonly expression: string;
  readonly column: ColumnInfo;
}
