import type { JSX } from 'react';
import { CellEditor } from '../editing/cell-editor.tsx';
import { shownValue } from '../editing/shown-rows.ts';
import { gutterWidth } from '../grid/grid-props.ts';
import type { GridColumn } from '../grid/grid-props.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import type { GridEditing, OpenedCell } from './use-grid-editing.ts';

interface PlacedEditorProps extends RowsGridProps {
  readonly columns: readonly GridColumn[];
  readonly editing: GridEditing;
  readonly opened: OpenedCell;
}

const headHeight = 42;
const rowHeight = 28;
const leastWidth = 220;

/** The editor, over the cell that it edits. */
export function PlacedEditor(props: PlacedEditorProps): JSX.Element | null {
  const { table, rows, columns, editing, opened } = props;
  const { place, typed } = opened;
  const column = table.columns[place.column];
  const shown = rows[place.row];
  if (column === undefined || shown === undefined) return null;
  const start = columns.slice(0, place.column).reduce((sum, { width }) => sum + width, gutterWidth);
  return (
    <CellEditor
      column={column}
      value={shownValue(shown, column.name)}
      typed={typed}
      hasDefault={shown.kind === 'new'}
      style={{
        insetInlineStart: start,
        insetBlockStart: headHeight + place.row * rowHeight,
        minWidth: Math.max(leastWidth, columns[place.column]?.width ?? 0),
      }}
      onDone={editing.finish}
      onCancel={editing.cancel}
    />
  );
}
