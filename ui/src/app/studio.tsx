import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { JSX } from 'react';
import { queryClient } from '../api/queries.ts';
import { ExportCards } from '../exporting/export-cards.tsx';
import { Toasts } from '../parts/toast.tsx';
import { router } from './router.tsx';

/** The root component. */
export function Studio(): JSX.Element {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts>
        <ExportCards />
      </Toasts>
    </QueryClientProvider>
  );
}
