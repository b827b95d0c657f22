import type { CSSProperties, JSX } from 'react';
import { cellId, placed } from './grid-props.ts';
import type { GridProps, ShownColumn } from './grid-props.ts';
import { blockOf, selectCell, selectionClass } from './selection.ts';
import type { Place } from './selection.ts';

interface RowProps extends GridProps {
  readonly row: number;
  readonly style: CSSProperties;
  readonly shown: readonly ShownColumn[];
}

export function GridRow(props: RowProps): JSX.Element {
  const { row, style, shown, columns, selection, firstRow, gutter } = props;
  const block = selection === undefined ? undefined : blockOf(selection);
  const isIn = block !== undefined && row >= block.top && row <= block.bottom;
  return (
    <div
      className={`gr ${props.rowClass?.(row) ?? ''}`}
      role="row"
      aria-rowindex={firstRow + row + 1}
      style={style}
    >
      <div className={`g ${isIn ? 'sel' : ''}`} role="rowheader">
        {gutter?.(row) ?? <span className="no">{firstRow + row}</span>}
      </div>
      {shown.map(({ index, start }) => {
        const column = columns[index];
        return column === undefined ? null : (
          <Cell key={column.name} {...props} place={{ row, column: index }} start={start} />
        );
      })}
    </div>
  );
}

interface CellProps extends GridProps {
  readonly place: Place;
  readonly start: number;
}

function Cell(props: CellProps): JSX.Element {
  const { place, start, columns, selection, onSelect, onOpen, renderCell, cellClass } = props;
  const column = columns[place.column];
  const marks = selectionClass(selection, place);
  return (
    <div
      id={cellId(place)}
      className={`c ${column?.isNumber === true ? 'r' : ''} ${cellClass?.(place) ?? ''} ${marks}`}
      role="gridcell"
      aria-colindex={place.column + 1}
      aria-selected={marks !== ''}
      style={placed(start, column?.width ?? 0)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        const isExtending = event.shiftKey && selection !== undefined;
        onSelect(isExtending ? { active: selection.active, end: place } : selectCell(place));
      }}
      onPointerEnter={(event) => {
        const isDragging = event.buttons === 1 && selection !== undefined;
        if (isDragging) onSelect({ active: selection.active, end: place });
      }}
      onDoubleClick={() => onOpen?.(place)}
    >
      {renderCell(place)}
    </div>
  );
}
