import { createStore, useSelector } from '@tanstack/react-store';
import { localStore } from '../parts/browser-storage.ts';

const isOpen = createStore(false);

const collapsedKey = 'studio.sidebar';
const isCollapsed = createStore(localStore.read(collapsedKey) === 'collapsed');

/** Hides or shows the sidebar beside the page. The browser remembers it. */
export function setSidebarCollapsed(collapsed: boolean): void {
  isCollapsed.setState(() => collapsed);
  localStore.write(collapsedKey, collapsed ? 'collapsed' : null);
}

export function useSidebarCollapsed(): boolean {
  return useSelector(isCollapsed);
}

/** Opens or closes the sidebar, which is a drawer on phones. */
export function setDrawerOpen(open: boolean): void {
  isOpen.setState(() => open);
}

export function useDrawer(): boolean {
  return useSelector(isOpen);
}
