import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JSX, ReactNode } from 'react';
import { schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import { rowCountText } from '../parts/row-count-text.ts';
import { DownloadButton } from './download-button.tsx';
import type { ShownView } from './export-address.ts';
import { defaultChoices } from './export-choices.ts';
import type { Choose, ExportChoices, ExportWhat } from './export-choices.ts';
import { ExportOptions } from './export-options.tsx';
import { FormatChoice } from './format-choice.tsx';
import { prepareExport } from './prepare-export.ts';
import { useShownResult } from './shown-result.ts';
import type { ShownResult } from './shown-result.ts';
import { TableChoice } from './table-choice.tsx';
import { useRowTotal } from './use-row-total.ts';
import type { RowTotal } from './use-row-total.ts';
import { useShownView } from './use-shown-view.ts';
import { WhatList } from './what-list.tsx';

interface ExportFormProps {
  readonly what: ExportWhat;
  /** The cancel button. The export page has none. */
  readonly cancel?: ReactNode;
  /** Receives the transfer id of a download with progress. */
  readonly onFollowed?: (transfer: string) => void;
}

export function ExportForm({ what, cancel, onFollowed }: ExportFormProps): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const shown = useShownView(schema);
  const result = useShownResult();
  const [choices, setChoices] = useState(() => defaultChoices(what));
  const choose: Choose = (changes) => setChoices({ ...choices, ...changes });
  const names = schema?.tables.map(({ name }) => name) ?? [];
  const total = useRowTotal(choices, { schema, shown, result });
  const followUp = { rows: total?.rows, onFollowed };
  const ready = prepareExport(choices, { schema, names, shown, result }, followUp);
  return (
    <>
      <div className="body export-form">
        <WhatList
          what={choices.what}
          shown={shown}
          result={result}
          onChoose={(next) => choose({ what: next })}
        />
        <div className="export-parts">
          <FormatChoice choices={choices} choose={choose} />
          {choices.what === 'view' && <ViewSummary shown={shown} />}
          {choices.what === 'result' && <ResultSummary result={result} />}
          {choices.what !== 'view' && choices.what !== 'result' && (
            <TableChoice schema={schema} leftOut={choices.leftOut} choose={choose} />
          )}
          <ExportOptions choices={choices} choose={choose} shown={shown} />
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
  { what, leftOut }: ExportChoices,
  schema: Schema | undefined,
  total: RowTotal | undefined,
): string {
  if (total !== undefined) return `${total.isExact ? '' : 'about '}${rowCountText(total.rows)}`;
  if (what === 'view' || what === 'result') return '';
  const selectedCount = schema?.tables.filter(({ name }) => !leftOut.has(name)).length ?? 0;
  return `${selectedCount} ${selectedCount === 1 ? 'table' : 'tables'}`;
}

function ViewSummary({ shown }: { readonly shown: ShownView | undefined }): JSX.Element | null {
  if (shown === undefined) return null;
  const { table, view } = shown;
  const parts = [
    ...view.filters.map(
      (terms) => `filtered by ${[...new Set(terms.map(({ column }) => column))].join(' or ')}`,
    ),
    ...(view.search === '' ? [] : [`searched for “${view.search}”`]),
    ...view.sort.map(({ column, descending }) => `by ${column}${descending ? ', descending' : ''}`),
    ...(view.showDeleted ? ['deleted rows too'] : []),
  ];
  return (
    <p className="t2">
      <span className="m">{table}</span>: {parts.length === 0 ? 'all rows' : parts.join('; ')}, of
      all pages.
    </p>
  );
}

function ResultSummary({ result }: { readonly result: ShownResult | undefined }): JSX.Element {
  const isCut = result?.isCut === true;
  return (
    <p className={isCut ? 'warn' : 't2'}>
      {isCut
        ? 'Only the rows that are shown. The statement returned more: add a LIMIT, or export the table.'
        : 'All rows of the result.'}
    </p>
  );
}
