import { useEffect, useRef } from 'react';
import type { JSX } from 'react';

interface MixedCheckProps {
  readonly label: string;
  readonly state: 'on' | 'off' | 'mixed';
  readonly onToggle: () => void;
}

/** A check box for a group of items. It is indeterminate if only some are selected. */
export function MixedCheck({ label, state, onToggle }: MixedCheckProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = state === 'mixed';
  }, [state]);
  return (
    <input
      ref={input}
      type="checkbox"
      aria-label={label}
      checked={state === 'on'}
      onChange={onToggle}
    />
  );
}
