import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { JSX } from 'react';
import { useChangedTables } from '../editing/staged-store.ts';
import { Icon } from '../parts/icon.tsx';
import { closeTab, openTab, useTabs } from './open-tabs.ts';

/** The open tabs. Each links to its last URL. */
export function Tabs(): JSX.Element {
  const location = useRouterState({ select: (state) => state.location });
  const tabs = useTabs();
  const changed = useChangedTables();
  const navigate = useNavigate();
  const { pathname, href } = location;
  useEffect(() => openTab(pathname, href), [pathname, href]);

  const close = (path: string): void => {
    const next = closeTab(path);
    if (path === pathname) void navigate({ href: next ?? '/' });
  };
  return (
    <nav className="tabs" aria-label="Open tabs">
      {tabs.map(({ path, href: left, title, icon }) => (
        <div key={path} className={`tab ${path === pathname ? 'on' : ''}`}>
          <Icon name={icon} />
          <Link to={left} className="cut" aria-current={path === pathname ? 'page' : undefined}>
            {title}
          </Link>
          {changed.has(title) && <span className="dot" title="Unsaved changes" />}
          <button className="ib sm" aria-label={`Close ${title}`} onClick={() => close(path)}>
            <Icon name="close" size="xs" />
          </button>
        </div>
      ))}
    </nav>
  );
}
