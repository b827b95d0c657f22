import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { importingTexts as texts } from '../texts/importing.ts';

/** Lists what was skipped or assumed, one sentence each. */
export function Warnings({
  warnings,
}: {
  readonly warnings: readonly string[];
}): JSX.Element | null {
  if (warnings.length === 0) return null;
  return (
    <div className="callout warn warnings">
      <Icon name="warning" />
      <ul className="grow" aria-label={texts.warnings}>
        {warnings.map((warning, i) => (
          <li key={i}>{warning}</li>
        ))}
      </ul>
    </div>
  );
}
