import { useState } from 'react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import {
  addSqlTab,
  changeSqlTab,
  closeSqlTab,
  reopenSqlTab,
  selectSqlTab,
  useSqlTabs,
} from './sql-tabs-store.ts';
import type { SqlTab } from './sql-tabs-store.ts';
import { sqlTexts as texts } from '../texts/sql.ts';

/** The tabs of the SQL page. A double click renames one. */
export function SqlTabStrip(): JSX.Element {
  const { tabs, active, closed } = useSqlTabs();
  const [renamed, setRenamed] = useState<string>();
  const [last] = closed;
  return (
    <div className="subtabs sql-tabs">
      <div className="subtabs-list" role="tablist" aria-label={texts.queries}>
        {tabs.map((tab) =>
          tab.id === renamed ? (
            <NameField key={tab.id} tab={tab} onEnd={() => setRenamed(undefined)} />
          ) : (
            <button
              key={tab.id}
              className="subtab"
              role="tab"
              aria-selected={tab.id === active}
              title={texts.renameHint}
              onClick={() => selectSqlTab(tab.id)}
              onDoubleClick={() => setRenamed(tab.id)}
              onKeyDown={(event) => {
                if (event.key === 'F2') setRenamed(tab.id);
                if (event.key === 'Delete') closeSqlTab(tab.id);
              }}
            >
              {tab.name}
            </button>
          ),
        )}
      </div>
      <button
        className="ib sm"
        aria-label={texts.newTab}
        title={texts.newTab}
        onClick={() => addSqlTab()}
      >
        <Icon name="plus" size="s" />
      </button>
      <span className="grow" />
      {last !== undefined && (
        <button className="btn quiet" onClick={reopenSqlTab}>
          <Icon name="undo" size="s" /> {texts.reopen(last)}
        </button>
      )}
      <button
        className="ib sm"
        aria-label={texts.closeTab}
        title={texts.closeTab}
        onClick={() => closeSqlTab(active)}
      >
        <Icon name="close" size="s" />
      </button>
    </div>
  );
}

interface NameFieldProps {
  readonly tab: SqlTab;
  readonly onEnd: () => void;
}

function NameField({ tab, onEnd }: NameFieldProps): JSX.Element {
  const [name, setName] = useState(tab.name);
  const end = (): void => {
    if (name.trim() !== '') changeSqlTab(tab.id, { name: name.trim() });
    onEnd();
  };
  return (
    <input
      className="subtab"
      aria-label={texts.tabName}
      autoFocus
      value={name}
      maxLength={60}
      onChange={({ target }) => setName(target.value)}
      onFocus={({ target }) => target.select()}
      onBlur={end}
      onKeyDown={({ key }) => {
        if (key === 'Enter') end();
        if (key === 'Escape') onEnd();
      }}
    />
  );
}
