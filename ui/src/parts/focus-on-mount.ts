/** As a `ref`: what takes the place of something that had the focus gets it when it appears. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
