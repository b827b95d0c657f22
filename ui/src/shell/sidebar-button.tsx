import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useIsPhone } from '../parts/use-is-phone.ts';
import { setDrawerOpen, setSidebarCollapsed, useDrawer, useSidebarCollapsed } from './drawer.ts';
import { shellTexts as texts } from '../texts/shell.ts';
import { commonTexts } from '../texts/common.ts';

/** Shows the sidebar where it is not beside the page: on phones, and where it is collapsed. */
export function SidebarButton(): JSX.Element | null {
  const isOpen = useDrawer();
  const isCollapsed = useSidebarCollapsed();
  const isPhone = useIsPhone();
  if (!isPhone && !isCollapsed) return null;
  return (
    <button
      className="ib sidebar-button"
      aria-label={isPhone ? commonTexts.tables : texts.showSidebar}
      title={isPhone ? undefined : texts.withShortcut({ label: texts.showSidebar, key: '[' })}
      aria-expanded={isPhone && isOpen}
      onClick={() => (isPhone ? setDrawerOpen(true) : setSidebarCollapsed(false))}
    >
      <Icon name="menu" />
    </button>
  );
}
