import { useLayoutEffect } from 'react';
import type { Column, Table } from '../api/queries.ts';
import { newRowKey } from '../editing/shown-rows.ts';
import type { ShownRows } from '../editing/shown-rows.ts';
import { newestNumber, stageNewRow } from '../editing/staged.ts';
import { stagedTable } from '../editing/staged-store.ts';
import { selectCell } from '../grid/selection.ts';
import type { Selection } from '../grid/selection.ts';
import { focusGrid } from '../parts/page-grid.ts';

/** The new row that gets the focus as soon as it is shown. */
let addedRow: { readonly table: string; readonly number: number } | undefined;

/** Stages a new row. The grid selects its first editable cell, and has the focus. */
export function addRow({ name }: Table): void {
  stagedTable(name).change((staged) => stageNewRow(staged));
  addedRow = { table: name, number: newestNumber() };
}

interface ShownTable {
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly rows: ShownRows;
}

/** Selects a row that was just added. */
export function useAddedRow(
  { table, columns, rows }: ShownTable,
  select: (selection: Selection) => void,
): void {
  // Before the next key, which may come at once.
  useLayoutEffect(() => {
    if (addedRow?.table !== table.name) return;
    const row = rows.indexOf(newRowKey(addedRow.number), 0);
    addedRow = undefined;
    if (row === undefined) return;
    select(selectCell({ row, column: firstEditable(columns) }));
    focusGrid();
  });
}

/** The database assigns the values of the columns before it. */
function firstEditable(columns: readonly Column[]): number {
  const index = columns.findIndex(
    ({ is_generated: isGenerated, is_auto_increment: isAutoIncrement, kind }) =>
      !isGenerated && !isAutoIncrement && kind !== 'binary',
  );
  return Math.max(0, index);
}
