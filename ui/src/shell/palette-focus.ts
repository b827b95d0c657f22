import { useRef } from 'react';
import { visibleGrid } from '../parts/page-grid.ts';

/** Where the focus is while the palette is open, and afterwards. */
export function usePaletteFocus() {
  const before = useRef<HTMLElement | null>(null);
  const hasRun = useRef(false);
  return {
    opens: (): void => {
      before.current = focusedElement();
      hasRun.current = false;
    },
    /** What an entry opens takes the focus. `true` is the button of the palette. */
    finalFocus: (): HTMLElement | boolean => !hasRun.current && (ifShown(before.current) ?? true),
    /** Runs an entry. If nothing takes the focus then, the element that had it before gets it back. */
    run: (action: () => unknown): void => {
      hasRun.current = true;
      const actionResult = action();
      const restore = (): void => restoreFocus(before.current);
      nextFrame(restore);
      // A page that is loaded by then may have replaced the element that had the focus.
      void Promise.resolve(actionResult).finally(() => nextFrame(restore));
    },
  };
}

/** The focused element, also inside a shadow root. For a cell it is the grid, whose editor closes meanwhile. */
function focusedElement(): HTMLElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  return element.closest<HTMLElement>('[role="grid"]') ?? element;
}

function ifShown(element: HTMLElement | null): HTMLElement | undefined {
  return element?.isConnected === true && element.checkVisibility() ? element : undefined;
}

function restoreFocus(before: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  const element = ifShown(before) ?? visibleGrid();
  element?.focus({ preventScroll: true });
  if (document.activeElement === document.body) focusPage();
}

/** The page can have the focus only now: a click beside its fields and buttons must not give it to the page. */
function focusPage(): void {
  const page = document.querySelector('main');
  if (page === null) return;
  page.tabIndex = -1;
  page.addEventListener('blur', () => page.removeAttribute('tabindex'), { once: true });
  page.focus({ preventScroll: true });
}

/** Once the page has been rendered. */
function nextFrame(action: () => void): void {
  requestAnimationFrame(() => setTimeout(action));
}
