import type { Dialect } from '../model/database.ts';
import type { Column, ColumnInfo } from '../model/schema.ts';
import type { SelectedExpression } from '../model/sort-key.ts';
import type { Row, Value } from '../model/values.ts';
import type { PagePlan } from './page-plan.ts';
import type { Selection } from './selection.ts';

/** A selection with what the cursor behind a page's last row needs, behind what the row shows. */
export interface PageSelection extends Selection {
  /** What a cursor holds for an order column; undefined where it would not lead back to the row. */
  cursorValue(column: Column, row: Row): Value | undefined;
}

/** Where in a row the cursor's value of a column stands, and what it is checked by. */
interface CursorPlace {
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
  const places = new Map<string, CursorPlace>();
  for (const column of plan.keyset ? orderColumns(plan) : []) {
    const { selected, check } = dialect.sortKey(column).cursor ?? {};
    const shown = selection.indexOf(column.name);
    const value =
      selected !== undefined
        ? add(selected)
        : shown >= 0
          ? shown
          : add(selectedColumn(dialect, column));
    places.set(column.name, check === undefined ? { value } : { value, check: add(check) });
  }
  return {
    ...selection,
    expressions,
    columns,
    cursorValue: (column, row) => {
      const place = places.get(column.name);
      if (place === undefined) return undefined;
      const value = row[place.value] ?? null;
      const check = place.check === undefined ? null : (row[place.check] ?? null);
      const isExact = value === null || dialect.sortKey(column).cursor?.isExact(value, check);
      return isExact === true ? value : undefined;
    },
  };
}

/** Each once: a key's collation changes nothing about the value. */
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
