import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SearchText } from '../app/search-text.ts';
import { readView, writeView } from './view-state.ts';
import type { ViewState } from './view-state.ts';

export type ChangeView = (change: Partial<ViewState>) => void;

/** The view that the address says, and how to change it; what changes the rows goes to the first page. */
export function useView(columns: readonly string[]): readonly [ViewState, ChangeView] {
  const search: SearchText = useSearch({ from: '/tables/$table' });
  const navigate = useNavigate({ from: '/tables/$table' });
  const view = readView(search, columns);
  const change: ChangeView = (changed) => {
    const keepsPage = Object.keys(changed).every((name) => pageKeepers.has(name));
    const next = { ...view, ...(keepsPage ? {} : { page: 1 }), ...changed };
    void navigate({ search: writeView(next) });
  };
  return [view, change];
}

const pageKeepers: ReadonlySet<string> = new Set(['page', 'open', 'isStructure']);
