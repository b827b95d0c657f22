import { useSyncExternalStore } from 'react';
import { decodeSegment } from '../../../src/model/row-id.ts';
import type { IconName } from '../parts/icon.tsx';

/** A page that was opened and not closed. */
export interface Tab {
  readonly path: string;
  /** Where it was left: the path with its query. */
  readonly href: string;
  readonly title: string;
  readonly icon: IconName;
}

const key = 'studio.tabs';
let tabs: readonly Tab[] = stored();
const listeners = new Set<() => void>();

/** A page was gone to; the start page is no tab. */
export function openTab(path: string, href: string): void {
  const face = faceOf(path);
  if (face === undefined) return;
  const tab = { path, href, ...face };
  const isKnown = tabs.some((known) => known.path === path);
  change(isKnown ? tabs.map((known) => (known.path === path ? tab : known)) : [...tabs, tab]);
}

/** Gives the address of the tab that takes its place. */
export function closeTab(path: string): string | undefined {
  const place = tabs.findIndex((tab) => tab.path === path);
  change(tabs.filter((tab) => tab.path !== path));
  return tabs[Math.min(place, tabs.length - 1)]?.href;
}

export function useTabs(): readonly Tab[] {
  return useSyncExternalStore(subscribe, () => tabs);
}

function faceOf(path: string): Pick<Tab, 'title' | 'icon'> | undefined {
  const [, table] = /\/tables\/([^/]+)/.exec(path) ?? [];
  if (table !== undefined) return { title: decodeSegment(table), icon: 'table' };
  const [, page = ''] = /\/(sql|diagram|import|export)$/.exec(path) ?? [];
  return pages[page];
}

const pages: Readonly<Record<string, Pick<Tab, 'title' | 'icon'>>> = {
  sql: { title: 'SQL', icon: 'sql' },
  diagram: { title: 'Diagram', icon: 'diagram' },
  import: { title: 'Import', icon: 'upload' },
  export: { title: 'Export', icon: 'download' },
};

function change(next: readonly Tab[]): void {
  tabs = next;
  sessionStorage.setItem(key, JSON.stringify(tabs));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function stored(): readonly Tab[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]') as Tab[];
  } catch {
    return [];
  }
}
