import { useRef } from 'react';
import type { CSSProperties, JSX, KeyboardEvent, MouseEvent } from 'react';
import { useIsPhone } from '../parts/use-is-phone.ts';
import { useRequestedFocus } from './request-grid-focus.ts';
import { GridHead } from './grid-head.tsx';
import { cellId, headHeight, rowHeight } from './grid-props.ts';
import type { GridProps } from './grid-props.ts';
import { GridRow } from './grid-row.tsx';
import { moveSelection, selectCell } from './selection.ts';
import type { CellPosition, Selection } from './selection.ts';
import { useGridWindow } from './use-grid-window.ts';

/** A virtualized grid: only the cells in view are rendered. */
export function Grid(props: GridProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const device = useIsPhone() ? 'phone' : 'desktop';
  useRequestedFocus(scroller);
  const { rows, shownColumns, gutter, width } = useGridWindow(props, scroller, device);
  const { label, columns, selection, totalRows, isWaiting = false } = props;
  const items = rows.getVirtualItems();
  const head = headHeight[device];
  const origin = originOf((items[0]?.start ?? head) - head);
  return (
    <div
      ref={scroller}
      className={`grid ${isWaiting ? 'waiting' : ''}`}
      role="grid"
      aria-busy={isWaiting}
      aria-label={label}
      aria-rowcount={totalRows === undefined ? -1 : totalRows + 1}
      aria-colcount={columns.length}
      aria-multiselectable="true"
      aria-activedescendant={selection === undefined ? undefined : cellId(selection.end)}
      tabIndex={0}
      onKeyDown={(event) => onGridKeyDown(event, props)}
      onClick={keepFocus}
      onContextMenu={(event) => openMenu(event, props)}
    >
      <div
        className="grid-canvas"
        style={
          {
            width,
            height: rows.getTotalSize() + head,
            '--gutter': `${gutter}px`,
          } as CSSProperties
        }
      >
        <GridHead {...props} shownColumns={shownColumns} />
        <div className="grid-rows" role="rowgroup" style={layerAt(origin)}>
          {items.map(({ index, start, size }) => (
            <GridRow
              key={index}
              {...props}
              row={index}
              style={{ transform: `translateY(${start - head - origin}px)`, height: size }}
              shownColumns={shownColumns}
            />
          ))}
        </div>
        {props.children}
      </div>
    </div>
  );
}

/** A distance, in pixels, at which browsers still draw texts in the right place. */
const drawableDistance = 2_000_000;

/** Returns the position that the rows are placed from. */
function originOf(firstStart: number): number {
  return Math.floor(firstStart / drawableDistance) * drawableDistance;
}

/**
 * Browsers draw with 32-bit floats, which distorts the texts of rows that are millions of pixels from
 * the top of their layer. So rows far down have a layer of their own.
 */
function layerAt(origin: number): CSSProperties {
  return origin === 0 ? {} : { transform: `translateY(${origin}px)`, willChange: 'transform' };
}

/**
 * After a click on a button that the Tab key does not reach, such as that of a column header, the
 * next key belongs to the active cell.
 */
function keepFocus({ currentTarget }: MouseEvent<HTMLDivElement>): void {
  const { activeElement } = document;
  const isButton = activeElement?.matches('button[tabindex="-1"], input[tabindex="-1"]') === true;
  if (isButton && currentTarget.contains(activeElement))
    currentTarget.focus({ preventScroll: true });
}

function onGridKeyDown(event: KeyboardEvent<HTMLDivElement>, props: GridProps): void {
  if (event.defaultPrevented || !isOfGrid(event)) return;
  const step = {
    key: event.altKey ? '' : event.key,
    isExtending: event.shiftKey,
    toEdge: event.ctrlKey || event.metaKey,
    pageRows: Math.floor(event.currentTarget.clientHeight / rowHeight.desktop) - 2,
  };
  const extent = { rows: props.rowCount, columns: props.columns.length };
  const movedSelection = moveSelection(startOf(props, event.key), step, extent);
  if (movedSelection === undefined) {
    props.onKey?.(event, startOf(props));
    return;
  }
  event.preventDefault();
  props.onSelect(movedSelection);
}

/**
 * The selection that a key starts from. If the selected row is no longer shown, the next row has moved to
 * its index. The arrow down then selects that row, and the arrow up the row before it.
 */
function startOf({ selection, resumeAt, rowCount }: GridProps, key = ''): Selection {
  if (selection !== undefined) return selection;
  const { row, column } = resumeAt ?? { row: 0, column: 0 };
  if (resumeAt === undefined || key === 'ArrowUp') return selectCell({ row, column });
  const lastRow = Math.max(0, rowCount - 1);
  if (key === 'ArrowDown') return selectCell({ row: Math.min(row, lastRow) - 1, column });
  return selectCell({ row: Math.min(row, lastRow), column });
}

/** Whether an event is about the selected cells: the focus is in the grid itself, or in the field that stands in for it. */
function isOfGrid({ target, currentTarget }: KeyboardEvent | MouseEvent): boolean {
  return target === currentTarget || (target as HTMLElement).dataset['gridKeys'] !== undefined;
}

/** A right click opens the menu at the pointer, the menu key at the active cell. */
function openMenu(event: MouseEvent<HTMLDivElement>, props: GridProps): void {
  if (props.onMenu === undefined) return;
  const isByKey = isOfGrid(event);
  const cell = isByKey
    ? null
    : (event.target as HTMLElement).closest<HTMLElement>('[role="gridcell"]');
  const position = cell === null ? props.selection?.end : positionOf(cell);
  if (position === undefined || (cell === null && !isByKey)) return;
  event.preventDefault();
  const box = document.getElementById(cellId(position))?.getBoundingClientRect();
  const at = isByKey && box !== undefined ? { x: box.left, y: box.bottom } : pointOf(event);
  props.onMenu(position, at);
}

function pointOf({ clientX, clientY }: MouseEvent): { readonly x: number; readonly y: number } {
  return { x: clientX, y: clientY };
}

function positionOf(cell: HTMLElement): CellPosition {
  const [, row = '', column = ''] = cell.id.split('-');
  return { row: Number(row), column: Number(column) };
}
