import type { CSSProperties, JSX } from 'react';
import { pasteBlock } from '../editing/block-text.ts';
import { CellEditor } from '../editing/cell-editor/cell-editor.tsx';
import { rowKeyOf, shownValue } from '../editing/shown-rows.ts';
import { headHeight, rowHeight } from '../grid/grid-props.ts';
import type { GridColumn } from '../grid/grid-props.ts';
import type { CellPosition } from '../grid/selection.ts';
import { disabledReason } from '../editing/edit-target.ts';
import { CompositionField } from './composition-field.tsx';
import { positionOf, scrolledAt } from './opened-cell.ts';
import type { OpenedCell } from './opened-cell.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import type { GridEditing } from './use-grid-editing.ts';
import { tableTexts as texts } from '../texts/table.ts';

interface GridColumns {
  readonly shown: readonly GridColumn[];
  readonly gutterWidth: number;
  readonly pinned: number;
}

interface CellFieldsProps extends RowsGridProps, GridColumns {
  readonly pinned: number;
  readonly editing: GridEditing;
}

interface OpenedCellEditorProps extends CellFieldsProps {
  readonly opened: OpenedCell;
}

const minEditorWidth = 220;

/** The box over a cell. A pinned cell moves with the scroll position. */
function boxOf(
  { shown, gutterWidth, pinned }: GridColumns,
  position: CellPosition,
  scrolled: number,
): CSSProperties {
  const { row, column } = position;
  const start = shown.slice(0, column).reduce((sum, { width }) => sum + width, gutterWidth);
  return {
    insetInlineStart: start + (column < pinned ? scrolled : 0),
    insetBlockStart: headHeight.desktop + row * rowHeight.desktop,
    minWidth: Math.max(minEditorWidth, shown[column]?.width ?? 0),
  };
}

/** What is typed into: the selected cell, and the editor of the cell that was opened. */
export function CellFields(props: CellFieldsProps): JSX.Element {
  const { opened: openedCell } = props.editing;
  return (
    <>
      <SelectedCellField {...props} />
      {openedCell !== undefined && <OpenedCellEditor {...props} opened={openedCell} />}
    </>
  );
}

/** Where an input method writes. Nowhere if no cell is selected, or if it cannot be typed into. */
function SelectedCellField(props: CellFieldsProps): JSX.Element | null {
  const { selection, columns, editing } = props;
  if (selection === undefined || hasTouchKeyboard()) return null;
  const { active } = selection;
  const isTyped = columns[active.column]?.kind !== 'binary';
  if (!isTyped || disabledReason(props, active) !== undefined) return null;
  return (
    <CompositionField
      position={selection.end}
      style={boxOf(props, active, scrolledAt(active))}
      open={(text) => editing.open(active, text)}
      onPaste={() => void pasteBlock(props, selection)}
    />
  );
}

/** On a touch screen a field with the focus would show the keyboard over the rows. */
function hasTouchKeyboard(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}

/** Positions the editor over its cell, wherever the row is now. */
function OpenedCellEditor(props: OpenedCellEditorProps): JSX.Element {
  const { table, editing, opened: openedCell } = props;
  const { shown, column, typed, scrolled } = openedCell;
  const currentPosition = positionOf(props, openedCell);
  const position = currentPosition ?? openedCell.position;
  // ARIA allows only rows in a grid and only cells in a row, so the editor needs both around it.
  return (
    <div role="row">
      <div role="gridcell">
        <CellEditor
          key={`${rowKeyOf(shown)} ${column.name}`}
          table={table}
          column={column}
          id={shown.kind === 'stored' ? shown.stored?.id : undefined}
          value={shownValue(shown, column.name)}
          typed={typed}
          hasDefault={shown.kind === 'new'}
          note={currentPosition === undefined ? texts.rowLeftPage : undefined}
          style={boxOf(props, position, scrolled)}
          onDone={(values, step) => editing.finish(openedCell, values, step)}
          onCancel={() => editing.cancel(openedCell)}
          onInvalid={() => editing.keepOpen(openedCell)}
        />
      </div>
    </div>
  );
}
