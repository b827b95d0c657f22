import { parseSearch, valueOf, valuesOf } from '../app/search-text.ts';
import type { SearchText } from '../app/search-text.ts';
import type { ListOptions } from '../api/queries.ts';
import { readFilterList, writeFilterList } from './filter/filter-list.ts';

/** One condition. The URL has it as `filter_column__operator=value`. */
export interface FilterTerm {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

/** A filter: conditions of which at least one must hold. The URL has several as `any=filter_…`. */
export type Filter = readonly FilterTerm[];

export interface SortTerm {
  readonly column: string;
  readonly descending: boolean;
}

/** What the table page shows. The page's URL contains all of it. */
export interface ViewState {
  readonly filters: readonly Filter[];
  readonly sort: readonly SortTerm[];
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly showDeleted: boolean;
  /** The trail of records beside the grid, each opened from the one before. The last one is shown. */
  readonly open: readonly string[];
  readonly isStructure: boolean;
}

export const pageSizes = [50, 100, 200, 500] as const;
/** The page size that means no pages: all rows scroll. */
export const allRows = 0;

const prefix = 'filter_';
const defaultOperator = 'eq';

/** Reads the view from the page's URL. A column in `columns` whose name is `x__gt` wins over the operator `gt`. */
export function readView(search: SearchText, columns: readonly string[]): ViewState {
  const orders = valuesOf(search, 'sort_order');
  return {
    filters: [
      ...readTerms(search, columns).map((term) => [term]),
      ...valuesOf(search, 'any')
        .map((query) => readTerms(parseSearch(query), columns))
        .filter((terms) => terms.length > 0),
    ],
    sort: valuesOf(search, 'sort_by').map((column, i) => ({
      column,
      descending: orders[i] === 'desc',
    })),
    page: numberOf(search, 'page') ?? 1,
    pageSize: readPageSize(search),
    search: valueOf(search, 'search') ?? '',
    showDeleted: valueOf(search, 'show_deleted') === 'true',
    open: valuesOf(search, 'open'),
    isStructure: valueOf(search, 'view') === 'structure',
  };
}

function readTerms(search: SearchText, columns: readonly string[]): readonly FilterTerm[] {
  return Object.keys(search)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const terms = valuesOf(search, name).map((value) =>
        readTerm(name.slice(prefix.length), value, columns),
      );
      const [first] = terms;
      // The API takes repeated lists of a column as one list.
      return first !== undefined && terms.length > 1 && isList(first)
        ? [
            {
              ...first,
              value: writeFilterList(terms.flatMap(({ value }) => readFilterList(value))),
            },
          ]
        : terms;
    });
}

function isList({ operator }: FilterTerm): boolean {
  return operator === 'in' || operator === 'nin';
}

function readTerm(name: string, value: string, columns: readonly string[]): FilterTerm {
  const cut = columns.includes(name) ? -1 : name.lastIndexOf('__');
  if (cut < 0)
    return { column: name, operator: value.includes('%') ? 'like' : defaultOperator, value };
  return { column: name.slice(0, cut), operator: name.slice(cut + 2), value };
}

function readPageSize(search: SearchText): number {
  if (valueOf(search, 'page_size') === 'all') return allRows;
  return numberOf(search, 'page_size') ?? pageSizes[0];
}

function numberOf(search: SearchText, name: string): number | undefined {
  const number = Number(valueOf(search, name));
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

/** Returns the URL parameters of a view, without default values. */
export function writeView(view: ViewState): SearchText {
  const search: Record<string, string | string[]> = {};
  const { plain, any } = requestedFilters(view.filters);
  for (const [name, values] of Object.entries(plain)) search[`${prefix}${name}`] = [...values];
  if (any.length > 0) search['any'] = [...any];
  if (view.sort.length > 0) {
    search['sort_by'] = view.sort.map(({ column }) => column);
    search['sort_order'] = view.sort.map(({ descending }) => (descending ? 'desc' : 'asc'));
  }
  if (view.page > 1) search['page'] = String(view.page);
  if (view.pageSize !== pageSizes[0])
    search['page_size'] = view.pageSize === allRows ? 'all' : String(view.pageSize);
  if (view.search !== '') search['search'] = view.search;
  if (view.showDeleted) search['show_deleted'] = 'true';
  if (view.open.length > 0) search['open'] = [...view.open];
  if (view.isStructure) search['view'] = 'structure';
  return search;
}

function filterName({ column, operator }: FilterTerm): string {
  return `${column}__${operator}`;
}

/**
 * The filters as parameters of the API: those of one condition by their names, all others as `any`. A
 * second list for a column is one of these, because the API takes repeated lists as one.
 */
function requestedFilters(filters: readonly Filter[]) {
  const plain: Record<string, string[]> = {};
  const any: string[] = [];
  for (const filter of filters) {
    const [only] = filter;
    const name = only === undefined ? '' : filterName(only);
    const isRepeatedList = only !== undefined && isList(only) && plain[name] !== undefined;
    if (only !== undefined && filter.length === 1 && !isRepeatedList)
      (plain[name] ??= []).push(only.value);
    else
      any.push(
        new URLSearchParams(
          filter.map((term) => [`${prefix}${filterName(term)}`, term.value]),
        ).toString(),
      );
  }
  return { plain, any };
}

/** Returns the options of the API request for a view. */
export function listOptions(view: ViewState): Omit<ListOptions, 'params' | 'signal'> {
  const { plain, any } = requestedFilters(view.filters);
  return {
    query: {
      page: view.page,
      page_size: view.pageSize,
      sort_by: view.sort.map(({ column }) => column),
      sort_order: view.sort.map(({ descending }) => (descending ? 'desc' : 'asc')),
      ...(any.length === 0 ? {} : { any }),
      ...(view.search === '' ? {} : { search: view.search }),
      show_deleted: view.showDeleted,
      etags: true,
      labels: true,
      cells: 'preview',
    },
    filters: plain,
  };
}

/** Cycles the sort of a column: ascending, descending, none. `isAdding` keeps the sorts by other columns. */
export function toggleSort(
  sort: readonly SortTerm[],
  column: string,
  isAdding: boolean,
): readonly SortTerm[] {
  const current = sort.find((term) => term.column === column);
  const otherTerms = sort.filter((term) => term.column !== column);
  const next = current === undefined ? [{ column, descending: false }] : [];
  const terms = current?.descending === false ? [{ column, descending: true }] : next;
  return isAdding ? [...otherTerms, ...terms] : terms;
}
