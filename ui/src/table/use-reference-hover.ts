import { useEffect, useRef, useState } from 'react';
import type { MouseEvent, PointerEvent } from 'react';
import type { CellPosition } from '../grid/selection.ts';
import { openReferenced } from './row-actions.ts';
import type { RowsGridProps } from './rows-grid-props.ts';

/** The foreign key cell under the pointer. */
export interface HoveredReference {
  readonly position: CellPosition;
  readonly anchor: HTMLElement;
}

const hoverDelayMs = 120;
/** A second click within this time edits the cell instead. */
const doubleClickMs = 300;

/** Shows the referenced row when the pointer rests on a foreign key. A click opens its record. */
export function useReferenceHover(props: RowsGridProps) {
  const [shown, setShown] = useState<HoveredReference>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const click = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearTimeout(click.current);
    },
    [],
  );
  const later = (next: HoveredReference | undefined): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(next), hoverDelayMs);
  };
  return {
    shown,
    handlers: {
      onPointerOver: (event: PointerEvent<HTMLElement>) => {
        const next = hoveredReference(event);
        if (event.pointerType === 'mouse' && next?.anchor !== shown?.anchor) later(next);
        else clearTimeout(timer.current);
      },
      onPointerLeave: () => later(undefined),
      onClick: (event: MouseEvent<HTMLElement>) => {
        const next = hoveredReference(event);
        if (next === undefined) return;
        later(undefined);
        clearTimeout(click.current);
        if (event.detail < 2)
          click.current = setTimeout(
            () => void openReferenced(props, next.position),
            doubleClickMs,
          );
      },
      onKeyDown: () => setShown(undefined),
      onScrollCapture: () => setShown(undefined),
    },
  };
}

function hoveredReference({
  target,
}: {
  readonly target: EventTarget;
}): HoveredReference | undefined {
  const anchor = (target as HTMLElement).closest<HTMLElement>('.fk');
  const [, row, column] = anchor?.closest('[role="gridcell"]')?.id.split('-') ?? [];
  if (anchor === null || row === undefined || column === undefined) return undefined;
  return { anchor, position: { row: Number(row), column: Number(column) } };
}
