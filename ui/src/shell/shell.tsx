import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { Outlet } from '@tanstack/react-router';
import { useRef } from 'react';
import type { JSX } from 'react';
import { StudioError } from '../../../src/model/errors.ts';
import { sessionEnded } from '../api/client.ts';
import { configQuery } from '../api/queries.ts';
import { ExportHost } from '../exporting/export-host.tsx';
import { DropAnywhere } from '../importing/drop-anywhere.tsx';
import { LoginDialog, LoginPage } from '../login/login-page.tsx';
import { Sidebar } from './sidebar.tsx';
import { Tabs } from './tabs.tsx';
import { shellTexts as texts } from '../texts/shell.ts';

/** The layout of every page: the sidebar with all tables, and the tabs. */
export function Shell(): JSX.Element {
  const { data: config, error } = useQuery(configQuery);
  const main = useRef<HTMLElement>(null);
  const isSessionEnded = useSelector(sessionEnded);
  const isRejected = error instanceof StudioError && error.code === 'unauthorized';
  if (isRejected && config === undefined) return <LoginPage />;
  return (
    <div className="app">
      {/* A link would change the URL, which holds the state of the page. */}
      <button className="btn skip" onClick={() => main.current?.focus()}>
        {texts.skipToContent}
      </button>
      <Sidebar />
      <main ref={main} className="main" tabIndex={-1}>
        <Tabs />
        <Outlet />
      </main>
      <ExportHost />
      <DropAnywhere />
      {isSessionEnded && config !== undefined && <LoginDialog />}
    </div>
  );
}
