import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { JSX } from 'react';
import { useChangedTables } from '../editing/staged-store.ts';
import { CutName } from '../parts/cut-name.tsx';
import { cutNames } from '../parts/cut-names.ts';
import { Icon } from '../parts/icon.tsx';
import { closeTab, openTab, useTabs } from './open-tabs.ts';
import { shellTexts as texts } from '../texts/shell.ts';
import { commonTexts } from '../texts/common.ts';

/** The open tabs. Each links to its last URL. */
export function Tabs(): JSX.Element {
  const location = useRouterState({ select: (state) => state.location });
  const tabs = useTabs();
  const parts = cutNames(tabs.map(({ title }) => title));
  const changedTables = useChangedTables();
  const navigate = useNavigate();
  const { pathname, href } = location;
  useEffect(() => openTab(pathname, href), [pathname, href]);
  const strip = useRef<HTMLElement>(null);
  const isOpen = tabs.some(({ path }) => path === pathname);
  useEffect(() => showActiveTab(strip.current), [pathname, isOpen]);

  const close = (path: string): void => {
    const next = closeTab(path);
    if (path === pathname) void navigate({ href: next ?? '/' });
  };
  return (
    <nav
      ref={strip}
      className="tabs"
      aria-label={texts.openTabs}
      onWheel={({ currentTarget, deltaY }) => (currentTarget.scrollLeft += deltaY)}
    >
      {tabs.map(({ path, href: lastAddress, title, icon }) => (
        <div key={path} className={`tab ${path === pathname ? 'on' : ''}`}>
          <Icon name={icon} />
          <Link
            to={lastAddress}
            className="tab-name"
            title={title}
            aria-current={path === pathname ? 'page' : undefined}
          >
            <CutName name={title} parts={parts.get(title)} />
          </Link>
          {changedTables.has(title) && <span className="dot" title={commonTexts.unsavedChanges} />}
          <button
            className="ib sm"
            aria-label={texts.closeTab({ title })}
            onClick={() => close(path)}
          >
            <Icon name="close" size="xs" />
          </button>
        </div>
      ))}
    </nav>
  );
}

/** Scrolls the strip only. `scrollIntoView` would scroll the page too. */
function showActiveTab(strip: HTMLElement | null): void {
  const tab = strip?.querySelector<HTMLElement>('.tab.on');
  if (strip === null || tab === null || tab === undefined) return;
  const inner = tab.getBoundingClientRect();
  const outer = strip.getBoundingClientRect();
  if (inner.left < outer.left) strip.scrollLeft -= outer.left - inner.left + tabMargin;
  if (inner.right > outer.right) strip.scrollLeft += inner.right - outer.right + tabMargin;
}

const tabMargin = 8;
