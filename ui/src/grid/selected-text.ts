import type { Cell } from '../../../src/contract/client/client.ts';
import type { Column } from '../api/queries.ts';
import { cellText, isNumberColumn } from '../cells/value-kind.ts';
import { exactSum } from './exact-sum.ts';
import { blockOf } from './selection.ts';
import type { Block, Selection } from './selection.ts';
import { gridTexts as texts } from '../texts/grid.ts';

type SummedColumn = Pick<Column, 'name' | 'kind' | 'is_primary_key' | 'is_foreign_key'>;

/** The value of a cell. Undefined if it has not been read yet. */
type ValueAt = (row: number, column: string) => Cell | undefined;

/** A text such as `8 cells, sum 284609.40`. Empty for a single cell. Keys are not added up. */
export function selectedText(
  selection: Selection | undefined,
  columns: readonly SummedColumn[],
  valueAt: ValueAt,
): string {
  if (selection === undefined) return '';
  const block = blockOf(selection);
  const { top, bottom, left, right } = block;
  const count = (bottom - top + 1) * (right - left + 1);
  if (count === 1) return '';
  const summedColumns = columns
    .slice(left, right + 1)
    .filter((column) => isNumberColumn(column) && !column.is_primary_key && !column.is_foreign_key);
  const sum = sumOf(block, summedColumns, valueAt);
  return sum === undefined
    ? texts.selectedCells({ cells: count })
    : texts.selectedSum({ cells: count, sum });
}

/** Undefined also if some of the cells have not been read yet. */
function sumOf({ top, bottom }: Block, columns: readonly SummedColumn[], valueAt: ValueAt) {
  const values: string[] = [];
  for (let row = top; row <= bottom; row++)
    for (const { name } of columns) {
      const value = valueAt(row, name);
      if (value === undefined) return undefined;
      values.push(cellText(value));
    }
  return exactSum(values.filter((text) => text !== ''));
}
