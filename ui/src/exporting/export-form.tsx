import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JSX, ReactNode } from 'react';
import { schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import { DownloadButton } from './download-button.tsx';
import type { ShownView } from './export-address.ts';
import { defaultChoices } from './export-choices.ts';
import type { Choose, ExportChoices, ExportContent } from './export-choices.ts';
import { ExportOptions } from './export-options.tsx';
import { FormatChoice } from './format-choice.tsx';
import { prepareExport } from './prepare-export.ts';
import { useShownResult } from './shown-result.ts';
import type { ShownResult } from './shown-result.ts';
import { TableChoice } from './table-choice.tsx';
import { useRowTotal } from './use-row-total.ts';
import type { RowTotal } from './use-row-total.ts';
import { useShownView } from './use-shown-view.ts';
import { ViewChoice } from './view-choice.tsx';
import { ContentList } from './content-list.tsx';
import { exportingTexts as texts } from '../texts/exporting.ts';
import { commonTexts } from '../texts/common.ts';

interface ExportFormProps {
  readonly content: ExportContent;
  /** The cancel button. The export page has none. */
  readonly cancel?: ReactNode;
  /** Receives the transfer id of a download with progress. */
  readonly onTracked?: (transfer: string) => void;
}

export function ExportForm({ content, cancel, onTracked }: ExportFormProps): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const shownView = useShownView(schema);
  const result = useShownResult();
  const [choices, setChoices] = useState(() => defaultChoices(content));
  const choose: Choose = (changes) => setChoices({ ...choices, ...changes });
  const names = schema?.tables.map(({ name }) => name) ?? [];
  const total = useRowTotal(choices, { schema, shown: shownView, result });
  const followUp = { rows: total?.rows, onTracked };
  const ready = prepareExport(choices, { schema, names, shown: shownView, result }, followUp);
  return (
    <>
      <div className="body export-form">
        <ContentList
          content={choices.content}
          shown={shownView}
          result={result}
          onChoose={(next) => choose({ content: next })}
        />
        <div className="export-parts">
          <FormatChoice choices={choices} choose={choose} />
          {choices.content === 'view' && <ViewSummary shown={shownView} />}
          {choices.content === 'result' && <ResultSummary result={result} />}
          {choices.content !== 'view' && choices.content !== 'result' && (
            <TableChoice schema={schema} omittedTables={choices.omittedTables} choose={choose} />
          )}
          {choices.content === 'data' && (
            <ViewChoice views={schema?.views ?? []} choices={choices} choose={choose} />
          )}
          <ExportOptions choices={choices} choose={choose} shown={shownView} />
        </div>
      </div>
      <footer className="export-foot">
        <span className="num">{ready.disabledReason ?? summary(choices, schema, total)}</span>
        <span className="grow" />
        {cancel}
        <DownloadButton {...ready} />
      </footer>
    </>
  );
}

function summary(
  { content, omittedTables }: ExportChoices,
  schema: Schema | undefined,
  total: RowTotal | undefined,
): string {
  if (total !== undefined) {
    const count = commonTexts.rowCount({ count: total.rows });
    return total.isExact ? count : commonTexts.about({ count });
  }
  if (content === 'view' || content === 'result') return '';
  const selectedCount = schema?.tables.filter(({ name }) => !omittedTables.has(name)).length ?? 0;
  return texts.tableCount({ count: selectedCount });
}

function ViewSummary({ shown }: { readonly shown: ShownView | undefined }): JSX.Element | null {
  if (shown === undefined) return null;
  const { table, view } = shown;
  const parts = [
    ...view.filters.map((terms) =>
      texts.filteredBy({ columns: [...new Set(terms.map(({ column }) => column))] }),
    ),
    ...(view.search === '' ? [] : [texts.searched({ text: view.search })]),
    ...view.sort.map(texts.sortedBy),
    ...(view.showDeleted ? [texts.withDeleted] : []),
  ];
  return (
    <p className="t2">
      <span className="m">{table}</span>:{' '}
      {texts.ofAllPages({ rows: parts.length === 0 ? texts.allRows : parts.join('; ') })}
    </p>
  );
}

function ResultSummary({ result }: { readonly result: ShownResult | undefined }): JSX.Element {
  const isTruncated = result?.isTruncated === true;
  return (
    <p className={isTruncated ? 'warn' : 't2'}>
      {isTruncated ? texts.partOfResult : texts.wholeResult}
    </p>
  );
}
