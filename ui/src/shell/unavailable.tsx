import type { JSX } from 'react';
import { areChangesPreserved } from '../editing/unsaved-changes.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { partsTexts } from '../texts/parts.ts';
import { shellTexts as texts } from '../texts/shell.ts';

interface UnavailableProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Takes the place of a page while the server or the database does not respond. */
export function Unavailable({ error, onRetry }: UnavailableProps): JSX.Element {
  return (
    <div className="unavailable" role="alert">
      <Icon name="database" />
      <h2 className="b">{texts.structureNotRead}</h2>
      <p className="t2">{messageOf(error)}</p>
      {areChangesPreserved() && <p className="t2">{texts.changesPreserved}</p>}
      <button className="btn primary" onClick={onRetry}>
        <Icon name="refresh" /> {partsTexts.tryAgain}
      </button>
    </div>
  );
}
