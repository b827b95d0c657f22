import { csvChunkColumns } from '../../csv-chunks.ts';
import { ewktOf } from './ewkt.ts';
import { isSpatial } from './types.ts';
import type { CsvDialect } from '../../../model/database.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';

/**
 * The text protocol's values are the file's cells already, or nearly (`csv-lines.ts`). Where they
 * would not be exact, an expression says them otherwise.
 */
export const mysqlCsv: CsvDialect = {
  cell: (name, column) => cells[column.type.kind]?.(name, column),
  lines: ({ text, params }, csv) => ({ text, params, columns: csvChunkColumns, csv }),
};

type Spell = (name: string, column: Column) => string | undefined;

const asItIs: Spell = (name) => name;

const cells: Partial<Record<ColumnKind, Spell>> = {
  integer: asItIs,
  decimal: asItIs,
  text: asItIs,
  enum: asItIs,
  set: asItIs,
  uuid: asItIs,
  json: asItIs,
  binary: asItIs,
  date: asItIs,
  time: asItIs,
  timestamp: asItIs,
  // A bit is a byte otherwise.
  boolean: (name) => `${name} + 0`,
  bits: (name, { type }) =>
    type.kind === 'bits' ? `LPAD(BIN(${name}), ${type.length ?? 1}, '0')` : undefined,
  // A float has six digits otherwise, and one with decimals no more than those. Addition would lose the sign of zero.
  float: (name) => `${name} * 1e0`,
  other: (name, { type }) => (isSpatial(type) ? ewktOf(name) : undefined),
};
