import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, useRouterState } from '@tanstack/react-router';
import type { JSX } from 'react';
import { queryClient } from '../api/queries.ts';
import { ExportCards } from '../exporting/export-cards.tsx';
import { ImportCard } from '../importing/import-card.tsx';
import { Toasts } from '../parts/toast.tsx';
import { router } from './router.tsx';

const importPath = '/import';

/** The root component. */
export function Studio(): JSX.Element {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts>
        <ExportCards />
        <OtherPagesImport />
      </Toasts>
    </QueryClientProvider>
  );
}

/** The import page itself shows the progress. */
function OtherPagesImport(): JSX.Element | null {
  const path = useRouterState({ router, select: ({ location }) => location.pathname });
  if (path === importPath) return null;
  return <ImportCard onOpen={() => void router.navigate({ to: importPath })} />;
}
