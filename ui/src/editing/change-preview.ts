import { queryOptions } from '@tanstack/react-query';
import { StudioError } from '../../../src/model/errors.ts';
import type { Table } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { rowCountText } from '../parts/row-count-text.ts';
import { previewChanges } from './send-changes.ts';
import type { PreviewedChanges } from './send-changes.ts';
import { changesBody } from './staged.ts';
import type { Staged } from './staged.ts';

/** What the server would do with staged changes. It is asked again for every change of them. */
export function previewQuery(table: Table, staged: Staged) {
  const partial = table.rolls_back === false;
  return queryOptions({
    queryKey: ['preview', table.name, changesBody(staged)],
    queryFn: ({ signal }) => previewChanges(table.name, staged, { partial, signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Why the server could not preview the changes, and the item that it rejects. */
export interface PreviewError {
  readonly message: string;
  /** `update 3`, as in `listItems`. */
  readonly item: string | undefined;
}

export function previewErrorOf(error: unknown): PreviewError {
  const { list, index } = error instanceof StudioError ? error.details : {};
  const isItem = typeof list === 'string' && typeof index === 'number';
  return { message: messageOf(error), item: isItem ? `${list} ${index}` : undefined };
}

type Cascade = PreviewedChanges['cascades'][number];

/** What foreign keys do to rows of other tables, as a sentence for each table. */
export function cascadeTexts(cascades: readonly Cascade[]): readonly string[] {
  return cascades.map((cascade) => {
    const { table, rows, rows_exact: exact, error } = cascade;
    const count = `${exact === false ? 'at least ' : ''}${rowCountText(rows)}`;
    const text = `Also ${actionText(cascade, `${count} of ${table}`)}.`;
    return error === undefined ? text : `${text} Not all could be counted: ${error}`;
  });
}

function actionText({ action, columns = [] }: Cascade, rows: string): string {
  const names = columns.join(', ');
  if (action === 'delete') return `deletes ${rows}`;
  if (action === 'update') return `changes ${names} in ${rows}`;
  return `sets ${names} to ${action === 'set_null' ? 'NULL' : 'the default'} in ${rows}`;
}
