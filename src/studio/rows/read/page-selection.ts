import type { Dialect } from '../../../model/database.ts';
import type { Column, ColumnInfo } from '../../../model/schema.ts';
import type { SelectedExpression, TieBreaker } from '../../../model/sort-key.ts';
import type { OrderTerm } from '../../../sql/select.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { PagePlan, PageRange } from './page-plan.ts';
import type { Selection } from './selection.ts';

/** A selection that also reads the values of the cursor. They follow the columns of the row. */
export interface PageSelection extends Selection {
  /** A row's values for the order of a range. Undefined if they cannot identify the row exactly. */
  cursorValues(range: PageRange, row: Row): Row | undefined;
}

/** The indexes of a column's cursor value in a row, and of the value that states whether it is exact. */
interface CursorIndexes {
  readonly value: number;
  readonly check?: number;
}

export function withCursorValues(
  dialect: Dialect,
  plan: PagePlan,
  selection: Selection,
): PageSelection {
  const expressions = [...selection.expressions];
  const columns: ColumnInfo[] = [...selection.columns];
  const add = ({ expression, column }: SelectedExpression): number => {
    columns.push(column);
    return expressions.push(expression) - 1;
  };
  const cursorIndexes = new Map<string, CursorIndexes>();
  for (const column of plan.cursors === 'position' ? [] : orderColumns(plan)) {
    const { selected, check } = dialect.sortKey(column).cursor ?? {};
    const selectedIndex = selection.indexOf(column.name);
    const value =
      selected !== undefined
        ? add(selected)
        : selectedIndex >= 0
          ? selectedIndex
          : add(selectedColumn(dialect, column));
    cursorIndexes.set(column.name, check === undefined ? { value } : { value, check: add(check) });
  }
  const breakers = plan.cursors === 'columns' ? breakersOf(plan) : [];
  const breakerIndexes = breakers.map(({ cursor }) => add(cursor.selected));
  const cursorValue = ({ column }: OrderTerm, row: Row): Value | undefined => {
    const indexes = cursorIndexes.get(column.name);
    if (indexes === undefined) return undefined;
    const value = row[indexes.value] ?? null;
    const check = indexes.check === undefined ? null : (row[indexes.check] ?? null);
    const isExact = value === null || dialect.sortKey(column).cursor?.isExact(value, check);
    return isExact === true ? value : undefined;
  };
  return {
    ...selection,
    expressions,
    columns,
    cursorValues: ({ order }, row) => {
      const values: Value[] = [];
      for (const term of order) {
        const value = cursorValue(term, row);
        if (value === undefined) return undefined;
        values.push(value);
      }
      return [...values, ...breakerIndexes.map((i) => row[i] ?? null)];
    },
  };
}

/** A plan with `columns` cursors has one range. */
function breakersOf({ ranges }: PagePlan): readonly TieBreaker[] {
  return ranges.flatMap(({ tieBreakers }) => tieBreakers);
}

/** The columns of all ranges, each once: ranges that order a column by different collations select the same value. */
function orderColumns({ ranges }: PagePlan): readonly Column[] {
  const all = ranges.flatMap(({ order }) => order.map(({ column }) => column));
  return [...new Map(all.map((column) => [column.name, column])).values()];
}

function selectedColumn(dialect: Dialect, column: Column): SelectedExpression {
  return {
    expression: dialect.selectExpression(dialect.quoteName(column.name), column),
    column,
  };
}
