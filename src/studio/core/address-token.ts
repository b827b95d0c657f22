import { hash } from 'node:crypto';
import { identityOf } from '../../model/row-id.ts';
import type { Table } from '../../model/schema.ts';

/** Names of tables, each with its `addressToken`. */
export type AddressTokens = readonly (readonly [table: string, token: string])[];

/** Added to the input of a write that addresses rows. */
export interface ExpectedAddress {
  /** The token that the table had when it was last shown to a client. */
  readonly expectedAddress?: string;
}

const tokens = new WeakMap<Table, string>();

/**
 * Identifies the key of a table, by which ids address rows, and its soft-delete column:
 * `<digest of key>.<digest of soft-delete column>`. The second part is empty without such a column.
 * Every process computes the same token.
 */
export function addressToken(table: Table): string {
  const cached = tokens.get(table);
  if (cached !== undefined) return cached;
  const { softDelete } = table;
  const deletion = softDelete === undefined ? '' : digest([softDelete.column, softDelete.mode]);
  const token = `${digest(keyOf(table))}.${deletion}`;
  tokens.set(table, token);
  return token;
}

function keyOf(table: Table): unknown {
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
 * Whether a write for the token `shown` may run on a table whose token is `current`. With another
 * key, an id could mean another row. Without the soft-delete column, a deletion would be permanent.
 * A soft-delete column that was added since is safe: it makes deletions reversible.
 */
export function isStillValid(shownToken: string, currentToken: string): boolean {
  const [key, deletion] = shownToken.split('.');
  return shownToken === currentToken || (deletion === '' && currentToken.startsWith(`${key}.`));
}

/** For `ReplyMeta.shown`. Views have no tokens: their rows cannot be written. */
export function addressTokens(tables: readonly Table[]): AddressTokens {
  return tables
    .filter(({ kind }) => kind === 'table')
    .map((table) => [table.name, addressToken(table)]);
}
