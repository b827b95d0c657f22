import { keepPreviousData, useQueries } from '@tanstack/react-query';
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
  const pages = isScrolled ? pagesOf(shown) : [view.page];
  const results = useQueries({
    queries: isScrolled
      ? pages.map((page) => scrolledQuery({ table, view, shown }, page))
      : [singlePageQuery(table, view)],
  });
  const [main] = results;
  const byPage = new Map(pages.map((page, i) => [page, results[i]?.data]));
  const size = isScrolled ? scrollPageSize : view.pageSize;
  const firstPage = isScrolled ? 1 : view.page;
  return {
    pageWithTotal: main?.data,
    error: results.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => results.forEach(({ refetch }) => void refetch()),
    count: isScrolled
      ? Math.min(main?.data?.total ?? 0, maxScrolledRows)
      : (main?.data?.data.length ?? 0),
    pages: [...byPage].flatMap(([page, rowList]) =>
      rowList === undefined ? [] : [[(page - firstPage) * size, rowList] as const],
    ),
    at: (rowIndex) => {
      const rowList = byPage.get(Math.floor(rowIndex / size) + firstPage);
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

/** Returns the pages to read. The first page is always included, because it has the total. */
function pagesOf({ from, to, prefetchedPage }: PageRange): readonly number[] {
  const inView = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return [...new Set([1, ...inView, prefetchedPage])];
}

/** The query of one page. The previous page stays visible until the next one has loaded. */
function singlePageQuery(table: Table, view: ViewState) {
  const query = rowsQuery(table.name, listOptions(view));
  return { ...query, placeholderData: keepPreviousData };
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
    enabled: page === 1 || page === from || canLoad,
    gcTime: cacheMs,
  };
}

function pageQuery({ table, view }: ScrollState, page: number, before?: () => string | undefined) {
  const { query, ...others } = listOptions({ ...view, page, pageSize: scrollPageSize });
  const pageOptions = page === 1 ? query : { ...query, count: 'none' as const };
  return rowsQuery(table.name, { ...others, query: { ...pageOptions } }, before);
}
