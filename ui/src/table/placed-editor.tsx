import type { JSX } from 'react';
import { CellEditor } from '../editing/cell-editor/cell-editor.tsx';
import { rowKeyOf, shownValue } from '../editing/shown-rows.ts';
import { headHeight, rowHeight } from '../grid/grid-props.ts';
import type { GridColumn } from '../grid/grid-props.ts';
import { positionOf } from './opened-cell.ts';
import type { OpenedCell } from './opened-cell.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import type { GridEditing } from './use-grid-editing.ts';
import { tableTexts as texts } from '../texts/table.ts';

interface OpenedCellEditorProps extends RowsGridProps {
  readonly shown: readonly GridColumn[];
  readonly gutterWidth: number;
  readonly editing: GridEditing;
  readonly opened: OpenedCell;
}

const minEditorWidth = 220;

/** Positions the editor over its cell, wherever the row is now. */
export function OpenedCellEditor(props: OpenedCellEditorProps): JSX.Element {
  const { table, shown: gridColumns, editing, opened } = props;
  const { shown, column, typed, scrolled } = opened;
  const currentPosition = positionOf(props, opened);
  const position = currentPosition ?? opened.position;
  const start = gridColumns
    .slice(0, position.column)
    .reduce((sum, { width }) => sum + width, props.gutterWidth);
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
          style={{
            // A pinned cell moves with the scroll position.
            insetInlineStart: start + (position.column < props.pinned ? scrolled : 0),
            insetBlockStart: headHeight.desk + position.row * rowHeight.desk,
            minWidth: Math.max(minEditorWidth, gridColumns[position.column]?.width ?? 0),
          }}
          onDone={(values, step) => editing.finish(opened, values, step)}
          onCancel={() => editing.cancel(opened)}
          onInvalid={() => editing.keepOpen(opened)}
        />
      </div>
    </div>
  );
}
