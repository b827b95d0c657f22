/** How a database's own client writes and reads cells. */
import type * as fc from 'fast-check';
import type { LossKind } from '../../../src/formats/data-formats.ts';

export interface CellType {
  /** The SQL name of the type. */
  readonly type: string;
  /** SQL literals; the database may reject some. */
  readonly values: fc.Arbitrary<string>;
}

export interface NativeCells {
  /** Run once in each database, before its tables are made. */
  readonly setUp: string;
  readonly types: readonly CellType[];
  /** An expression that shows a column's value exactly. */
  show(name: string, type: string): string;
  /** CREATE TABLE with these columns after an auto-incrementing `id`. */
  create(table: string, columns: readonly string[]): string;
  /** Writes a literal to a cell, or NULL where the database rejects it; SQLite fails instead. */
  set(cell: Cell): string;
  /** Whether the losses that a format lists explain the change. Both values are as `show` returns them. */
  isLost(losses: Losses, change: CellChange): boolean;
}

export interface Cell {
  readonly table: string;
  readonly id: number;
  readonly name: string;
  readonly literal: string;
}

export type Losses = ReadonlySet<LossKind>;

/** The JSON document after the losses. */
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
