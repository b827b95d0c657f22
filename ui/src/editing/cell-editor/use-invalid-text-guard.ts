import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { editingTexts as texts } from '../../texts/editing.ts';

/** The text of an editor that is not a value of its column. */
export interface InvalidText {
  readonly column: string;
  readonly problem: string;
}

/**
 * Asks before the page leaves a text that cannot be staged. `find` is called when it is about to
 * leave, and returns undefined if there is no such text.
 */
export function useInvalidTextGuard(
  find: () => InvalidText | undefined,
  { disabled = false }: { readonly disabled?: boolean } = {},
): void {
  const latest = useRef(find);
  useEffect(() => {
    latest.current = find;
  });
  useBlocker({
    shouldBlockFn: () => {
      const invalid = latest.current();
      if (invalid === undefined) return false;
      return !confirm(texts.confirmInvalid(invalid));
    },
    disabled,
    enableBeforeUnload: () => latest.current() !== undefined,
  });
}
