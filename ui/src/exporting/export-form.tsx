import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JSX, ReactNode } from 'react';
import { schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import { DownloadButton } from './download-button.tsx';
import { exportAddress } from './export-address.ts';
import type { ShownView } from './export-address.ts';
import { usualChoices } from './export-choices.ts';
import type { Choose, ExportChoices, ExportWhat } from './export-choices.ts';
import { ExportOptions } from './export-options.tsx';
import { FormatChoice } from './format-choice.tsx';
import { TableChoice } from './table-choice.tsx';
import { useShownView } from './use-shown-view.ts';
import { WhatList } from './what-list.tsx';

interface ExportFormProps {
  readonly what: ExportWhat;
  /** The way out, where there is one. */
  readonly cancel?: ReactNode;
}

export function ExportForm({ what, cancel }: ExportFormProps): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const shown = useShownView(schema);
  const [choices, setChoices] = useState(() => usualChoices(what));
  const choose: Choose = (changes) => setChoices({ ...choices, ...changes });
  const names = schema?.tables.map(({ name }) => name) ?? [];
  const isNothing = choices.what !== 'view' && names.every((name) => choices.leftOut.has(name));
  return (
    <>
      <div className="body export-form">
        <WhatList what={choices.what} shown={shown} onChoose={(next) => choose({ what: next })} />
        <div className="export-parts">
          <FormatChoice choices={choices} choose={choose} />
          {choices.what === 'view' ? (
            <ViewSummary shown={shown} />
          ) : (
            <TableChoice schema={schema} leftOut={choices.leftOut} choose={choose} />
          )}
          <ExportOptions choices={choices} choose={choose} />
        </div>
      </div>
      <footer className="export-foot">
        <span className="num">{summary(choices, schema)}</span>
        <span className="grow" />
        {cancel}
        <DownloadButton
          address={exportAddress(choices, { names, shown })}
          offReason={isNothing ? 'No table is chosen.' : undefined}
        />
      </footer>
    </>
  );
}

function summary({ what, leftOut }: ExportChoices, schema: Schema | undefined): string {
  if (what === 'view') return '';
  const chosen = schema?.tables.filter(({ name }) => !leftOut.has(name)) ?? [];
  if (what !== 'data') return `${chosen.length} ${chosen.length === 1 ? 'table' : 'tables'}`;
  const rows = chosen.reduce((sum, { row_count }) => sum + row_count, 0);
  const isExact = chosen.every(({ row_count_exact }) => row_count_exact !== false);
  return `${isExact ? '' : 'about '}${rows.toLocaleString('en')} rows`;
}

function ViewSummary({ shown }: { readonly shown: ShownView | undefined }): JSX.Element | null {
  if (shown === undefined) return null;
  const { table, view } = shown;
  const parts = [
    ...view.filters.map(({ column }) => `filtered by ${column}`),
    ...(view.search === '' ? [] : [`searched for “${view.search}”`]),
    ...view.sort.map(
      ({ column, descending }) => `by ${column}${descending ? ', high to low' : ''}`,
    ),
    ...(view.showDeleted ? ['deleted rows too'] : []),
  ];
  return (
    <p className="t2">
      <span className="m">{table}</span>: {parts.length === 0 ? 'all rows' : parts.join('; ')}, of
      all pages.
    </p>
  );
}
