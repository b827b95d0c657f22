import { useMatches } from '@tanstack/react-router';
import { valueOf } from '../app/search-text.ts';
import type { SearchText } from '../app/search-text.ts';

/** The table whose page is open, or from which the import page was opened. An import begun here is into it. */
export function useOpenTable(): string | undefined {
  return useMatches({
    select: (matches) => {
      const { routeId, params, search } = matches.at(-1) ?? {};
      if (routeId === '/import') return valueOf(search as SearchText, 'table');
      return routeId === '/tables/$table'
        ? (params as { readonly table: string }).table
        : undefined;
    },
  });
}
