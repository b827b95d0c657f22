/** Finds controls that a finger cannot hit. */
import type { Page } from 'playwright-core';

/**
 * Labels of visible controls inside `scope` that are cut off, or less high than `minHeight`. Lists
 * that scroll sideways may be wider than the screen.
 */
export async function smallControls(
  page: Page,
  { scope, minHeight }: { readonly scope: string; readonly minHeight: number },
): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelector(${JSON.stringify(scope)}).querySelectorAll('button, a, input, select, textarea, [role="tab"], [role="menuitem"]')]
    .map((element) => element.closest('label') ?? element.closest('.field') ?? element)
    .filter((element) => {
      const { left, right, top, width, height } = element.getBoundingClientRect();
      const isShown = element.checkVisibility({ visibilityProperty: true }) && width > 1 && top < innerHeight;
      const isInGrid = element.closest('.grid, .trail, .page-number, .switch') !== null;
      const strip = element.closest('.subtabs, .subtabs-list, .filters');
      const isCut = right > innerWidth + 1 || left < 0;
      return isShown && !isInGrid && (height < ${minHeight} || (isCut && strip === null));
    })
    .map((element) => element.getAttribute('aria-label') ?? element.textContent)`);
}
