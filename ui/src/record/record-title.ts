import { cellText, truncatedValueOf } from '../cells/value-kind.ts';
import type { Column, Row, Table } from '../api/queries.ts';

const titleNames = ['name', 'title', 'label', 'email', 'code'];

/** Returns the title column of a table, as the labels of the API have it: a unique text column, else one with a typical name, else the first text column. */
export function titleColumn(table: Table): string | undefined {
  return (identifyingColumn(table) ?? textsOf(table)[0])?.name;
}

/** Undefined if many records may have the same title, such as the status of an order. */
export function identifyingColumn(table: Table): Column | undefined {
  const texts = textsOf(table);
  const columnNamedAsTitle = titleNames
    .map((name) => texts.find((column) => column.name.toLowerCase() === name))
    .find((column) => column !== undefined);
  return texts.find((column) => column.is_unique) ?? columnNamedAsTitle;
}

function textsOf({ columns }: Table): readonly Column[] {
  return columns.filter(({ kind }) => kind === 'text');
}

/** Returns the title of a record, if it has one that says which record it is. */
export function recordTitle(table: Table, row: Row): string | undefined {
  const value = row[identifyingColumn(table)?.name ?? ''];
  if (value === undefined || value === null) return undefined;
  return truncatedValueOf(value)?.head ?? cellText(value);
}
