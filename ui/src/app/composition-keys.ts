/**
 * Keys that belong to an input method, such as Enter that picks a conversion, do not reach the
 * page: they would end an edit with half of its text, or press a button. The input method itself
 * gets them before the page does.
 */
export function leaveCompositionKeys(): void {
  const leave = (event: KeyboardEvent): void => {
    // Safari reports the last key after the end of the composition, with this code.
    if (event.isComposing || event.keyCode === 229) event.stopPropagation();
  };
  for (const name of ['keydown', 'keyup'] as const)
    addEventListener(name, leave, { capture: true });
}
