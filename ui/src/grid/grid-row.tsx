import type { CSSProperties, JSX } from 'react';
import { cellId, cellBox } from './grid-props.ts';
import type { GridProps, ShownColumn } from './grid-props.ts';
import { blockOf, selectCell, selectionClass } from './selection.ts';

interface RowProps extends GridProps {
  readonly row: number;
  readonly style: CSSProperties;
  readonly shownColumns: readonly ShownColumn[];
}

export function GridRow(props: RowProps): JSX.Element {
  const { row, style, shownColumns, columns, selection, firstRow, gutter } = props;
  const block = selection === undefined ? undefined : blockOf(selection);
  const isSelected = block !== undefined && row >= block.top && row <= block.bottom;
  return (
    <div
      className={`gr ${props.rowClass?.(row) ?? ''}`}
      role="row"
      aria-rowindex={firstRow + row + 1}
      style={style}
    >
      <div className={`g ${isSelected ? 'sel' : ''}`} role="rowheader">
        {gutter?.(row) ?? <span className="no">{firstRow + row}</span>}
      </div>
      {shownColumns.map((shownColumn) => {
        const column = columns[shownColumn.index];
        return column === undefined ? null : <Cell key={column.name} {...props} at={shownColumn} />;
      })}
    </div>
  );
}

interface CellProps extends GridProps {
  readonly row: number;
  readonly at: ShownColumn;
}

function Cell(props: CellProps): JSX.Element {
  const { row, at, columns, selection, onSelect, onOpen, onTap, renderCell, cellClass } = props;
  const position = { row, column: at.index };
  const column = columns[at.index];
  const selectionClasses = selectionClass(selection, position);
  const kind = `${column?.isNumber === true ? 'r' : ''} ${at.isPinned ? 'pinned' : ''}`;
  return (
    <div
      id={cellId(position)}
      className={`c ${kind} ${cellClass?.(position) ?? ''} ${selectionClasses}`}
      role="gridcell"
      aria-colindex={position.column + 1}
      aria-selected={selectionClasses !== ''}
      style={cellBox(at, column?.width ?? 0)}
      onPointerDown={(event) => {
        // The touch may be the beginning of scrolling.
        if (event.button !== 0 || event.pointerType === 'touch') return;
        const isExtending = event.shiftKey && selection !== undefined;
        onSelect(isExtending ? { active: selection.active, end: position } : selectCell(position));
      }}
      onPointerEnter={(event) => {
        const isDragging =
          event.buttons === 1 && event.pointerType === 'mouse' && selection !== undefined;
        if (isDragging) onSelect({ active: selection.active, end: position });
      }}
      onClick={(event) => {
        const isTouch = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch';
        if (isTouch) onSelect(selectCell(position));
        onTap?.(position);
      }}
      onDoubleClick={() => onOpen?.(position)}
    >
      {renderCell(position)}
    </div>
  );
}
