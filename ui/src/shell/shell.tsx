import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { Outlet } from '@tanstack/react-router';
import type { JSX } from 'react';
import { StudioError } from '../../../src/model/errors.ts';
import { sessionEnded } from '../api/client.ts';
import { configQuery } from '../api/queries.ts';
import { ExportHost } from '../exporting/export-host.tsx';
import { DropAnywhere } from '../importing/drop-anywhere.tsx';
import { LoginDialog, LoginPage } from '../login/login-page.tsx';
import { Sidebar } from './sidebar.tsx';
import { Tabs } from './tabs.tsx';

/** The layout of every page: the sidebar with all tables, and the tabs. */
export function Shell(): JSX.Element {
  const { data: config, error } = useQuery(configQuery);
  const isSessionEnded = useSelector(sessionEnded);
  const isRejected = error instanceof StudioError && error.code === 'unauthorized';
  if (isRejected && config === undefined) return <LoginPage />;
  return (
    <div className="app">
      <Sidebar />
      <main className="main">
        <Tabs />
        <Outlet />
      </main>
      <ExportHost />
      <DropAnywhere />
      {isSessionEnded && config !== undefined && <LoginDialog />}
    </div>
  );
}
