import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { ChangeView, DiagramView } from './diagram-address.ts';

interface FocusBarProps {
  readonly around: string;
  readonly view: DiagramView;
  readonly onChange: ChangeView;
}

const depths = ['1', '2', 'all'] as const;

/** Shows the focused table, with the distance of its neighbors and whether other tables are hidden. */
export function FocusBar({ around, view, onChange }: FocusBarProps): JSX.Element {
  return (
    <div className="pop focus-bar nopan" role="group" aria-label={`Around ${around}`}>
      <Icon name="focus" size="s" />
      <span className="cut">
        Around{' '}
        <Link to="/tables/$table" params={{ table: around }} className="m" title={`Open ${around}`}>
          {around}
        </Link>
      </span>
      <span className="sep" />
      <span className="t2 word">neighbors</span>
      <div className="seg" role="group" aria-label="Neighbors">
        {depths.map((depth) => (
          <button
            key={depth}
            aria-pressed={depth === view.depth}
            onClick={() => onChange({ depth })}
          >
            {depth}
          </button>
        ))}
      </div>
      <button
        className="btn quiet"
        aria-pressed={view.isAlone}
        onClick={() => onChange({ isAlone: !view.isAlone })}
      >
        Only these
      </button>
      <button
        className="ib sm"
        aria-label="Clear focus"
        title="Clear focus"
        onClick={() => onChange({ around: undefined, isAlone: false })}
      >
        <Icon name="close" size="xs" />
      </button>
    </div>
  );
}
