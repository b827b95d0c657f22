import { queryOptions } from '@tanstack/react-query';
import { StudioError } from '../../../src/model/errors.ts';
import type { Table } from '../api/queries.ts';
import type { Cascades } from '../api/responses.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { previewChanges } from './send-changes.ts';
import { previewKey } from './shown-cascades.ts';
import type { Staged } from './staged.ts';
import { editingTexts as texts } from '../texts/editing.ts';
import { commonTexts } from '../texts/common.ts';

/** Previews what the server would do with staged changes. Requested again whenever they change. */
export function previewQuery(table: Table, staged: Staged) {
  const partial = table.rolls_back === false;
  return queryOptions({
    queryKey: previewKey(table.name, staged),
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

type Cascade = Cascades[number];

/** What foreign keys do to rows of other tables, as a sentence for each table. */
export function cascadeTexts(cascades: Cascades): readonly string[] {
  return cascades.map((cascade) => {
    const { table, rows: count, rows_exact: exact, error } = cascade;
    const counted = commonTexts.rowCount({ count });
    const rows = exact === false ? texts.atLeast({ rows: counted }) : counted;
    const text = actionText(cascade, texts.rowsOf({ rows, table }));
    return error === undefined ? text : `${text} ${texts.notAllCounted({ error })}`;
  });
}

function actionText({ action, columns: names = [] }: Cascade, rows: string): string {
  const columns = names.join(', ');
  if (action === 'delete') return texts.alsoDeletes({ rows });
  if (action === 'update') return texts.alsoChanges({ columns, rows });
  return action === 'set_null'
    ? texts.alsoSetsNull({ columns, rows })
    : texts.alsoSetsDefault({ columns, rows });
}
