import type { Dialect, Query } from '../model/database.ts';
import type { Fragment } from '../model/fragment.ts';
import type { ColumnInfo } from '../model/schema.ts';

/** Renders a fragment as a statement for the database, with parameters numbered in order. */
export function render(
  dialect: Dialect,
  fragment: Fragment,
  columns?: readonly ColumnInfo[],
): Query {
  let text = fragment.texts[0] ?? '';
  fragment.params.forEach((param, i) => {
    text += dialect.placeholder(i + 1, param.type, param.value) + (fragment.texts[i + 1] ?? '');
  });
  const params = fragment.params.map((param) => param.value);
  return columns === undefined ? { text, params } : { text, params, columns };
}
