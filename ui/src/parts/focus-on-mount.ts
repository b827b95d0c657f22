/** For `ref`: focuses an element that replaces the focused one, when it appears. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
