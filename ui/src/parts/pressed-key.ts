/** The element that received the key that is held down. Null if no key is. */
let receiver: EventTarget | null = null;

export function watchPressedKeys(): void {
  addEventListener('keydown', (event) => void (receiver = event.composedPath()[0] ?? null), {
    capture: true,
  });
  const release = (): void => void (receiver = null);
  addEventListener('keyup', release, { capture: true });
  addEventListener('blur', release);
}

/**
 * Whether the text that a key types belongs to another element. A key whose handler moves the focus
 * types where the focus is then: Enter in the palette would put a line break into the grid.
 */
export function isKeyOfAnother(element: Element): boolean {
  return receiver !== null && receiver !== element;
}
