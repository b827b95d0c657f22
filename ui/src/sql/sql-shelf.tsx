import { useState } from 'react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { removeQuery, usePastQueries, useSavedQueries } from './past-queries.ts';

/** What was run and what was saved; a click brings it back into the editor. */
export function SqlShelf({
  onShow,
}: {
  readonly onShow: (statement: string) => void;
}): JSX.Element {
  const [isSaved, setSaved] = useState(false);
  const past = usePastQueries();
  const saved = useSavedQueries();
  return (
    <aside className="hist" aria-label="Earlier statements">
      <div className="subtabs" role="tablist" aria-label="Earlier statements">
        <button
          className="subtab"
          role="tab"
          aria-selected={!isSaved}
          onClick={() => setSaved(false)}
        >
          History
        </button>
        <button
          className="subtab"
          role="tab"
          aria-selected={isSaved}
          onClick={() => setSaved(true)}
        >
          Saved <span className="cnt">{saved.length}</span>
        </button>
      </div>
      <ul className="hist-list">
        {isSaved
          ? saved.map(({ name, statement }) => (
              <li key={name} className="row">
                <button className="q grow" onClick={() => onShow(statement)}>
                  <span className="cut m">{name}</span>
                </button>
                <button
                  className="ib sm"
                  aria-label={`Forget ${name}`}
                  onClick={() => removeQuery(name)}
                >
                  <Icon name="close" size="xs" />
                </button>
              </li>
            ))
          : past.map(({ at, statement, outcome, isFailure }) => (
              <li key={at}>
                <button className="q" title={statement} onClick={() => onShow(statement)}>
                  <span className="code cut">{statement}</span>
                  <span className={`meta ${isFailure ? 'err' : ''}`}>
                    {new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}{' '}
                    {outcome}
                  </span>
                </button>
              </li>
            ))}
      </ul>
    </aside>
  );
}
