import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { JSX, KeyboardEvent, RefObject } from 'react';
import { GridHead } from './grid-head.tsx';
import { cellId, gutterWidth } from './grid-props.ts';
import type { GridProps } from './grid-props.ts';
import { GridRow } from './grid-row.tsx';
import { moveSelection, selectCell } from './selection.ts';

const rowHeight = 28;
const phoneRowHeight = 46;
const headHeight = 42;

/** Rows and columns of cells, of which only those in view are in the page. */
export function Grid(props: GridProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, across } = useWindow(props, scroller);
  const { label, columns, selection, totalRows } = props;
  const shown = across.getVirtualItems().map(({ index, start }) => ({ index, start }));
  const width = across.getTotalSize() + gutterWidth;
  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={totalRows === undefined ? -1 : totalRows + 1}
      aria-colcount={columns.length}
      aria-multiselectable="true"
      aria-activedescendant={selection === undefined ? undefined : cellId(selection.end)}
      tabIndex={0}
      onKeyDown={(event) => pressKey(event, props)}
    >
      <div className="grid-canvas" style={{ width, height: rows.getTotalSize() + headHeight }}>
        <GridHead {...props} shown={shown} />
        {rows.getVirtualItems().map(({ index, start, size }) => (
          <GridRow
            key={index}
            {...props}
            row={index}
            style={{ transform: `translateY(${start}px)`, height: size }}
            shown={shown}
          />
        ))}
        {props.children}
      </div>
    </div>
  );
}

function isPhone(): boolean {
  return matchMedia('(max-width: 639px)').matches;
}

/** The rows and columns in view; the active cell is always among them. */
function useWindow(
  { columns, rowCount, selection }: GridProps,
  scroller: RefObject<HTMLDivElement | null>,
) {
  const getScrollElement = (): HTMLDivElement | null => scroller.current;
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement,
    estimateSize: () => (isPhone() ? phoneRowHeight : rowHeight),
    overscan: 8,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement,
    estimateSize: (index) => columns[index]?.width ?? 0,
    overscan: 3,
  });
  const widths = columns.map(({ width }) => width).join();
  useEffect(() => across.measure(), [across, widths]);
  const end = selection?.end;
  useEffect(() => {
    if (end === undefined) return;
    rows.scrollToIndex(end.row, { align: 'auto' });
    across.scrollToIndex(end.column, { align: 'auto' });
  }, [end, rows, across]);
  return { rows, across };
}

function pressKey(event: KeyboardEvent<HTMLDivElement>, props: GridProps): void {
  if (event.defaultPrevented || event.target !== event.currentTarget) return;
  const current = props.selection ?? selectCell({ row: 0, column: 0 });
  const step = {
    key: event.key,
    isExtending: event.shiftKey,
    isFar: event.ctrlKey || event.metaKey,
    pageRows: Math.floor(event.currentTarget.clientHeight / rowHeight) - 2,
  };
  const extent = { rows: props.rowCount, columns: props.columns.length };
  const moved = moveSelection(current, step, extent);
  if (moved === undefined) {
    props.onKey?.(event, current);
    return;
  }
  event.preventDefault();
  props.onSelect(moved);
}
