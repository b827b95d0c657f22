import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { ChangeView, DiagramView } from './diagram-address.ts';
import { diagramTexts as texts } from '../texts/diagram.ts';

interface FocusBarProps {
  readonly around: string;
  readonly view: DiagramView;
  readonly onChange: ChangeView;
}

const depths = ['1', '2', 'all'] as const;

/** Shows the focused table, with the distance of its neighbors and whether other tables are hidden. */
export function FocusBar({ around, view, onChange }: FocusBarProps): JSX.Element {
  return (
    <div
      className="pop focus-bar nopan"
      role="group"
      aria-label={texts.focusedOn({ table: around })}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onChange({ around: undefined, hidesOthers: false });
      }}
    >
      <Icon name="focus" size="s" />
      <span className="cut">
        {texts.neighborsOf}{' '}
        <Link
          to="/tables/$table"
          params={{ table: around }}
          className="m"
          title={texts.open({ table: around })}
        >
          {around}
        </Link>
      </span>
      <span className="sep" />
      <Distance view={view} onChange={onChange} />
      <button
        className="btn quiet"
        aria-pressed={view.hidesOthers}
        onClick={() => onChange({ hidesOthers: !view.hidesOthers })}
      >
        {texts.hideOthers}
      </button>
      <button
        className="btn quiet"
        onClick={() =>
          onChange({ around: undefined, hidesOthers: false, hidden: [...view.hidden, around] })
        }
      >
        {texts.hideTable}
      </button>
      <button
        className="ib sm"
        aria-label={texts.clearFocus}
        title={texts.clearFocus}
        onClick={() => onChange({ around: undefined, hidesOthers: false })}
      >
        <Icon name="close" size="xs" />
      </button>
    </div>
  );
}

function Distance({ view, onChange }: Omit<FocusBarProps, 'around'>): JSX.Element {
  return (
    <>
      <span className="t2 word">{texts.distance}</span>
      <div className="seg" role="group" aria-label={texts.distance}>
        {depths.map((depth) => (
          <button
            key={depth}
            aria-pressed={depth === view.depth}
            onClick={() => onChange({ depth })}
          >
            {depth === 'all' ? texts.all : depth}
          </button>
        ))}
      </div>
    </>
  );
}
