import { useEffect, useRef, useState } from 'react';
import type { MouseEvent, PointerEvent } from 'react';
import type { Place } from '../grid/selection.ts';
import { openReferenced } from './row-deeds.ts';
import type { RowsGridProps } from './rows-grid-props.ts';

/** A foreign key that is pointed at. */
export interface PointedAt {
  readonly place: Place;
  readonly anchor: HTMLElement;
}

const pauseMs = 120;

/** What a foreign key leads to is shown when the pointer rests on it, and opened by a click. */
export function useReferenceHover(props: RowsGridProps) {
  const [shown, setShown] = useState<PointedAt>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const later = (next: PointedAt | undefined): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(next), pauseMs);
  };
  return {
    shown,
    handlers: {
      onPointerOver: (event: PointerEvent<HTMLElement>) => {
        const next = pointedAt(event);
        if (event.pointerType === 'mouse' && next?.anchor !== shown?.anchor) later(next);
        else clearTimeout(timer.current);
      },
      onPointerLeave: () => later(undefined),
      onClick: (event: MouseEvent<HTMLElement>) => {
        const next = pointedAt(event);
        if (next === undefined) return;
        later(undefined);
        void openReferenced(props, next.place);
      },
      onKeyDown: () => setShown(undefined),
      onScrollCapture: () => setShown(undefined),
    },
  };
}

function pointedAt({ target }: { readonly target: EventTarget }): PointedAt | undefined {
  const anchor = (target as HTMLElement).closest<HTMLElement>('.fk');
  const [, row, column] = anchor?.closest('[role="gridcell"]')?.id.split('-') ?? [];
  if (anchor === null || row === undefined || column === undefined) return undefined;
  return { anchor, place: { row: Number(row), column: Number(column) } };
}
