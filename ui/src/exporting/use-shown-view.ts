import { useParams, useSearch } from '@tanstack/react-router';
import { findTable } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import type { SearchText } from '../app/search-text.ts';
import { arrange, useColumnLayout } from '../table/column-layout.ts';
import { readView } from '../table/view-state.ts';
import type { ShownView } from './export-address.ts';

/** Returns the view that the page's URL describes. Undefined if no table is open. */
export function useShownView(schema: Schema | undefined): ShownView | undefined {
  const { table: name } = useParams({ strict: false });
  const search: SearchText = useSearch({ strict: false });
  const table = name === undefined ? undefined : findTable(schema, name);
  const { layout } = useColumnLayout(schema?.database ?? '', table?.name ?? '');
  if (table === undefined) return undefined;
  const columns = table.columns.map((column) => column.name);
  const shownColumns = arrange(table, { ...layout, pinned: [] }).columns.map(
    (column) => column.name,
  );
  const isAsStored = shownColumns.join() === columns.join();
  return {
    table: table.name,
    view: readView(search, columns),
    columns: isAsStored ? undefined : shownColumns,
  };
}
