import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { rowsQuery } from '../api/queries.ts';
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

/** One page, or, where all rows are scrolled, the pages around what is in view. */
export function useRows(table: Table, view: ViewState): TableRows {
  const [around, setAround] = useState<readonly number[]>([1]);
  const isScrolled = view.pageSize === allRows;
  const pages = isScrolled ? around : [view.page];
  const answers = useQueries({
    queries: pages.map((page) => pageQuery(table, view, page)),
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
      const next = pagesAround(first, last);
      setAround((known) => (known.join() === next.join() ? known : next));
    },
  };
}

/** The first page is always among them: it knows the total. */
function pagesAround(first: number, last: number): readonly number[] {
  const from = Math.max(1, Math.floor(first / windowSize));
  const to = Math.floor(last / windowSize) + 2;
  const pages = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return from === 1 ? pages : [1, ...pages];
}

/** A page that is turned stays until the next one is there; of rows that are scrolled few are kept. */
function pageQuery(table: Table, view: ViewState, page: number) {
  if (view.pageSize !== allRows) {
    const query = rowsQuery(table.name, listOptions(view));
    return { ...query, placeholderData: keepPreviousData };
  }
  const { query, ...others } = listOptions({ ...view, page, pageSize: windowSize });
  const wanted = page === 1 ? query : { ...query, count: 'none' as const };
  return { ...rowsQuery(table.name, { ...others, query: { ...wanted } }), gcTime: keptMs };
}
