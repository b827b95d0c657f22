import { Fragment, useState } from 'react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useQueryHistory } from './query-history.ts';
import type { HistoryEntry } from './query-history.ts';
import { removeQuery, useSavedQueries } from './saved-queries.ts';
import type { SavedQuery } from './saved-queries.ts';
import { sqlTexts as texts } from '../texts/sql.ts';
import { commonTexts } from '../texts/common.ts';

/** The history and the saved statements. A click inserts a statement into the editor. */
export function StatementPanel({
  onShow,
}: {
  readonly onShow: (statement: string) => void;
}): JSX.Element {
  const [isSaved, setSaved] = useState(false);
  const [searchText, setSearchText] = useState('');
  const matches = (text: string): boolean => text.toLowerCase().includes(searchText.toLowerCase());
  const past = useQueryHistory().filter(({ statement }) => matches(statement));
  const saved = useSavedQueries().filter(
    ({ name, statement }) => matches(name) || matches(statement),
  );
  return (
    <aside className="hist" aria-label={texts.queryHistory}>
      <div className="subtabs" role="tablist" aria-label={texts.queryHistory}>
        <button
          className="subtab"
          role="tab"
          aria-selected={!isSaved}
          onClick={() => setSaved(false)}
        >
          {texts.history}
        </button>
        <button
          className="subtab"
          role="tab"
          aria-selected={isSaved}
          onClick={() => setSaved(true)}
        >
          {texts.saved} <span className="cnt">{saved.length}</span>
        </button>
      </div>
      <label className="field hist-search">
        <Icon name="search" size="s" />
        <input
          aria-label={texts.searchHistory}
          placeholder={commonTexts.search}
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
      </label>
      {(isSaved ? saved : past).length === 0 && (
        <p className="pad t3">{searchText === '' ? emptyText(isSaved) : texts.noMatches}</p>
      )}
      {isSaved ? (
        <SavedList saved={saved} onShow={onShow} />
      ) : (
        <HistoryList past={past} onShow={onShow} />
      )}
    </aside>
  );
}

function emptyText(isSaved: boolean): string {
  return isSaved ? texts.noneSaved : texts.noHistory;
}

type Show = (statement: string) => void;

interface SavedListProps {
  readonly saved: readonly SavedQuery[];
  readonly onShow: Show;
}

function SavedList({ saved, onShow }: SavedListProps): JSX.Element {
  return (
    <ul className="hist-list">
      {saved.map((query) => (
        <li key={`${query.isLocal} ${query.name}`} className="row">
          <button className="q grow" onClick={() => onShow(query.statement)}>
            <span className="cut m">{query.name}</span>
            {query.isLocal && <span className="meta t3">{texts.inThisBrowser}</span>}
          </button>
          <button
            className="ib sm"
            aria-label={texts.deleteSaved({ name: query.name })}
            onClick={() => void removeQuery(query)}
          >
            <Icon name="close" size="xs" />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface HistoryListProps {
  readonly past: readonly HistoryEntry[];
  readonly onShow: Show;
}

function HistoryList({ past, onShow }: HistoryListProps): JSX.Element {
  return (
    <ul className="hist-list">
      {past.map((query, i) => (
        <Fragment key={query.at}>
          {dayOf(query) !== dayOf(past[i - 1]) && <li className="day">{dayOf(query)}</li>}
          <HistoryLine {...query} onShow={onShow} />
        </Fragment>
      ))}
    </ul>
  );
}

interface HistoryLineProps extends HistoryEntry {
  readonly onShow: Show;
}

function HistoryLine({ at, statement, outcome, isFailure, onShow }: HistoryLineProps): JSX.Element {
  return (
    <li>
      <button className="q" title={statement} onClick={() => onShow(statement)}>
        <span className="code cut">{statement}</span>
        <span className={`meta row ${isFailure ? 'err' : ''}`}>
          <Icon name={isFailure ? 'close' : 'check'} size="xs" className={isFailure ? '' : 'ok'} />
          <span className="num">
            {new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
          </span>
          <span className="cut">{outcome}</span>
        </span>
      </button>
    </li>
  );
}

const dayMs = 86_400_000;

function dayOf(query: HistoryEntry | undefined): string {
  if (query === undefined) return '';
  const day = new Date(query.at);
  const isDay = (ms: number): boolean => new Date(ms).toDateString() === day.toDateString();
  if (isDay(Date.now())) return texts.today;
  if (isDay(Date.now() - dayMs)) return texts.yesterday;
  return day.toLocaleDateString([], { dateStyle: 'medium' });
}
