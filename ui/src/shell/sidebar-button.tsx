import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { setDrawerOpen, useDrawer } from './drawer.ts';

/** Opens the sidebar on screens without space for it beside the page. */
export function SidebarButton(): JSX.Element {
  const isOpen = useDrawer();
  return (
    <button
      className="ib sidebar-button"
      aria-label="Tables"
      aria-expanded={isOpen}
      onClick={() => setDrawerOpen(true)}
    >
      <Icon name="menu" />
    </button>
  );
}
