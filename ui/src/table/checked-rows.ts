import { useRef, useState } from 'react';
import { rowKeyOf } from '../editing/shown-rows.ts';
import type { ShownRows } from '../editing/shown-rows.ts';

/** The rows whose checkboxes are checked. */
export interface CheckedRows {
  readonly keys: ReadonlySet<string>;
  /** The checked rows that are shown. */
  readonly rows: ShownRows;
  /** Checks a row, or all rows from the one that was checked before. */
  readonly toggle: (row: number, isRange: boolean) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

export function useCheckedRows(rows: ShownRows): CheckedRows {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const last = useRef(0);
  const checked = rows.withKeys(keys);
  const keysBetween = (top: number, bottom: number): readonly string[] =>
    Array.from({ length: bottom - top + 1 }, (_, i) => keyAt(rows, top + i)).filter(
      (key) => key !== undefined,
    );
  return {
    keys,
    rows: { ...rows, count: checked.length, at: (row) => checked[row] },
    toggle: (row, isRange) => {
      const from = isRange ? last.current : row;
      last.current = row;
      const changed = new Set(keysBetween(Math.min(from, row), Math.max(from, row)));
      const key = keyAt(rows, row);
      const isChecking = key !== undefined && !keys.has(key);
      const others = [...keys].filter((other) => !changed.has(other));
      setKeys(new Set(isChecking ? [...others, ...changed] : others));
    },
    toggleAll: () => {
      const all = keysBetween(0, rows.count - 1);
      setKeys(new Set(all.every((key) => keys.has(key)) ? [] : all));
    },
    clear: () => setKeys(new Set()),
  };
}

/** Undefined for a row that has not been read, or that has no id. */
function keyAt(rows: ShownRows, row: number): string | undefined {
  const shown = rows.at(row);
  return shown === undefined ? undefined : rowKeyOf(shown);
}
