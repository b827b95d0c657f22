import { cellText, cutOf, isDateOrTimeColumn, isNumberColumn } from '../cells/value-kind.ts';
import type { Column, Row } from '../api/queries.ts';

const digitWidth = 7.9;
const letterWidth = 7.2;
const paddingWidth = 20;
const minWidth = 76;
const maxWidth = 320;

/** Returns a width in pixels that fits the header and the first rows, within limits. Numbers are never cut. */
export function columnWidth(column: Column, rows: readonly Row[]): number {
  const head = Math.max(column.name.length * 7 + 34, column.type.length * 6.2 + 24);
  const longest = Math.max(0, ...rows.slice(0, 100).map((row) => shownLength(row, column)));
  const unit = isNumberColumn(column) || isDateOrTimeColumn(column) ? digitWidth : letterWidth;
  const content = longest * unit + paddingWidth + (column.is_foreign_key ? 90 : 0);
  if (isNumberColumn(column) && !column.is_foreign_key)
    return Math.ceil(Math.max(minWidth, head, content));
  return Math.ceil(Math.min(maxWidth, Math.max(minWidth, Math.min(head, maxWidth), content)));
}

function shownLength(row: Row, column: Column): number {
  const value = row[column.name];
  if (value === undefined || value === null) return 4;
  if (cutOf(value) !== undefined) return 40;
  return column.kind === 'binary' || column.kind === 'json' ? 10 : cellText(value).length;
}
