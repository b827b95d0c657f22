import { useEffect, useRef, useState } from 'react';
import type { JSX } from 'react';

/** As in the style sheet. */
const maxWidth = 360;
/** A message of four lines. */
const maxHeight = 90;

/** Why the database rejected a cell: shown below it, or where the edges of the grid leave room. */
export function CellError({ message }: { readonly message: string }): JSX.Element {
  const tip = useRef<HTMLSpanElement>(null);
  const [sides, setSides] = useState('');
  useEffect(() => {
    const cell = tip.current?.parentElement;
    const update = (): void => setSides(sidesOf(cell));
    update();
    cell?.addEventListener('pointerenter', update);
    return () => cell?.removeEventListener('pointerenter', update);
  }, []);
  return (
    <span ref={tip} className={`cell-error err ${sides}`}>
      {message}
    </span>
  );
}

function sidesOf(cell: HTMLElement | null | undefined): string {
  const grid = cell?.closest('.grid');
  if (cell === null || cell === undefined || grid === null || grid === undefined) return '';
  const inner = cell.getBoundingClientRect();
  const outer = grid.getBoundingClientRect();
  const isAtEnd = inner.left + maxWidth > outer.right && inner.right - maxWidth > outer.left;
  const isAtBottom = inner.bottom + maxHeight > outer.bottom;
  return `${isAtEnd ? 'at-end' : ''} ${isAtBottom ? 'above' : ''}`;
}
