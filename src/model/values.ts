/**
 * A value between a database and the studio. Decimals, dates, times, JSON and uuids travel as
 * their exact text; integers beyond 2^53 as bigint; binary as bytes.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array;

/** A row's values in the order of the columns that came with it. */
export type Row = readonly Value[];

/** The bytes of a text that is not valid in its encoding. In JSON they look like binary with the same bytes. */
export class InvalidText extends Uint8Array {}
