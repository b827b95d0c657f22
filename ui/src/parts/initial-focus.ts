import { useRef } from 'react';
import type { RefObject } from 'react';

const tabbable = ['input', 'select', 'textarea', 'button', 'a[href]', '[tabindex="0"]']
  .map((selector) => `${selector}:not(:disabled, [tabindex="-1"])`)
  .join(', ');

interface InitialFocus {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly initialFocus: (interaction: string) => boolean;
}

/**
 * For a popup: its first field or button has the focus when it opens. The default waits for the
 * next frame, and whoever types on at once would type into the page below.
 */
export function useInitialFocus(): InitialFocus {
  const ref = useRef<HTMLDivElement>(null);
  return {
    ref,
    initialFocus: (interaction) => {
      // On a touch screen, a field that has the focus opens the keyboard over the popup.
      if (interaction === 'touch' || ref.current === null) return true;
      if (!ref.current.contains(document.activeElement)) {
        const fields = [...ref.current.querySelectorAll<HTMLElement>(tabbable)];
        (fields.find((field) => field.checkVisibility()) ?? ref.current).focus({
          preventScroll: true,
        });
      }
      return false;
    },
  };
}
