import { encodeSegment, rowNumberId } from '../../../src/model/row-id.ts';
import { base64Of, cellText } from '../cells/value-kind.ts';
import type { Cell } from '../../../src/contract/client/client.ts';
import type { Row, Table } from './responses.ts';

/** The row's id, encoded for a path. Undefined if the row has none. */
export function rowId(table: Table, row: Row): string | undefined {
  const number = table.rowid_member === undefined ? undefined : row[table.rowid_member];
  if (table.row_key.length === 0)
    return number === undefined ? undefined : encodeSegment(keyText(number));
  // Only rows with NULL in their key contain the row number.
  if (number !== undefined) return rowNumberId(keyText(number));
  const values = table.row_key.map((name) => row[name] ?? null);
  // The id of a NULL would equal that of the empty text.
  return values.includes(null) ? undefined : idOf(values);
}

/** Builds an id from key values. */
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
