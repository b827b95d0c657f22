import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon.tsx';
import type { ShownView } from './export-address.ts';
import type { ExportWhat } from './export-choices.ts';
import type { ShownResult } from './shown-result.ts';

interface What {
  readonly what: ExportWhat;
  readonly title: string;
  readonly note: string;
  readonly icon: IconName;
}

const always: readonly What[] = [
  { what: 'data', title: 'Data', note: 'rows of the tables you choose', icon: 'database' },
  { what: 'schema', title: 'Schema', note: 'structure only', icon: 'list' },
  { what: 'diagram', title: 'Diagram', note: 'PDF, PNG, SVG', icon: 'diagram' },
  { what: 'models', title: 'Go models', note: 'GORM structs, gofmt-clean', icon: 'go' },
];

interface WhatListProps {
  readonly what: ExportWhat;
  readonly shown: ShownView | undefined;
  readonly result: ShownResult | undefined;
  readonly onChoose: (what: ExportWhat) => void;
}

/** Lists what can be exported from the current page. */
export function WhatList({ what, shown, result, onChoose }: WhatListProps): JSX.Element {
  const here: readonly What[] = [
    ...(shown === undefined
      ? []
      : [{ what: 'view', title: 'This view', note: noteOf(shown), icon: 'table' } as const]),
    ...(result === undefined
      ? []
      : [{ what: 'result', title: 'This result', note: 'of the statement', icon: 'sql' } as const]),
  ];
  return (
    <div className="what" role="group" aria-label="What to export">
      {[...here, ...always].map((item) => (
        <button
          key={item.what}
          className="mi"
          aria-pressed={item.what === what}
          onClick={() => onChoose(item.what)}
        >
          <Icon name={item.icon} size="s" />
          <span>
            <span className={item.what === what ? 'm' : ''}>{item.title}</span>
            <small>{item.note}</small>
          </span>
        </button>
      ))}
    </div>
  );
}

function noteOf({ table, view }: ShownView): string {
  const words = [
    ...(view.filters.length > 0 || view.search !== '' ? ['filtered'] : []),
    ...(view.sort.length > 0 ? ['sorted'] : []),
  ];
  return [table, words.join(' and ')].filter((part) => part !== '').join(', ');
}
