import type { JSX } from 'react';
import { CellEditor } from '../editing/cell-editor.tsx';
import { shownValue } from '../editing/shown-rows.ts';
import { gutterWidth, headHeight, rowHeight } from '../grid/grid-props.ts';
import type { GridColumn } from '../grid/grid-props.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import type { GridEditing, OpenedCell } from './use-grid-editing.ts';

interface PlacedEditorProps extends RowsGridProps {
  readonly shown: readonly GridColumn[];
  readonly editing: GridEditing;
  readonly opened: OpenedCell;
}

const leastWidth = 220;

/** Positions the editor over its cell. */
export function PlacedEditor(props: PlacedEditorProps): JSX.Element | null {
  const { table, columns, rows, shown: placed, editing, opened } = props;
  const { place, typed, scrolled } = opened;
  const column = columns[place.column];
  const shown = rows.at(place.row);
  if (column === undefined || shown === undefined) return null;
  const start = placed
    .slice(0, place.column)
    .reduce<number>((sum, { width }) => sum + width, gutterWidth.desk);
  // ARIA allows only rows in a grid and only cells in a row, so the editor needs both around it.
  return (
    <div role="row">
      <div role="gridcell">
        <CellEditor
          key={`${place.row} ${column.name}`}
          table={table}
          column={column}
          id={shown.kind === 'stored' ? shown.stored?.id : undefined}
          value={shownValue(shown, column.name)}
          typed={typed}
          hasDefault={shown.kind === 'new'}
          style={{
            // A pinned cell moves with the scroll position.
            insetInlineStart: start + (place.column < props.pinned ? scrolled : 0),
            insetBlockStart: headHeight.desk + place.row * rowHeight.desk,
            minWidth: Math.max(leastWidth, placed[place.column]?.width ?? 0),
          }}
          onDone={editing.finish}
          onCancel={editing.cancel}
        />
      </div>
    </div>
  );
}
