import type { Cell } from '../../../src/contract/client/client.ts';
import { copyBlock } from '../editing/block-text.ts';
import {
  notReadReason,
  disabledReason,
  stageShownRow,
  stageValueAt,
} from '../editing/edit-target.ts';
import type { EditTarget } from '../editing/edit-target.ts';
import { rowsBetween, rowValuesOf } from '../editing/shown-rows.ts';
import type { ShownRow } from '../editing/shown-rows.ts';
import {
  dropNewRow,
  revertValue,
  stageNewRow,
  stageValue,
  toggleRemoval,
} from '../editing/staged.ts';
import type { Staged, Values } from '../editing/staged.ts';
import { stagedTable } from '../editing/staged-store.ts';
import { readFullRows } from '../editing/full-rows.ts';
import { queryClient, referencedQuery, schemaQuery, findTable } from '../api/queries.ts';
import type { Column, Row, Table } from '../api/queries.ts';
import { rowId } from '../api/row-key.ts';
import { blockOf } from '../grid/selection.ts';
import type { CellPosition, Selection } from '../grid/selection.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { formatRecordAddress } from '../record/record-address.ts';
import { referenceOf } from '../record/reference.ts';
import { recordOf } from './record-steps.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import { tableTexts as texts } from '../texts/table.ts';
import { editingTexts } from '../texts/editing.ts';
import { commonTexts } from '../texts/common.ts';

/** Opens the record of a row beside the grid. */
export function openRecord({ table, rows, change }: RowsGridProps, { row }: CellPosition): void {
  const address = recordOf(table.name, rows.at(row));
  if (address !== undefined) change({ open: [address] });
}

/** Opens the record that a cell references beside the grid. */
export async function openReferenced(props: RowsGridProps, position: CellPosition): Promise<void> {
  const shownRow = props.rows.at(position.row);
  const column = props.columns[position.column];
  if (shownRow === undefined || column === undefined) return;
  const reference = referenceOf(props.table, column, rowValuesOf(shownRow));
  if (reference === undefined) return;
  try {
    const row = await queryClient.fetchQuery(referencedQuery(reference.table, reference.key));
    const target = findTable(queryClient.getQueryData(schemaQuery.queryKey), reference.table);
    const id = row === null || target === undefined ? undefined : rowId(target, row);
    if (id !== undefined)
      props.change({ open: [formatRecordAddress({ table: reference.table, id })] });
    else showToast({ kind: 'error', title: texts.referenceNotFound(reference) });
  } catch (error) {
    showToast({ kind: 'error', title: texts.recordNotLoaded, detail: messageOf(error) });
  }
}

/** Sets the nullable cells of a block to NULL. */
export function clearCells(props: RowsGridProps, selection: Selection): void {
  if (!isRead(props, selection, texts.notSetToNull)) return;
  const positions = cellsOf(selection).filter(
    (position) => nullReason(props, position) === undefined,
  );
  if (positions.length === 0) {
    const detail = nullReason(props, selection.active) ?? '';
    showToast({ kind: 'error', title: texts.notSetToNull, detail });
  }
  props.store.change((staged) =>
    positions.reduce(
      (next, position) => stageValueAt(props, next, { position, value: null }),
      staged,
    ),
  );
}

/**
 * Copies the selected cells and empties them as pasting an empty cell does: NULL or, where the column
 * accepts none, the empty text. If one of them cannot be empty, nothing is copied.
 */
export async function cutCells(props: RowsGridProps, selection: Selection): Promise<void> {
  const { table, rows, columns } = props;
  if (!isRead(props, selection, texts.notCut)) return;
  const positions = cellsOf(selection);
  const reasons = positions.map((position) => emptyReason(props, position));
  const reason = reasons.find((found) => found !== undefined);
  if (reason !== undefined) {
    showToast({ kind: 'error', title: texts.notCut, detail: reason });
    return;
  }
  if (!(await copyBlock(props, blockOf(selection), 'cells'))) return;
  stagedTable(table.name).change((staged) =>
    positions.reduce((next, { row, column: index }) => {
      const shownRow = rows.at(row);
      const column = columns[index];
      if (shownRow === undefined || column === undefined) return next;
      return stageShownRow(
        next,
        { table, shown: shownRow },
        { [column.name]: emptyValue(column, shownRow) },
      );
    }, staged),
  );
}

/** Returns why a cell cannot be emptied, or undefined when it can. */
function emptyReason(props: EditTarget, position: CellPosition): string | undefined {
  const column = props.columns[position.column];
  const shownRow = props.rows.at(position.row);
  if (column === undefined || shownRow === undefined) return notReadReason;
  const acceptsEmpty = column.is_nullable || shownRow.kind === 'new' || isPlainText(column);
  const reason =
    disabledReason(props, position) ?? (acceptsEmpty ? undefined : commonTexts.notNullColumn);
  return reason === undefined
    ? undefined
    : editingTexts.columnProblem({ column: column.name, problem: reason });
}

/** `undefined` is the default of a new row. */
function emptyValue(column: Column, { kind }: ShownRow): Cell | undefined {
  if (column.is_nullable) return null;
  return kind === 'new' ? undefined : '';
}

function isPlainText({ kind, is_foreign_key: isReference }: Column): boolean {
  return kind === 'text' && !isReference;
}

/** Returns why a cell cannot be NULL, or undefined when it can. */
export function nullReason(props: EditTarget, position: CellPosition): string | undefined {
  const isNullable = props.columns[position.column]?.is_nullable === true;
  return disabledReason(props, position) ?? (isNullable ? undefined : commonTexts.notNullColumn);
}

/** Reverts the selected cells to their stored values. */
export function revertCells(props: RowsGridProps, selection: Selection): void {
  const { rows, columns, store } = props;
  if (!isRead(props, selection, texts.notReverted)) return;
  store.change((staged) =>
    cellsOf(selection).reduce((next, { row, column }) => {
      const shownRow = rows.at(row);
      const name = columns[column]?.name;
      const storedRow = shownRow?.kind === 'stored' ? shownRow.stored : undefined;
      return storedRow === undefined || name === undefined
        ? next
        : revertValue(next, storedRow, name);
    }, staged),
  );
}

/** Rejects a selection if some of its rows have not been read. */
function isRead({ rows }: RowsGridProps, selection: Selection, title: string): boolean {
  const { top, bottom } = blockOf(selection);
  const isComplete = rowsBetween(rows, top, bottom).length === bottom - top + 1;
  if (!isComplete) showToast({ kind: 'error', title, detail: notReadReason });
  return isComplete;
}

function cellsOf(selection: Selection): readonly CellPosition[] {
  const { top, bottom, left, right } = blockOf(selection);
  const positions: CellPosition[] = [];
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) positions.push({ row, column });
  return positions;
}

/** Marks rows for deletion, or removes the marks. */
export function toggleRows(props: RowsGridProps, selection: Selection): void {
  const { rows, store, readOnlyReason } = props;
  const { top, bottom } = blockOf(selection);
  if (readOnlyReason !== undefined) {
    showToast({ kind: 'error', title: texts.notDeleted, detail: readOnlyReason });
    return;
  }
  const selectedRows = rowsBetween(rows, top, bottom);
  if (!isRead(props, selection, texts.notDeleted)) return;
  // Rows are restored only if all of them are to be deleted.
  const isRestoring = selectedRows.every(
    (shownRow) => shownRow.kind === 'stored' && shownRow.isRemoved,
  );
  store.change((staged) =>
    selectedRows.reduce((next, shownRow) => {
      if (shownRow.kind === 'new') return dropNewRow(next, shownRow.number);
      const isToggled = shownRow.stored !== undefined && (isRestoring || !shownRow.isRemoved);
      return isToggled && shownRow.stored !== undefined
        ? toggleRemoval(next, shownRow.stored)
        : next;
    }, staged),
  );
}

/** Adds new rows with the same values, except generated columns and keys. */
export async function duplicateRows(props: RowsGridProps, selection: Selection): Promise<void> {
  const { table, store } = props;
  const columns = copiedColumns(table);
  try {
    const rows = await readFullRows(props, blockOf(selection), columns);
    store.change((staged) =>
      rows.reduce<Staged>((next, row) => stageNewRow(next, valuesOf(columns, row)), staged),
    );
  } catch (error) {
    showToast({ kind: 'error', title: texts.notDuplicated, detail: messageOf(error) });
  }
}

function copiedColumns({ columns, primary_key: key }: Table): readonly Column[] {
  return columns.filter(
    ({ name, is_generated: isGenerated, is_auto_increment: isAutoIncrement }) =>
      !isGenerated && !isAutoIncrement && !(key.length === 1 && key[0] === name),
  );
}

function valuesOf(columns: readonly Column[], row: Row): Values {
  return Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]));
}

/** Stages the restoration of a soft-deleted row. */
export function restoreRow({ table, store }: RowsGridProps, shownRow: ShownRow): void {
  const { soft_delete_column: deletion } = table;
  if (shownRow.kind === 'new' || shownRow.stored === undefined || deletion === null) return;
  const { stored } = shownRow;
  store.change((staged) => stageValue(staged, stored, [deletion, null]));
}
