import { useState } from 'react';
import type { DragEvent, JSX, PointerEvent } from 'react';
import { cellBox } from './grid-props.ts';
import type { GridColumn, GridProps, ShownColumn } from './grid-props.ts';
import { blockOf } from './selection.ts';
import { commonTexts as texts } from '../texts/common.ts';

interface HeadProps extends GridProps {
  readonly shownColumns: readonly ShownColumn[];
}

/** The column headers, which stay in place while rows scroll. */
export function GridHead(props: HeadProps): JSX.Element {
  const { columns, shownColumns } = props;
  return (
    <div className="gr head" role="row" aria-rowindex={1}>
      {props.gutterHead === undefined ? (
        <div className="g" />
      ) : (
        <div className="g" role="columnheader" aria-label={texts.rows}>
          {props.gutterHead}
        </div>
      )}
      {shownColumns.map((shownColumn) => {
        const column = columns[shownColumn.index];
        return column === undefined ? null : (
          <Head key={column.name} {...props} column={column} at={shownColumn} />
        );
      })}
    </div>
  );
}

interface HeadCellProps extends GridProps {
  readonly column: GridColumn;
  readonly at: ShownColumn;
}

const dragType = 'application/x-studio-column';

function Head({ column, at, selection, onResize, onMove }: HeadCellProps): JSX.Element {
  const block = selection === undefined ? undefined : blockOf(selection);
  const isSelected = block !== undefined && at.index >= block.left && at.index <= block.right;
  const kind = `${column.isNumber === true ? 'r' : ''} ${at.isPinned ? 'pinned' : ''}`;
  const [isResizing, setResizing] = useState(false);
  const isColumnDrag = (event: DragEvent): boolean => event.dataTransfer.types.includes(dragType);
  return (
    <div
      className={`th ${kind} ${isSelected ? 'sel' : ''}`}
      role="columnheader"
      aria-colindex={at.index + 1}
      aria-sort={column.sort ?? 'none'}
      style={cellBox(at, column.width)}
      draggable={onMove !== undefined && !isResizing}
      onDragStart={(event) => event.dataTransfer.setData(dragType, column.name)}
      onDragOver={(event) => {
        if (isColumnDrag(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!isColumnDrag(event)) return;
        event.preventDefault();
        onMove?.(event.dataTransfer.getData(dragType), column.name);
      }}
    >
      {column.head}
      {onResize !== undefined && (
        <ResizeHandle column={column} onResize={onResize} onHover={setResizing} />
      )}
    </div>
  );
}

export const minColumnWidth = 48;

interface ResizeHandleProps {
  readonly column: GridColumn;
  readonly onResize: (column: string, width: number) => void;
  /** Called when the pointer enters or leaves the edge. */
  readonly onHover: (isOver: boolean) => void;
}

/** Resizes a column. A browser would drag the head from here, so the head is not draggable meanwhile. */
function ResizeHandle({ column, onResize, onHover }: ResizeHandleProps): JSX.Element {
  const [from, setFrom] = useState<{ x: number; width: number }>();
  const drag = (event: PointerEvent<HTMLSpanElement>): void => {
    if (from === undefined) return;
    onResize(column.name, Math.max(minColumnWidth, from.width + event.clientX - from.x));
  };
  return (
    <span
      className={`resize ${from === undefined ? '' : 'on'}`}
      onPointerEnter={() => onHover(true)}
      onPointerLeave={() => onHover(false)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom({ x: event.clientX, width: column.width });
      }}
      onPointerMove={drag}
      onLostPointerCapture={() => setFrom(undefined)}
    />
  );
}
