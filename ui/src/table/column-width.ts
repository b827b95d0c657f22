import { useState } from 'react';
import { cellPadding, phoneCellPadding, textWidth } from '../cells/text-width.ts';
import { cellText, truncatedValueOf, isNumberColumn } from '../cells/value-kind.ts';
import type { Column, Row, Table } from '../api/queries.ts';
import { keyText } from './key-text.ts';

const minWidth = 76;
const maxWidth = 320;

/** Returns a width in pixels that fits the header and the first rows, within limits. Numbers are never cut. */
export function columnWidth(column: Column, rows: readonly Row[]): number {
  const isNumber = isNumberColumn(column) && !column.is_foreign_key;
  const head = Math.max(column.name.length * 7 + 34, column.type.length * 6.2 + 24);
  const measured = isNumber ? rows : rows.slice(0, 100);
  const widest = Math.max(0, ...measured.map((row) => valueWidth(row, column)));
  const content = widest + cellPadding + (column.is_foreign_key ? 90 : 0);
  if (isNumber) return Math.ceil(Math.max(minWidth, head, content));
  return Math.ceil(Math.min(maxWidth, Math.max(minWidth, Math.min(head, maxWidth), content)));
}

function valueWidth(row: Row, column: Column): number {
  const value = row[column.name];
  if (value === undefined || value === null) return textWidth('NULL');
  if (truncatedValueOf(value) !== undefined) return textWidth('x'.repeat(40));
  return column.kind === 'binary' ? textWidth('x'.repeat(10)) : textWidth(cellText(value));
}

interface FittedWidths {
  readonly rows: readonly Row[];
  readonly widths: ReadonlyMap<string, number>;
}

/**
 * Widths that fit the header and the values of the first rows that were read. They stay when other
 * rows are read, so that headers do not move under the pointer. Only numbers widen their columns.
 */
export function useFittedWidths(
  { columns }: Table,
  rows: readonly Row[] | undefined,
): ReadonlyMap<string, number> {
  const [fitted, setFitted] = useState<FittedWidths>({ rows: [], widths: new Map() });
  if (rows === undefined || rows === fitted.rows) return fitted.widths;
  const widths = new Map(
    columns.map((column) => {
      const width = columnWidth(column, rows);
      const before = fitted.rows.length === 0 ? undefined : fitted.widths.get(column.name);
      const next = isNumberColumn(column) ? Math.max(before ?? 0, width) : (before ?? width);
      return [column.name, next];
    }),
  );
  setFitted({ rows, widths });
  return widths;
}

const maxPinnedTextWidth = 168;
const maxPinnedNumberWidth = 260;
/** The font below the first value of a row is that much smaller. */
const keyScale = 11.5 / 13;

/**
 * On a phone a pinned column leaves space for others beside it. It still shows the whole numbers of
 * the key, which is below the first value of each row.
 */
export function phoneWidths(
  widths: ReadonlyMap<string, number>,
  { table, columns, pinned }: { table: Table; columns: readonly Column[]; pinned: number },
  rows: readonly Row[],
): ReadonlyMap<string, number> {
  const spaced = [...widths].map(
    ([name, width]) => [name, width + phoneCellPadding - cellPadding] as const,
  );
  const all = new Map(spaced);
  for (const column of columns.slice(0, pinned)) {
    const limit = isNumberColumn(column) ? maxPinnedNumberWidth : maxPinnedTextWidth;
    all.set(column.name, Math.min(all.get(column.name) ?? limit, limit));
  }
  const [first] = columns;
  if (first === undefined || first.is_primary_key) return all;
  const keys = rows.slice(0, 100).map((row) => textWidth(keyText(table.primary_key, row)));
  const keyWidth = Math.ceil(Math.max(0, ...keys) * keyScale) + phoneCellPadding;
  const width = Math.max(all.get(first.name) ?? 0, Math.min(keyWidth, maxPinnedTextWidth));
  return all.set(first.name, width);
}
