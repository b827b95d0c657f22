import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { endOfPage, queryClient, rowsQuery } from '../api/queries.ts';
import type { RowList, Table } from '../api/queries.ts';
import type { ReadRows } from '../editing/shown-rows.ts';
import { allRows, listOptions } from './view-state.ts';
import type { ViewState } from './view-state.ts';

/** What is read of a table: a page, or what is in view of all rows. */
export interface TableRows extends ReadRows {
  /** Undefined before the first answer. */
  readonly first: (RowList & { readonly durationMs: number }) | undefined;
  readonly error: Error | null;
  readonly refetch: () => void;
  /** The rows in view: told when they change. */
  readonly setRange: (first: number, last: number) => void;
}

const windowSize = 200;
/** Higher is no element that a browser lays out; beyond are filters and pages. */
const mostScrolled = 1_150_000;
const keptMs = 30_000;

/** The pages that the rows in view are on, and the one that scrolling on would come to. */
interface Window {
  readonly from: number;
  readonly to: number;
  readonly near: number;
}

/** One page, or, where all rows are scrolled, the pages around what is in view. */
export function useRows(table: Table, view: ViewState): TableRows {
  const [shown, setShown] = useState<Window>({ from: 1, to: 1, near: 2 });
  const isScrolled = view.pageSize === allRows;
  const pages = isScrolled ? pagesOf(shown) : [view.page];
  const answers = useQueries({
    queries: isScrolled
      ? pages.map((page) => scrolledQuery({ table, view, shown }, page))
      : [turnedQuery(table, view)],
  });
  const [main] = answers;
  const byPage = new Map(pages.map((page, i) => [page, answers[i]?.data]));
  const size = isScrolled ? windowSize : view.pageSize;
  const offset = isScrolled ? 1 : view.page;
  return {
    first: main?.data,
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => answers.forEach(({ refetch }) => void refetch()),
    count: isScrolled
      ? Math.min(main?.data?.total ?? 0, mostScrolled)
      : (main?.data?.data.length ?? 0),
    at: (place) => {
      const answer = byPage.get(Math.floor(place / size) + offset);
      return answer === undefined ? undefined : { answer, index: place % size };
    },
    setRange: (first, last) => {
      if (!isScrolled) return;
      const next = windowAround(first, last);
      setShown((known) => (isSameWindow(known, next) ? known : next));
    },
  };
}

function windowAround(first: number, last: number): Window {
  const from = Math.floor(first / windowSize) + 1;
  const to = Math.floor(last / windowSize) + 1;
  const isUpperHalf = (first % windowSize) + (last % windowSize) < windowSize;
  return { from, to, near: isUpperHalf && from === to && from > 1 ? from - 1 : to + 1 };
}

function isSameWindow(a: Window, b: Window): boolean {
  return a.from === b.from && a.to === b.to && a.near === b.near;
}

/** The first page is always among them: it knows the total. */
function pagesOf({ from, to, near }: Window): readonly number[] {
  const inView = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return [...new Set([1, ...inView, near])];
}

/** A page that is turned stays until the next one is there. */
function turnedQuery(table: Table, view: ViewState) {
  const query = rowsQuery(table.name, listOptions(view));
  return { ...query, placeholderData: keepPreviousData };
}

interface Scrolled {
  readonly table: Table;
  readonly view: ViewState;
  readonly shown: Window;
}

/**
 * Skipping rows costs the more the further they go. So the first page in view is read alone; those
 * after it begin where it ends, and what is not in view yet waits. Few of them are kept.
 */
function scrolledQuery(scrolled: Scrolled, page: number) {
  const { from, to, near } = scrolled.shown;
  const known = (other: number) => queryClient.getQueryData(pageQuery(scrolled, other).queryKey);
  const isBehind = page === near && page < from;
  const isNext = isBehind ? known(to) !== undefined : known(page - 1)?.next_cursor !== undefined;
  return {
    ...pageQuery(scrolled, page, () => endOfPage(pageQuery(scrolled, page - 1))),
    enabled: page === 1 || page === from || isNext,
    gcTime: keptMs,
  };
}

function pageQuery({ table, view }: Scrolled, page: number, before?: () => string | undefined) {
  const { query, ...others } = listOptions({ ...view, page, pageSize: windowSize });
  const wanted = page === 1 ? query : { ...query, count: 'none' as const };
  return rowsQuery(table.name, { ...others, query: { ...wanted } }, before);
}
