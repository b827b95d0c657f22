import { createStore, useSelector } from '@tanstack/react-store';
import { decodeSegment } from '../../../src/model/row-id.ts';
import type { IconName } from '../parts/icon.tsx';
import { tabStore } from '../parts/browser-storage.ts';
import { commonTexts as texts } from '../texts/common.ts';

/** An open tab. */
export interface Tab {
  readonly path: string;
  /** Its last URL: the path with the query. */
  readonly href: string;
  readonly title: string;
  readonly icon: IconName;
}

const key = 'studio.tabs';
const tabs = createStore(storedTabs());

/** Opens a tab for a page, or updates the URL of its tab. The start page has no tab. */
export function openTab(path: string, href: string): void {
  const labelAndIcon = labelAndIconOf(path);
  if (labelAndIcon === undefined) return;
  const tab = { path, href, ...labelAndIcon };
  const all = tabs.get();
  const isKnown = all.some((each) => each.path === path);
  change(isKnown ? all.map((each) => (each.path === path ? tab : each)) : [...all, tab]);
}

/** Closes a tab. Returns the URL of the tab to show next. */
export function closeTab(path: string): string | undefined {
  const index = tabs.get().findIndex((tab) => tab.path === path);
  const otherTabs = tabs.get().filter((tab) => tab.path !== path);
  change(otherTabs);
  return otherTabs[Math.min(index, otherTabs.length - 1)]?.href;
}

export function useTabs(): readonly Tab[] {
  return useSelector(tabs);
}

function labelAndIconOf(path: string): Pick<Tab, 'title' | 'icon'> | undefined {
  const [, table] = /\/tables\/([^/]+)/.exec(path) ?? [];
  if (table !== undefined) return { title: decodeSegment(table), icon: 'table' };
  const [, page = ''] = /\/(sql|diagram|import|export)$/.exec(path) ?? [];
  return pages[page];
}

const pages: Readonly<Record<string, Pick<Tab, 'title' | 'icon'>>> = {
  sql: { title: texts.sql, icon: 'sql' },
  diagram: { title: texts.diagram, icon: 'diagram' },
  import: { title: texts.import, icon: 'upload' },
  export: { title: texts.export, icon: 'download' },
};

function change(next: readonly Tab[]): void {
  tabs.setState(() => next);
  tabStore.write(key, JSON.stringify(next));
}

function storedTabs(): readonly Tab[] {
  try {
    return JSON.parse(tabStore.read(key) ?? '[]') as Tab[];
  } catch {
    return [];
  }
}
