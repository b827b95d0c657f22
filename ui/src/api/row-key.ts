import { encodeSegment } from '../../../src/model/row-id.ts';
import { base64Of, cellText } from '../cells/value-kind.ts';
import type { Cell } from '../../../src/contract/client.ts';
import type { Row, Table } from './answers.ts';

/** By what a table's rows are addressed; undefined when they cannot be. */
export function keyColumns(table: Table): readonly string[] | undefined {
  if (table.primary_key.length > 0) return table.primary_key;
  const unique = table.indexes.find(
    (index) =>
      index.is_unique &&
      index.where === '' &&
      index.parts.every(({ column }) => isRequired(table, column)),
  );
  return unique?.columns;
}

function isRequired(table: Table, name: string | undefined): boolean {
  return table.columns.some((column) => column.name === name && !column.is_nullable);
}

/** The row's id, ready for a path; undefined when it has none. */
export function rowId(table: Table, row: Row): string | undefined {
  const number = table.rowid_member === undefined ? undefined : row[table.rowid_member];
  if (number !== undefined) return encodeSegment(keyText(number));
  const columns = keyColumns(table);
  if (columns === undefined) return undefined;
  const values = columns.map((name) => row[name] ?? null);
  // The id of a NULL would be that of the empty text.
  return values.includes(null) ? undefined : idOf(values);
}

/** The id that key values make. */
function idOf(values: readonly Cell[]): string {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return encodeSegment(keyText(only));
  return values.map((value) => encodeURIComponent(keyText(value).toWellFormed())).join(',');
}

/** Binary is base64url. */
function keyText(value: Cell): string {
  const base64 = base64Of(value);
  if (base64 === undefined) return cellText(value);
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
