/** The tabs of the SQL page. Their texts survive a reload. */
import { createStore, useSelector } from '@tanstack/react-store';
import { localStore } from '../parts/browser-storage.ts';
import { commonTexts as texts } from '../texts/common.ts';

export interface SqlTab {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

interface SqlTabs {
  /** Never empty. */
  readonly tabs: readonly SqlTab[];
  /** `SqlTab.id` */
  readonly active: string;
  /** Closed tabs with a text, the last one first. */
  readonly closed: readonly SqlTab[];
}

const key = 'studio.sql.tabs';
const maxClosed = 20;

const store = createStore<SqlTabs>(read());
store.subscribe(() => localStore.write(key, JSON.stringify(store.get())));

function read(): SqlTabs {
  try {
    const storedTabs = JSON.parse(localStore.read(key) ?? '') as SqlTabs;
    if (storedTabs.tabs.some(({ id }) => id === storedTabs.active)) return storedTabs;
  } catch {
    // Nothing is stored, or not by this version.
  }
  const first = { id: 'sql-1', name: texts.queryName({ number: 1 }), text: '' };
  return { tabs: [first], active: first.id, closed: [] };
}

export function useSqlTabs(): SqlTabs {
  return useSelector(store);
}

export function selectSqlTab(id: string): void {
  store.setState((all) => ({ ...all, active: id }));
}

export function changeSqlTab(id: string, changes: Partial<Omit<SqlTab, 'id'>>): void {
  store.setState((all) => ({
    ...all,
    tabs: all.tabs.map((tab) => (tab.id === id ? { ...tab, ...changes } : tab)),
  }));
}

export function addSqlTab(text = ''): void {
  store.setState((all) => withTab(all, { ...newTab(all), text }));
}

/** Shows a text in the active tab if that is empty, and otherwise in a new one. */
export function showInSqlTab(text: string): void {
  const { tabs, active } = store.get();
  const isEmpty = tabs.find(({ id }) => id === active)?.text.trim() === '';
  if (isEmpty) changeSqlTab(active, { text });
  else addSqlTab(text);
}

/** Closes a tab. The last one is emptied instead. */
export function closeSqlTab(id: string): void {
  store.setState((all) => {
    const at = all.tabs.findIndex((tab) => tab.id === id);
    const tab = all.tabs[at];
    if (tab === undefined) return all;
    const closed = tab.text.trim() === '' ? all.closed : [tab, ...all.closed].slice(0, maxClosed);
    const rest = all.tabs.filter((other) => other.id !== id);
    const neighbor = rest[Math.min(at, rest.length - 1)];
    const remainingState = { ...all, tabs: rest, closed };
    if (neighbor === undefined) return withTab(remainingState, newTab(remainingState));
    return { ...remainingState, active: all.active === id ? neighbor.id : all.active };
  });
}

export function reopenSqlTab(): void {
  store.setState((all) => {
    const [tab, ...closed] = all.closed;
    return tab === undefined ? all : withTab({ ...all, closed }, tab);
  });
}

function withTab(all: SqlTabs, tab: SqlTab): SqlTabs {
  return { ...all, tabs: [...all.tabs, tab], active: tab.id };
}

function newTab({ tabs, closed }: SqlTabs): SqlTab {
  const takenIds = new Set([...tabs, ...closed].map(({ id }) => id));
  let number = 1;
  while (takenIds.has(`sql-${number}`)) number += 1;
  return { id: `sql-${number}`, name: texts.queryName({ number }), text: '' };
}
