import { createStore, useSelector } from '@tanstack/react-store';

const isOpen = createStore(false);

/** Opens or closes the sidebar, which is a drawer on phones. */
export function setDrawerOpen(open: boolean): void {
  isOpen.setState(() => open);
}

export function useDrawer(): boolean {
  return useSelector(isOpen);
}
