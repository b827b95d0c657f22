import { useState } from 'react';
import type { JSX, PointerEvent } from 'react';
import { placed } from './grid-props.ts';
import type { GridColumn, GridProps, ShownColumn } from './grid-props.ts';
import { blockOf } from './selection.ts';

interface HeadProps extends GridProps {
  readonly shown: readonly ShownColumn[];
}

/** The columns' heads: they stay while rows move. */
export function GridHead({ columns, shown, selection, onResize }: HeadProps): JSX.Element {
  const block = selection === undefined ? undefined : blockOf(selection);
  return (
    <div className="gr head" role="row" aria-rowindex={1}>
      <div className="g" />
      {shown.map(({ index, start }) => {
        const column = columns[index];
        if (column === undefined) return null;
        const isIn = block !== undefined && index >= block.left && index <= block.right;
        return (
          <div
            key={column.name}
            className={`th ${column.isNumber === true ? 'r' : ''} ${isIn ? 'sel' : ''}`}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={column.sort ?? 'none'}
            style={placed(start, column.width)}
          >
            {column.head}
            {onResize !== undefined && <ResizeHandle column={column} onResize={onResize} />}
          </div>
        );
      })}
    </div>
  );
}

const leastWidth = 48;

interface ResizeHandleProps {
  readonly column: GridColumn;
  readonly onResize: (column: string, width: number) => void;
}

function ResizeHandle({ column, onResize }: ResizeHandleProps): JSX.Element {
  const [from, setFrom] = useState<{ x: number; width: number }>();
  const drag = (event: PointerEvent<HTMLSpanElement>): void => {
    if (from === undefined) return;
    onResize(column.name, Math.max(leastWidth, from.width + event.clientX - from.x));
  };
  return (
    <span
      className={`resize ${from === undefined ? '' : 'on'}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom({ x: event.clientX, width: column.width });
      }}
      onPointerMove={drag}
      onPointerUp={() => setFrom(undefined)}
    />
  );
}
