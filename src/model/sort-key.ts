import type { Fragment } from './fragment.ts';
import type { ColumnInfo } from './schema.ts';
import type { Value } from './values.ts';

export type Comparison = '=' | '<' | '>';

/**
 * How the values of a column are ordered, and how a cursor finds the position of a value again. The
 * comparisons must agree with ORDER BY for every stored value; otherwise pages would skip rows.
 */
export interface SortKey extends SortTerm {
  /** Further ORDER BY terms for values that differ but compare as equal. */
  readonly tieBreakers: readonly TieBreaker[];
}

interface SortTerm {
  /** The expression for ORDER BY. */
  readonly order: string;
  /** Absent if no comparison agrees with the order; pages then use OFFSET. */
  readonly cursor?: CursorKey;
}

/** An ORDER BY term other than a column. It is NULL only where its column is. */
export interface TieBreaker extends SortTerm {
  readonly cursor: CursorKey & { readonly selected: SelectedExpression };
}

export interface CursorKey {
  /** The expression that is selected for the cursor, if it is not the column itself. */
  readonly selected?: SelectedExpression;
  /** Another selected expression, which `isExact` receives. */
  readonly check?: SelectedExpression;
  /** Whether the value, passed as a parameter, compares as equal to what is stored. */
  isExact(value: Value, check: Value): boolean;
  compare(comparison: Comparison, value: Value): Fragment;
}

export interface SelectedExpression {
  readonly expression: string;
  readonly column: ColumnInfo;
}
