import { useVirtualizer } from '@tanstack/react-virtual';
import { startTransition, useEffect, useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';
import { gutterWidthOf, headHeight, rowHeight } from './grid-props.ts';
import type { GridProps, ShownColumn } from './grid-props.ts';

/** The time between rendering the rows in view and those beyond it. */
const overscanDelayMs = 200;

/**
 * The rows and columns rendered beyond the view, so that scrolling finds them there. None until the
 * first rows are shown: they are what a person waits for.
 */
function useOverscan(hasRows: boolean): { readonly rows: number; readonly columns: number } {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (!hasRows || isSettled) return;
    const timer = setTimeout(() => startTransition(() => setSettled(true)), overscanDelayMs);
    return () => clearTimeout(timer);
  }, [hasRows, isSettled]);
  return isSettled ? { rows: 8, columns: 3 } : { rows: 0, columns: 0 };
}

/** The rows and columns in view, and the pinned ones. Scrolls the active cell into view. */
export function useGridWindow(
  props: GridProps,
  scroller: RefObject<HTMLDivElement | null>,
  device: 'desktop' | 'phone',
) {
  const { columns, pinned = 0, rowCount, selection, onRange, scrollKey } = props;
  const getScrollElement = (): HTMLDivElement | null => scroller.current;
  const overscan = useOverscan(rowCount > 0);
  const gutter = gutterWidthOf(props, device);
  const pinnedWidth = columns.slice(0, pinned).reduce((sum, { width }) => sum + width, gutter);
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement,
    estimateSize: () => rowHeight[device],
    overscan: overscan.rows,
    // The head comes before the rows, and covers the first ones in view.
    scrollMargin: headHeight[device],
    scrollPaddingStart: headHeight[device],
  });
  const virtualColumns = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement,
    estimateSize: (index) => columns[index]?.width ?? 0,
    overscan: overscan.columns,
    paddingStart: gutter,
    scrollPaddingStart: pinnedWidth,
  });
  const widths = [gutter, ...columns.map(({ width }) => width)].join();
  useEffect(() => virtualColumns.measure(), [virtualColumns, widths]);
  useEffect(() => rows.measure(), [rows, device]);
  const end = selection?.end;
  useEffect(() => {
    if (end === undefined) return;
    rows.scrollToIndex(end.row, { align: 'auto' });
    if (end.column >= pinned) virtualColumns.scrollToIndex(end.column, { align: 'auto' });
  }, [end, pinned, rows, virtualColumns]);
  useEffect(() => rows.scrollToOffset(0), [rows, scrollKey]);
  const { startIndex: first = 0, endIndex: last = 0 } = rows.range ?? {};
  useLayoutEffect(() => onRange?.(first, last), [onRange, first, last]);
  const shownColumns = [
    ...pinnedColumns(columns.slice(0, pinned), gutter),
    ...virtualColumns
      .getVirtualItems()
      .filter(({ index }) => index >= pinned)
      .map(({ index, start }): ShownColumn => ({ index, start, isPinned: false })),
  ];
  return { rows, shownColumns, gutter, width: virtualColumns.getTotalSize() };
}

function pinnedColumns(columns: GridProps['columns'], gutter: number): readonly ShownColumn[] {
  let start = gutter;
  return columns.map(({ width }, index) => {
    const pinnedColumn = { index, start, isPinned: true };
    start += width;
    return pinnedColumn;
  });
}
