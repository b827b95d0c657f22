import { cellText } from '../cells/value-kind.ts';
import type { Row, Table } from '../api/queries.ts';

const telling = ['name', 'title', 'label', 'email', 'code'];

/** What a record is called: by its first telling column, else its first text, else nothing. */
export function recordTitle(table: Table, row: Row): string | undefined {
  const texts = table.columns.filter(({ kind }) => kind === 'text');
  const unique = texts.find((column) => column.is_unique);
  const named = telling
    .map((name) => table.columns.find((column) => column.name === name))
    .find((column) => column !== undefined);
  const column = named ?? unique ?? texts[0];
  const value = column === undefined ? undefined : row[column.name];
  return value === undefined || value === null ? undefined : cellText(value);
}
