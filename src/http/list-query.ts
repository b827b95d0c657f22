import { StudioError } from '../model/errors.ts';
import { parseQueryText } from '../contract/query-text.ts';
import { filterPrefix } from '../contract/read-query.ts';
import type { exportRoutes } from '../contract/exports.ts';
import type { listParameters } from '../contract/list-parameters.ts';
import type { Filter } from '../contract/read-query.ts';
import type { QueryOf } from '../contract/routes.ts';
import type { ListQuery } from '../studio/rows/read/page-plan.ts';

type ListValues = QueryOf<typeof listParameters>;

/** Converts the query parameters of the row list to the input of the operation. */
export function listQuery(values: ListValues, filters: readonly Filter[]): ListQuery {
  return {
    page: values.page,
    pageSize: values.page_size,
    ...readSort(values.sort_by, values.sort_order),
    showDeleted: values.show_deleted,
    filters: [...filters, ...values.any.map(readAlternatives)],
    count: values.count,
    etags: values.etags,
    labels: values.labels,
    cells: values.cells,
    ...(values.search === undefined ? {} : { search: values.search }),
    ...(values.cursor === undefined ? {} : { cursor: values.cursor }),
  };
}

function readAlternatives(query: string): ListQuery['filters'][number] {
  const any = parseQueryText(query).map(([name, value]) => {
    if (!name.startsWith(filterPrefix)) throw invalidAlternatives(`"${name}" is none.`);
    return { name: name.slice(filterPrefix.length), value };
  });
  if (any.length === 0) throw invalidAlternatives('It has none.');
  return { any };
}

function invalidAlternatives(problem: string): StudioError {
  return new StudioError(
    'invalid_parameter',
    `any takes parameters of filters (${filterPrefix}<column>), percent-encoded as a query. ${problem}`,
    { parameter: 'any' },
  );
}

type TableExportValues = Omit<QueryOf<(typeof exportRoutes)['export-table']['query']>, 'transfer'>;

/** Converts the query parameters of a table's export: how the file is written, and all rows of the list, without a count. */
export function tableExport(values: Partial<TableExportValues>, filters: readonly Filter[]) {
  const { sort_by = [], sort_order = [], any = [], show_deleted = false, search, ...file } = values;
  const list = { ...wholeList, sort_by, sort_order, any, show_deleted };
  return {
    ...file,
    query: listQuery({ ...list, ...(search !== undefined && { search }) }, filters),
  };
}

const wholeList = {
  page: 1,
  page_size: 500,
  count: 'none',
  etags: false,
  labels: false,
  cells: 'full',
} as const;

/** The nth order applies to the nth column. The default is ascending. Without columns, an order applies to the key. */
function readSort(
  columns: readonly string[],
  orders: readonly ('asc' | 'desc')[],
): Pick<ListQuery, 'sort' | 'keyDescending'> {
  if (orders.length > Math.max(columns.length, 1)) {
    throw new StudioError(
      'invalid_parameter',
      `sort_order is given ${times(orders.length)} but sort_by ${times(columns.length)}. Each sort_order needs a sort_by.`,
      { parameter: 'sort_order' },
    );
  }
  const sort = columns.map((column, i) => ({ column, descending: orders[i] === 'desc' }));
  return columns.length === 0 && orders[0] === 'desc' ? { sort, keyDescending: true } : { sort };
}

function times(count: number): string {
  if (count === 0) return 'never';
  return count === 1 ? 'once' : `${count} times`;
}
