import { useEffect, useRef } from 'react';

/**
 * Runs an action when a key is pressed, unless the user is typing or another handler has used the
 * key: in a grid, a letter starts an edit. Shortcuts such as `mod+k`, with Ctrl or ⌘, also work
 * while typing.
 */
export function useShortcut(
  shortcut: string,
  action: () => void,
  { whileTyping = shortcut.startsWith('mod+') }: { readonly whileTyping?: boolean } = {},
): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !matches(event, shortcut) || (!whileTyping && isTyping(event)))
        return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [shortcut, whileTyping]);
}

function matches(event: KeyboardEvent, shortcut: string): boolean {
  const parts = shortcut.split('+');
  const needsMod = parts.includes('mod');
  const hasMod = event.ctrlKey || event.metaKey;
  if (needsMod !== hasMod || event.altKey) return false;
  if (
    parts.includes('shift') !== event.shiftKey &&
    event.key.length === 1 &&
    /[a-z]/i.test(event.key)
  )
    return false;
  return event.key.toLowerCase() === parts.at(-1);
}

/** The first element of the path is the actual target, also inside a shadow root. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return acceptsText(target);
}

/** Whether keys are meant for the element, as in a text field or a list of options. CodeMirror is in a shadow root. */
export function acceptsText(target: EventTarget | null | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // The field of the selected cell leaves its keys to the grid.
  if (target.dataset['gridKeys'] !== undefined) return false;
  if (target.isContentEditable || target.shadowRoot !== null) return true;
  return ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
