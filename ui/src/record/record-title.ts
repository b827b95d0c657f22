import { cellText, cutOf } from '../cells/value-kind.ts';
import type { Row, Table } from '../api/queries.ts';

const telling = ['name', 'title', 'label', 'email', 'code'];

/** The column that tells what a record is called: the first telling one, else a unique text, else the first text. */
export function titleColumn(table: Table): string | undefined {
  const texts = table.columns.filter(({ kind }) => kind === 'text');
  const unique = texts.find((column) => column.is_unique);
  const named = telling
    .map((name) => table.columns.find((column) => column.name === name))
    .find((column) => column !== undefined);
  return (named ?? unique ?? texts[0])?.name;
}

/** What a record is called, if anything tells. */
export function recordTitle(table: Table, row: Row): string | undefined {
  const value = row[titleColumn(table) ?? ''];
  if (value === undefined || value === null) return undefined;
  return cutOf(value)?.head ?? cellText(value);
}
