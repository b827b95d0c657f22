import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon.tsx';
import type { ShownView } from './export-address.ts';
import type { ExportContent } from './export-choices.ts';
import type { ShownResult } from './shown-result.ts';
import { exportingTexts as texts } from '../texts/exporting.ts';
import { commonTexts } from '../texts/common.ts';

interface ContentItem {
  readonly what: ExportContent;
  readonly title: string;
  readonly note: string;
  readonly icon: IconName;
}

const alwaysAvailable: readonly ContentItem[] = [
  { what: 'data', title: commonTexts.data, note: texts.dataNote, icon: 'database' },
  { what: 'schema', title: texts.schema, note: texts.schemaNote, icon: 'list' },
  { what: 'diagram', title: commonTexts.diagram, note: texts.diagramNote, icon: 'diagram' },
  { what: 'models', title: texts.models, note: texts.modelsNote, icon: 'go' },
];

interface ContentListProps {
  readonly what: ExportContent;
  readonly shown: ShownView | undefined;
  readonly result: ShownResult | undefined;
  readonly onChoose: (what: ExportContent) => void;
}

/** Lists what can be exported from the current page. */
export function ContentList({ what, shown, result, onChoose }: ContentListProps): JSX.Element {
  const ofThisPage: readonly ContentItem[] = [
    ...(shown === undefined
      ? []
      : [{ what: 'view', title: texts.thisView, note: noteOf(shown), icon: 'table' } as const]),
    ...(result === undefined
      ? []
      : [
          { what: 'result', title: texts.thisResult, note: texts.resultNote, icon: 'sql' } as const,
        ]),
  ];
  return (
    <div className="what" role="group" aria-label={texts.what}>
      {[...ofThisPage, ...alwaysAvailable].map((item) => (
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
  const isFiltered = view.filters.length > 0 || view.search !== '';
  const isSorted = view.sort.length > 0;
  if (isFiltered) return `${table}, ${isSorted ? texts.filteredAndSorted : texts.filtered}`;
  return isSorted ? `${table}, ${texts.sorted}` : table;
}
