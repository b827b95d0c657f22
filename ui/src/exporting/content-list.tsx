import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon.tsx';
import type { ShownView } from './export-address.ts';
import type { ExportContent } from './export-choices.ts';
import type { ShownResult } from './shown-result.ts';
import { exportingTexts as texts } from '../texts/exporting.ts';
import { commonTexts } from '../texts/common.ts';

interface ContentItem {
  readonly content: ExportContent;
  readonly title: string;
  readonly note: string;
  readonly icon: IconName;
}

const alwaysAvailable: readonly ContentItem[] = [
  { content: 'data', title: commonTexts.data, note: texts.dataNote, icon: 'database' },
  { content: 'schema', title: texts.schema, note: texts.schemaNote, icon: 'list' },
  { content: 'dump', title: texts.dump, note: texts.dumpNote, icon: 'file' },
  { content: 'diagram', title: commonTexts.diagram, note: texts.diagramNote, icon: 'diagram' },
  { content: 'models', title: texts.models, note: texts.modelsNote, icon: 'go' },
];

interface ContentListProps {
  readonly content: ExportContent;
  readonly shown: ShownView | undefined;
  readonly result: ShownResult | undefined;
  readonly onChoose: (content: ExportContent) => void;
}

/** Lists what can be exported from the current page. */
export function ContentList({ content, shown, result, onChoose }: ContentListProps): JSX.Element {
  const ofThisPage: readonly ContentItem[] = [
    ...(shown === undefined
      ? []
      : [{ content: 'view', title: texts.thisView, note: noteOf(shown), icon: 'table' } as const]),
    ...(result === undefined
      ? []
      : [
          {
            content: 'result',
            title: texts.thisResult,
            note: texts.resultNote,
            icon: 'sql',
          } as const,
        ]),
  ];
  return (
    <div className="what" role="group" aria-label={texts.what}>
      {[...ofThisPage, ...alwaysAvailable].map((item) => (
        <button
          key={item.content}
          className="mi"
          aria-pressed={item.content === content}
          onClick={() => onChoose(item.content)}
        >
          <Icon name={item.icon} size="s" />
          <span>
            <span className={item.content === content ? 'm' : ''}>{item.title}</span>
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
