import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endOfPage, queryClient, rowsQuery } from '../api/queries.ts';
import type { RowList, Table } from '../api/queries.ts';
import type { ReadRows } from '../editing/shown-rows.ts';
import { allRows, listOptions } from './view-state.ts';
import type { ViewState } from './view-state.ts';

/** The rows that were read: one page, or the pages around the rows in view. */
export interface TableRows extends ReadRows {
  /** The page that has the total: the page of the view, or the first one if all rows scroll. Undefined until it has loaded. */
  readonly pageWithTotal: (RowList & { readonly durationMs: number }) | undefined;
  /** The number of the first row, from 1. */
  readonly firstRow: number;
  /** Whether these are still the rows of the view before, while those of the view load. */
  readonly isWaiting: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
  /** Call when other rows come into view. */
  readonly setRange: (first: number, last: number) => void;
}

const scrollPageSize = 200;
/** Browsers limit the height of elements. Rows beyond are reached by filters or pages. */
const maxScrolledRows = 1_150_000;
const cacheMs = 30_000;

/** The range of pages in view, from 1, and the page that scrolling would reach next. */
interface PageRange {
  readonly from: number;
  readonly to: number;
  readonly prefetchedPage: number;
}

/** Reads one page or, if all rows scroll, the pages around the rows in view. */
export function useRows(table: Table, view: ViewState): TableRows {
  const [shown, setShown] = useState<PageRange>({ from: 1, to: 1, prefetchedPage: 2 });
  const isScrolled = view.pageSize === allRows;
  // `useQueries` does not retain the data of other queries, so the page with the total is read by `useQuery`.
  const main = useQuery({
    ...(isScrolled ? pageQuery({ table, view, shown }, 1) : pageOfView(table, view)),
    placeholderData: keepPreviousData,
  });
  const otherPages = isScrolled ? otherPagesOf(shown) : [];
  const results = useQueries({
    queries: otherPages.map((page) => scrolledQuery({ table, view, shown }, page)),
  });
  const { data: pageWithTotal } = main;
  const lists = [pageWithTotal, ...results.map(({ data }) => data)];
  const byPage = new Map([1, ...otherPages].map((page, i) => [page, lists[i]]));
  const size = isScrolled ? scrollPageSize : Math.max(1, pageWithTotal?.data.length ?? 0);
  return {
    pageWithTotal,
    firstRow: isScrolled ? 1 : firstRowOf(pageWithTotal),
    isWaiting: main.isPlaceholderData,
    error: [main, ...results].find(({ error }) => error !== null)?.error ?? null,
    refetch: () => [main, ...results].forEach(({ refetch }) => void refetch()),
    count: isScrolled
      ? Math.min(pageWithTotal?.total ?? 0, maxScrolledRows)
      : (pageWithTotal?.data.length ?? 0),
    pages: [...byPage].flatMap(([page, rowList]) =>
      rowList === undefined ? [] : [[(page - 1) * size, rowList] as const],
    ),
    at: (rowIndex) => {
      const rowList = byPage.get(Math.floor(rowIndex / size) + 1);
      return rowList === undefined ? undefined : { page: rowList, index: rowIndex % size };
    },
    setRange: (first, last) => {
      if (!isScrolled) return;
      const next = rangeAround(first, last);
      setShown((current) => (isSameRange(current, next) ? current : next));
    },
  };
}

function rangeAround(first: number, last: number): PageRange {
  const from = Math.floor(first / scrollPageSize) + 1;
  const to = Math.floor(last / scrollPageSize) + 1;
  const isUpperHalf = (first % scrollPageSize) + (last % scrollPageSize) < scrollPageSize;
  return { from, to, prefetchedPage: isUpperHalf && from === to && from > 1 ? from - 1 : to + 1 };
}

function isSameRange(a: PageRange, b: PageRange): boolean {
  return a.from === b.from && a.to === b.to && a.prefetchedPage === b.prefetchedPage;
}

function firstRowOf(rowList: RowList | undefined): number {
  return rowList === undefined ? 1 : (rowList.page - 1) * rowList.page_size + 1;
}

/** Returns the pages to read besides the first one, which has the total. */
function otherPagesOf({ from, to, prefetchedPage }: PageRange): readonly number[] {
  const inView = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return [...new Set([...inView, prefetchedPage])].filter((page) => page > 1);
}

function pageOfView(table: Table, view: ViewState) {
  return rowsQuery(table.name, listOptions(view));
}

interface ScrollState {
  readonly table: Table;
  readonly view: ViewState;
  readonly shown: PageRange;
}

/**
 * An OFFSET gets slower with its size. So only the first page in view uses one, and the page before
 * it when scrolling up. The pages after it start at the cursor where the page before them ends.
 * Pages leave the cache after a short time.
 */
function scrolledQuery(scroll: ScrollState, page: number) {
  const { from, to, prefetchedPage } = scroll.shown;
  const cachedPage = (other: number) => queryClient.getQueryData(pageQuery(scroll, other).queryKey);
  const isBefore = page === prefetchedPage && page < from;
  const canLoad = isBefore
    ? cachedPage(to) !== undefined
    : cachedPage(page - 1)?.next_cursor !== undefined;
  return {
    ...pageQuery(scroll, page, () => endOfPage(pageQuery(scroll, page - 1))),
    enabled: page === from || canLoad,
    gcTime: cacheMs,
  };
}

function pageQuery({ table, view }: ScrollState, page: number, before?: () => string | undefined) {
  const { query, ...others } = listOptions({ ...view, page, pageSize: scrollPageSize });
  const pageOptions = page === 1 ? query : { ...query, count: 'none' as const };
  return rowsQuery(table.name, { ...others, query: { ...pageOptions } }, before);
}
