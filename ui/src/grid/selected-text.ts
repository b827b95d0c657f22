import type { Cell } from '../../../src/contract/client.ts';
import type { Column } from '../api/queries.ts';
import { cellText, isNumberColumn } from '../cells/value-kind.ts';
import { exactSum } from './exact-sum.ts';
import { blockOf } from './selection.ts';
import type { Selection } from './selection.ts';

/** `8 cells, sum 284609.40`; nothing of a single cell. Keys are not added up. */
export function selectedText(
  selection: Selection | undefined,
  columns: readonly Column[],
  valueAt: (row: number, column: string) => Cell,
): string {
  if (selection === undefined) return '';
  const { top, bottom, left, right } = blockOf(selection);
  const height = bottom - top + 1;
  const count = height * (right - left + 1);
  if (count === 1) return '';
  const numbers = columns
    .slice(left, right + 1)
    .filter((column) => isNumberColumn(column) && !column.is_primary_key && !column.is_foreign_key)
    .flatMap(({ name }) =>
      Array.from({ length: height }, (_, i) => cellText(valueAt(top + i, name))),
    );
  const sum = exactSum(numbers.filter((text) => text !== ''));
  return `${count.toLocaleString('en')} cells${sum === undefined ? '' : `, sum ${sum}`}`;
}
