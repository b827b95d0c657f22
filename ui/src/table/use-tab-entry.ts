import { useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { selectCell, stepFrom } from '../grid/selection.ts';
import type { CellPosition, Selection } from '../grid/selection.ts';
import type { RowsGridProps } from './rows-grid-props.ts';

export interface TabEntry {
  /** Called when Tab has moved from an editor to a cell. */
  readonly moved: (to: CellPosition) => void;
  /** Returns what the key does, if it is Tab and does not leave the grid. */
  readonly actionOf: (event: KeyboardEvent, selection: Selection) => (() => void) | undefined;
}

/**
 * Tab leaves the grid as it leaves any other element, except while values are entered cell by cell: in a
 * new row, and in the cell to which Tab has moved, it goes on to the next cell. After Escape it leaves.
 */
export function useTabEntry({ rows, columns, selection, onSelect }: RowsGridProps): TabEntry {
  const arrivedAt = useRef<CellPosition>(undefined);
  const escapedAt = useRef<CellPosition>(undefined);

  const isEntering = ({ row, column }: CellPosition): boolean =>
    isSame(arrivedAt.current, { row, column }) ||
    (rows.at(row)?.kind === 'new' && !isSame(escapedAt.current, { row, column }));
  const moved = (to: CellPosition): void => {
    arrivedAt.current = to;
    escapedAt.current = undefined;
  };
  return {
    moved,
    actionOf: (event, { active }) => {
      if (event.key === 'Escape') {
        arrivedAt.current = undefined;
        escapedAt.current = active;
      }
      if (!isPlainTab(event) || selection === undefined || !isEntering(active)) return undefined;
      const extent = { rows: rows.count, columns: columns.length };
      const to = stepFrom(active, event.shiftKey ? 'left' : 'right', extent);
      if (isSame(to, active)) return undefined;
      return () => {
        moved(to);
        onSelect(selectCell(to));
      };
    },
  };
}

function isPlainTab({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Tab' && !ctrlKey && !altKey && !metaKey;
}

function isSame(a: CellPosition | undefined, b: CellPosition): boolean {
  return a?.row === b.row && a.column === b.column;
}
