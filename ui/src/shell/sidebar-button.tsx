import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { openDrawer, useDrawer } from './drawer.ts';

/** Opens the tables where there is no room for them beside the page. */
export function SidebarButton(): JSX.Element {
  const isOpen = useDrawer();
  return (
    <button
      className="ib sidebar-button"
      aria-label="Tables"
      aria-expanded={isOpen}
      onClick={() => openDrawer(true)}
    >
      <Icon name="menu" />
    </button>
  );
}
