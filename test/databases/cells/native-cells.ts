/** What a database's own client puts into cells and reads from them. */
import type * as fc from 'fast-check';
import type { LossKind } from '../../../src/formats/data-formats.ts';

export interface CellType {
  /** As the database spells it. */
  readonly type: string;
  /** Literals of its language; it may refuse some. */
  readonly values: fc.Arbitrary<string>;
}

export interface NativeCells {
  /** Run once in each database, before its tables are made. */
  readonly prelude: string;
  readonly types: readonly CellType[];
  /** Names a column's value to the last bit; `type` is as in `types`. */
  show(name: string, type: string): string;
  /** A table of these columns, after an `id` that numbers itself. */
  create(table: string, columns: readonly string[]): string;
  /** Puts a literal into a cell, or NULL where the database refuses it; on SQLite that is an error. */
  set(cell: Cell): string;
  /** Whether losses that a format lists make this of that, both as `show` has them. */
  isLost(losses: Losses, change: CellChange): boolean;
}

export interface Cell {
  readonly table: string;
  readonly id: number;
  readonly name: string;
  readonly literal: string;
}

export type Losses = ReadonlySet<LossKind>;

/** What is left of a JSON document. */
export function documentAfter(losses: Losses, json: string): string {
  const inside = losses.has('json_lines') ? json.replaceAll(/[\r\n]/g, ' ') : json;
  return losses.has('json_blanks') ? inside.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '') : inside;
}

export interface CellChange {
  /** As in `types`. */
  readonly type: string;
  readonly before: string;
  readonly after: string | null;
}
