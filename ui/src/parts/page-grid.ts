import { useRef } from 'react';
import type { MouseEvent } from 'react';

/** The grid of the page. Undefined if there is none, or if a record covers it. */
export function visibleGrid(): HTMLElement | undefined {
  const grid = document.querySelector<HTMLElement>('[role="grid"]');
  return grid?.checkVisibility() === true ? grid : undefined;
}

export function focusGrid(): void {
  visibleGrid()?.focus({ preventScroll: true });
}

/**
 * For `onClick` of the page of a grid: after a mouse click on a button of its bars the next key belongs
 * to the grid. A button that was pressed by a key keeps the focus, and so does what a button opens.
 */
export function returnKeyboardToGrid({ detail, target, currentTarget }: MouseEvent): void {
  const isByKey = detail === 0;
  // Events of popovers and dialogs arrive here too, although their elements are elsewhere.
  if (isByKey || !(target instanceof Element) || !currentTarget.contains(target)) return;
  const button = target.closest('button, [type="checkbox"]');
  if (button === null || button.hasAttribute('aria-haspopup')) return;
  if (button.closest('[role="grid"], [role="complementary"], aside') !== null) return;
  // At once, because the next key can come soon. What the button opens takes the focus from there.
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === button) focusGrid();
}

/**
 * Gives the focus to the grid of the page when a popover closes, unless a key on the button of the
 * popover opened it. Returns what the popover calls when it opens, and for its `finalFocus`.
 */
export function useFocusAfterClose() {
  const wasOpenedByKey = useRef(false);
  return {
    opens: (event: Event): void => {
      const isClick = event instanceof globalThis.MouseEvent && event.detail > 0;
      wasOpenedByKey.current = !isClick;
    },
    /** `true` is the button. */
    finalFocus: (): HTMLElement | true => {
      const element = wasOpenedByKey.current ? true : (visibleGrid() ?? true);
      wasOpenedByKey.current = false;
      return element;
    },
  };
}
