import { useEffect, useRef } from 'react';

/** Does something when a key is pressed while nobody is typing. `mod+k`: with Ctrl or ⌘, also while typing. */
export function useShortcut(shortcut: string, act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!matches(event, shortcut)) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [shortcut]);
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
  if (!needsMod && isTyping(event.target)) return false;
  return event.key.toLowerCase() === parts.at(-1);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
