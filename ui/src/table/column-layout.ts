import { useSelector } from '@tanstack/react-store';
import type { Column, Table } from '../api/queries.ts';
import { keyedStores } from '../parts/keyed-stores.ts';
import { titleColumn } from '../record/record-title.ts';
import { localStore } from '../parts/browser-storage.ts';

/** The user's arrangement of a table's columns, by column name. */
export interface ColumnLayout {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  readonly pinned: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
}

const defaultLayout: ColumnLayout = { order: [], hidden: [], pinned: [], widths: {} };
const storeOf = keyedStores(read);

export interface ColumnLayoutStore {
  readonly layout: ColumnLayout;
  readonly change: (change: Partial<ColumnLayout>) => void;
  /** Resets the columns to the order of the database. */
  readonly reset: () => void;
}

/** Returns the layout of a table. The browser's local storage holds it for each table of each database. */
export function useColumnLayout(database: string, table: string): ColumnLayoutStore {
  const key = `studio.columns ${database} ${table}`;
  const store = storeOf(key);
  const layout = useSelector(store);
  const set = (next: ColumnLayout): void => {
    store.setState(() => next);
    localStore.write(key, JSON.stringify(next));
  };
  return {
    layout,
    change: (change) => set({ ...store.get(), ...change }),
    reset: () => set(defaultLayout),
  };
}

function read(key: string): ColumnLayout {
  try {
    return { ...defaultLayout, ...(JSON.parse(localStore.read(key) ?? '{}') as object) };
  } catch {
    return defaultLayout;
  }
}

export interface ArrangedColumns {
  readonly columns: readonly Column[];
  /** The number of leading columns that stay visible when scrolling. */
  readonly pinned: number;
}

/** Returns the visible columns in display order. Columns that the layout does not know yet come last. */
export function arrange(table: Table, layout: ColumnLayout): ArrangedColumns {
  const shownColumns = sortColumns(table, layout).filter(
    ({ name }) => !layout.hidden.includes(name),
  );
  const pinned = shownColumns.filter(({ name }) => layout.pinned.includes(name));
  const otherColumns = shownColumns.filter(({ name }) => !layout.pinned.includes(name));
  return { columns: [...pinned, ...otherColumns], pinned: pinned.length };
}

/** On a phone the title column is pinned, unless the user pinned another one. */
export function arrangeForPhone(table: Table, layout: ColumnLayout): ArrangedColumns {
  const title = titleColumn(table) ?? table.columns[0]?.name;
  const isSelected =
    layout.pinned.length > 0 || title === undefined || layout.hidden.includes(title);
  return arrange(table, isSelected ? layout : { ...layout, pinned: [title] });
}

function sortColumns(table: Table, { order }: ColumnLayout): readonly Column[] {
  const rank = ({ name }: Column): number => {
    const found = order.indexOf(name);
    return found < 0 ? order.length : found;
  };
  return table.columns.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns all columns in display order, including hidden ones. */
export function allInOrder(table: Table, layout: ColumnLayout): readonly Column[] {
  const { pinned } = layout;
  const all = sortColumns(table, layout);
  return [
    ...all.filter(({ name }) => pinned.includes(name)),
    ...all.filter(({ name }) => !pinned.includes(name)),
  ];
}

/** Moves a column to the position of another. It is pinned if the other one is. */
export function moveColumn(
  table: Table,
  layout: ColumnLayout,
  [movedColumn, to]: readonly [string, string],
): Partial<ColumnLayout> {
  const names = allInOrder(table, layout).map(({ name }) => name);
  const from = names.indexOf(movedColumn);
  const target = names.indexOf(to);
  if (from < 0 || target < 0 || from === target) return {};
  const order = names.toSpliced(from, 1).toSpliced(target, 0, movedColumn);
  const otherPinned = layout.pinned.filter((name) => name !== movedColumn);
  return {
    order,
    pinned: layout.pinned.includes(to) ? [...otherPinned, movedColumn] : otherPinned,
  };
}

export function toggle(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
}
