import { useState } from 'react';
import { cellText, truncatedValueOf, isNumberColumn } from '../cells/value-kind.ts';
import type { Column, Row, Table } from '../api/queries.ts';

/** Digits and capital letters are wider than the average letter, and some characters are wider still. */
const digitWidth = 8.3;
const letterWidth = 7.2;
const wideWidth = 13;
const paddingWidth = 20;
const minWidth = 76;
const maxWidth = 320;

/** Returns a width in pixels that fits the header and the first rows, within limits. Numbers are never cut. */
export function columnWidth(column: Column, rows: readonly Row[]): number {
  const head = Math.max(column.name.length * 7 + 34, column.type.length * 6.2 + 24);
  const widest = Math.max(0, ...rows.slice(0, 100).map((row) => valueWidth(row, column)));
  const content = widest + paddingWidth + (column.is_foreign_key ? 90 : 0);
  if (isNumberColumn(column) && !column.is_foreign_key)
    return Math.ceil(Math.max(minWidth, head, content));
  return Math.ceil(Math.min(maxWidth, Math.max(minWidth, Math.min(head, maxWidth), content)));
}

function valueWidth(row: Row, column: Column): number {
  const value = row[column.name];
  if (value === undefined || value === null) return 4 * digitWidth;
  if (truncatedValueOf(value) !== undefined) return 40 * letterWidth;
  return column.kind === 'binary' ? 10 * letterWidth : textWidth(cellText(value));
}

function textWidth(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const wide = count(/[#%@MWm\u2E80-\uFFFF]/g);
  const digits = count(/[\dA-LN-VX-Z]/g);
  return wide * wideWidth + digits * digitWidth + (text.length - wide - digits) * letterWidth;
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
