import { useLayoutEffect } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { focusGrid } from '../parts/page-grid.ts';
import { acceptsText } from '../parts/use-shortcut.ts';

/**
 * In a narrow window the record covers the grid, so it takes the focus from there. When it closes,
 * the grid gets the focus back. Returns the handler of Escape, which closes the record.
 */
export function usePanelFocus(panel: RefObject<HTMLElement | null>, onClose: () => void) {
  useLayoutEffect(() => {
    const openedPanel = panel.current;
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.checkVisibility() === false)
      openedPanel?.focus({ preventScroll: true });
    return () => {
      if (openedPanel?.contains(document.activeElement) !== true) return;
      // The grid is hidden until the panel has gone.
      setTimeout(focusGrid);
    };
  }, [panel]);
  return (event: KeyboardEvent<HTMLElement>): void => {
    const { target, currentTarget } = event;
    // Events of menus and dialogs that a field has opened arrive here too.
    const isInPanel = target instanceof Node && currentTarget.contains(target);
    if (event.key === 'Escape' && isInPanel && !event.defaultPrevented && !acceptsText(target))
      onClose();
  };
}
