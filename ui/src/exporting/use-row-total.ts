import { useQuery } from '@tanstack/react-query';
import { rowsQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import { listOptions } from '../table/view-state.ts';
import type { ShownView } from './export-address.ts';
import { exportedViews } from './export-choices.ts';
import type { ExportChoices } from './export-choices.ts';
import type { ExportSources } from './prepare-export.ts';

export interface RowTotal {
  readonly rows: number;
  readonly isExact: boolean;
}

interface ExportContext extends Omit<ExportSources, 'names' | 'schema'> {
  readonly schema: Schema | undefined;
}

/** Returns the number of rows of an export. Undefined for exports without rows and while it is loading. */
export function useRowTotal(
  choices: ExportChoices,
  { schema, shown, result }: ExportContext,
): RowTotal | undefined {
  const { content, omittedTables } = choices;
  const { data: page } = useQuery({
    ...rowsQuery(shown?.table ?? '', firstRowOptions(shown)),
    enabled: content === 'view' && shown !== undefined,
  });
  if (content === 'view' && page?.total !== undefined && page.total !== null)
    return { rows: page.total, isExact: page.total_exact !== false };
  if (content === 'result' && result !== undefined)
    return { rows: result.rows.length, isExact: true };
  if ((content !== 'data' && content !== 'dump') || schema === undefined) return undefined;
  const views = exportedViews(choices);
  const selected = [
    ...schema.tables.filter(({ name }) => !omittedTables.has(name)),
    ...schema.views.filter(({ name }) => views.has(name)),
  ];
  return {
    rows: selected.reduce((sum, { row_count }) => sum + row_count, 0),
    isExact: selected.every(({ row_count_exact }) => row_count_exact !== false),
  };
}

/** Options of a request for one row: only its total is needed. */
function firstRowOptions(shownView: ShownView | undefined): ReturnType<typeof listOptions> {
  if (shownView === undefined) return {};
  const { query, filters } = listOptions({ ...shownView.view, page: 1, pageSize: 1 });
  return { query: { ...query, etags: false, labels: false }, ...(filters && { filters }) };
}
