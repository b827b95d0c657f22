import { useEffect, useRef, useState } from 'react';
import { rowKeyOf } from '../editing/shown-rows.ts';
import type { ShownRow, ShownRows } from '../editing/shown-rows.ts';
import type { StagedTable } from '../editing/staged-store.ts';
import type { Staged } from '../editing/staged.ts';

/** The rows whose checkboxes are checked. */
export interface CheckedRows {
  readonly keys: ReadonlySet<string>;
  /** The checked rows, also those that have scrolled out of the rows that were read. */
  readonly rows: ShownRows;
  /** Checks a row, or all rows from the one that was checked before. */
  readonly toggle: (row: number, isRange: boolean) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** `viewKey` says what the view shows: another page, filter or sort clears the selection. */
export function useCheckedRows(
  rows: ShownRows,
  { staged, saved }: Pick<StagedTable, 'staged' | 'saved'>,
  viewKey: string,
): CheckedRows {
  const [keys, setAllKeys] = useState<ReadonlySet<string>>(new Set());
  const [view, setView] = useState(viewKey);
  const setKeys = (next: Iterable<string>): void => setAllKeys(new Set(next));
  if (view !== viewKey) {
    setView(viewKey);
    setKeys([]);
  }
  const last = useRef<string>(undefined);
  const checked = useLastReadRows(rows, keys, staged);
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });
  // A save may have deleted rows that have scrolled away.
  useEffect(() => {
    if (saved !== undefined) setAllKeys((all) => new Set(keysOf(latest.current.withKeys(all))));
  }, [saved]);
  const keysBetween = (top: number, bottom: number): readonly string[] =>
    Array.from({ length: bottom - top + 1 }, (_, i) => keyAt(rows, top + i)).filter(
      (key) => key !== undefined,
    );
  return {
    keys,
    rows: { ...rows, count: checked.length, at: (row) => checked[row] },
    toggle: (row, isRange) => {
      const key = keyAt(rows, row);
      const lastRow = last.current === undefined ? undefined : rows.indexOf(last.current, row);
      const from = (isRange ? lastRow : undefined) ?? row;
      last.current = key;
      const changedKeys = new Set(keysBetween(Math.min(from, row), Math.max(from, row)));
      const isChecking = key !== undefined && !keys.has(key);
      const otherKeys = [...keys].filter((other) => !changedKeys.has(other));
      setKeys(isChecking ? [...otherKeys, ...changedKeys] : otherKeys);
    },
    toggleAll: () => {
      const all = keysBetween(0, rows.count - 1);
      setKeys(all.every((key) => keys.has(key)) ? [] : all);
    },
    clear: () => setKeys([]),
  };
}

/** The rows with these keys. Those that have scrolled away are as they were last read, with their staged changes. */
function useLastReadRows(
  rows: ShownRows,
  keys: ReadonlySet<string>,
  staged: Staged,
): readonly ShownRow[] {
  const lastRead = useRef<ReadonlyMap<string, ShownRow>>(new Map());
  const read = rows.withKeys(keys);
  const knownRows = new Map([
    ...lastRead.current,
    ...read.map((row) => [rowKeyOf(row), row] as const),
  ]);
  const isRead = new Set(keysOf(read));
  const scrolledAway = [...keys]
    .filter((key) => !isRead.has(key))
    .flatMap((key) => [knownRows.get(key)])
    .filter((row) => row?.kind === 'stored')
    .map((row) => withStaged(row, staged));
  useEffect(() => {
    lastRead.current = new Map(
      [...read, ...scrolledAway].flatMap((row) => {
        const key = rowKeyOf(row);
        return key === undefined ? [] : [[key, row] as const];
      }),
    );
  });
  return [...read, ...scrolledAway];
}

function withStaged(row: ShownRow & { kind: 'stored' }, staged: Staged): ShownRow {
  const id = row.stored?.id ?? '';
  return {
    ...row,
    values: staged.edits.get(id)?.values ?? {},
    isRemoved: staged.removed.has(id),
  };
}

function keysOf(rows: readonly ShownRow[]): readonly string[] {
  return rows.map(rowKeyOf).filter((key) => key !== undefined);
}

/** Undefined for a row that has not been read, or that has no id. */
function keyAt(rows: ShownRows, row: number): string | undefined {
  const shownRow = rows.at(row);
  return shownRow === undefined ? undefined : rowKeyOf(shownRow);
}
