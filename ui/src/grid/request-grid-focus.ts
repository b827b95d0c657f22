import { useEffect } from 'react';
import type { RefObject } from 'react';

let isRequested = false;

/**
 * The next grid that appears gets the focus, so that whoever opened its page by the keyboard can go
 * on with it. A click before that ends the request.
 */
export function requestGridFocus(): void {
  isRequested = true;
  addEventListener('pointerdown', () => (isRequested = false), { once: true });
}

export function useRequestedFocus(grid: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!isRequested) return;
    isRequested = false;
    grid.current?.focus();
  }, [grid]);
}
