/** A field stages its text when it loses the focus. It gets the focus back if it still exists. */
export function stageFocusedField(): void {
  const focused = focusedElement();
  focused?.blur();
  focused?.focus({ preventScroll: true });
}

/** Returns the element with the focus, also inside a shadow root as in CodeMirror. */
function focusedElement(): HTMLElement | undefined {
  let { activeElement } = document;
  while (activeElement?.shadowRoot?.activeElement) ({ activeElement } = activeElement.shadowRoot);
  return activeElement instanceof HTMLElement ? activeElement : undefined;
}
