import { cellText, cutOf } from '../cells/value-kind.ts';
import type { Row, Table } from '../api/queries.ts';

const titleNames = ['name', 'title', 'label', 'email', 'code'];

/** Returns the title column of a table: a column with a typical name, else a unique text column, else the first text column. */
export function titleColumn(table: Table): string | undefined {
  const texts = table.columns.filter(({ kind }) => kind === 'text');
  const unique = texts.find((column) => column.is_unique);
  const named = titleNames
    .map((name) => table.columns.find((column) => column.name === name))
    .find((column) => column !== undefined);
  return (named ?? unique ?? texts[0])?.name;
}

/** Returns the title of a record, if it has one. */
export function recordTitle(table: Table, row: Row): string | undefined {
  const value = row[titleColumn(table) ?? ''];
  if (value === undefined || value === null) return undefined;
  return cutOf(value)?.head ?? cellText(value);
}
