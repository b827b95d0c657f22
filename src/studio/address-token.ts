import { hash } from 'node:crypto';
import { identityOf } from '../model/row-id.ts';
import type { Table } from '../model/schema.ts';

/** Names of tables, each with its `addressToken`. */
export type AddressTokens = readonly (readonly [table: string, token: string])[];

/** What a write that addresses rows is sent beside its input. */
export interface ExpectedAddress {
  /** The token that the table had when it was last shown to a client. */
  readonly expectedAddress?: string;
}

const tokens = new WeakMap<Table, string>();

/**
 * Identifies what an id of this table means and what a deletion does: `<address>.<soft delete>`,
 * the second part empty where the table has no soft-delete column. The same in every process.
 */
export function addressToken(table: Table): string {
  const known = tokens.get(table);
  if (known !== undefined) return known;
  const { softDelete } = table;
  const mark = softDelete === undefined ? '' : digest([softDelete.column, softDelete.flavour]);
  const token = `${digest(addressOf(table))}.${mark}`;
  tokens.set(table, token);
  return token;
}

function addressOf(table: Table): unknown {
  const identity = identityOf(table);
  if (identity.kind === 'none') return 'none';
  const names = identity.kind === 'rowid' ? [] : identity.columns;
  const types = names.map((name) => table.columns.find((column) => column.name === name)?.type);
  return [identity.kind, names, types];
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 12);
}

/**
 * Whether a write that was meant by one token does the same by another. With another key an id means
 * another row; without the soft-delete column a row would be gone for good. A soft-delete column that
 * is new loses nothing.
 */
export function meansTheSame(before: string, now: string): boolean {
  const [address, mark] = before.split('.');
  return before === now || (mark === '' && now.startsWith(`${address}.`));
}

/** For `ReplyMeta.shown`. Rows of views have no address to be written by. */
export function addressTokens(tables: readonly Table[]): AddressTokens {
  return tables
    .filter(({ kind }) => kind === 'table')
    .map((table) => [table.name, addressToken(table)]);
}
