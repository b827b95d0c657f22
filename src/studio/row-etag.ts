import { hash } from 'node:crypto';
import { InvalidText } from '../model/values.ts';
import { addressToken } from './address-token.ts';
import type { Table } from '../model/schema.ts';
import type { Row } from '../model/values.ts';

/** A whole row, the table's columns first, and its JSON text. */
export interface WholeRow {
  readonly row: Row;
  readonly json: string;
}

/**
 * A strong entity tag of a row: of its JSON text, of what that text does not tell of the stored
 * values, and of the table's key and soft-delete column. A tag from before a change of the key
 * matches no row, also where the new key leads to one with the same values.
 */
export function rowEtag(table: Table, { row, json }: WholeRow): string {
  const text = `${json} ${addressToken(table)}${classMarks(table, row)}`;
  return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
}

/** Values whose stored class JSON does not show: a text of bytes, a number that has no digits. */
function classMarks({ columns }: Table, row: Row): string {
  let marks = '';
  for (let i = 0; i < columns.length; i++) {
    const value = row[i];
    if (value instanceof InvalidText) marks += ` ${i} text`;
    else if (typeof value === 'number' && !Number.isFinite(value)) marks += ` ${i} number`;
  }
  return marks;
}
