import type { NumberToken } from './number-token.ts';

/**
 * A value of a row, as the client returns it: a number whose digits JavaScript would not reproduce is a
 * NumberToken, one that a double cannot hold a string, and a binary value `{ $base64: '…' }`.
 */
export type Cell =
  | null
  | boolean
  | number
  | string
  | NumberToken
  | readonly Cell[]
  | { readonly [name: string]: Cell };

/** A value to write. A bigint is sent with all of its digits. */
export type CellInput =
  | null
  | boolean
  | number
  | bigint
  | string
  | NumberToken
  | readonly CellInput[]
  | { readonly [name: string]: CellInput };
