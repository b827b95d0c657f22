import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { JSX } from 'react';
import { StudioError } from '../../../src/model/errors.ts';
import { configQuery } from '../api/queries.ts';
import { ExportHost } from '../exporting/export-host.tsx';
import { DropAnywhere } from '../importing/drop-anywhere.tsx';
import { LoginPage } from '../login/login-page.tsx';
import { Sidebar } from './sidebar.tsx';
import { Tabs } from './tabs.tsx';

/** The frame around every page: what there is on the left, what is open above. */
export function Shell(): JSX.Element {
  const { error } = useQuery(configQuery);
  if (error instanceof StudioError && error.code === 'unauthorized') return <LoginPage />;
  return (
    <div className="app">
      <Sidebar />
      <main className="main">
        <Tabs />
        <Outlet />
      </main>
      <ExportHost />
      <DropAnywhere />
    </div>
  );
}
