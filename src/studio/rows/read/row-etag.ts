import { hash } from 'node:crypto';
import { InvalidText } from '../../../model/values.ts';
import { addressToken } from '../../core/address-token.ts';
import type { Table } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';

/** All values of a row, the table's columns first, and its JSON text. */
export interface EncodedRow {
  readonly row: Row;
  readonly json: string;
}

/**
 * A strong entity tag of a row. It depends on the JSON text, on storage classes that the text does
 * not show, and on the table's key and soft-delete column. After a change of the key an old tag
 * matches no row, even if the id now means another row with the same values.
 */
export function rowEtag(table: Table, { row, json }: EncodedRow): string {
  const text = `${json} ${addressToken(table)}${storageClasses(table, row)}`;
  return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
}

/** Storage classes that JSON does not show: those of text that is not UTF-8, and of infinite numbers. */
function storageClasses({ columns }: Table, row: Row): string {
  let classes = '';
  for (let i = 0; i < columns.length; i++) {
    const value = row[i];
    if (value instanceof InvalidText) classes += ` ${i} text`;
    else if (typeof value === 'number' && !Number.isFinite(value)) classes += ` ${i} number`;
  }
  return classes;
}
