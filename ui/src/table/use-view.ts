import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SearchText } from '../app/search-text.ts';
import { readView, writeView } from './view-state.ts';
import type { ViewState } from './view-state.ts';

/** Changes the view. `replaces` leaves no entry of its own in the history. */
export type ChangeView = (
  change: Partial<ViewState>,
  options?: { readonly replaces: boolean },
) => void;

/** Returns the view from the page's URL, and a function that changes it. A change of filters or sort goes to the first page. */
export function useView(columns: readonly string[]): readonly [ViewState, ChangeView] {
  const search: SearchText = useSearch({ from: '/tables/$table' });
  const navigate = useNavigate({ from: '/tables/$table' });
  const view = readView(search, columns);
  const change: ChangeView = (changedView, options) => {
    const staysOnPage = Object.keys(changedView).every((name) => pageKeepingChanges.has(name));
    const next = { ...view, ...(staysOnPage ? {} : { page: 1 }), ...changedView };
    void navigate({ search: writeView(next), replace: options?.replaces ?? false });
  };
  return [view, change];
}

const pageKeepingChanges: ReadonlySet<string> = new Set(['page', 'open', 'isStructure']);
