import { csvChunkColumns } from '../../csv-chunks.ts';
import { ewktOf } from './ewkt.ts';
import { isSpatial } from './types.ts';
import type { CsvDialect } from '../../../model/database.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';

/**
 * Values of the text protocol can be written to the file almost unchanged (`csv-lines.ts`). Where the
 * text would not be exact, an expression converts the value.
 */
export const mysqlCsv: CsvDialect = {
  cell: (name, column) => cells[column.type.kind]?.(name, column),
  lines: ({ text, params }, csv) => ({ text, params, columns: csvChunkColumns, csv }),
};

type CellExpression = (name: string, column: Column) => string | undefined;

const unchanged: CellExpression = (name) => name;

const cells: Partial<Record<ColumnKind, CellExpression>> = {
  integer: unchanged,
  decimal: unchanged,
  text: unchanged,
  enum: unchanged,
  set: unchanged,
  uuid: unchanged,
  json: unchanged,
  binary: unchanged,
  date: unchanged,
  time: unchanged,
  timestamp: unchanged,
  // A bit(1) would be sent as a byte.
  boolean: (name) => `${name} + 0`,
  bits: (name, { type }) =>
    type.kind === 'bits' ? `LPAD(BIN(${name}), ${type.length ?? 1}, '0')` : undefined,
  // A FLOAT would be sent with six digits, and FLOAT(m,d) with d decimals. Addition would lose the sign of zero.
  float: (name) => `${name} * 1e0`,
  other: (name, { type }) => (isSpatial(type) ? ewktOf(name) : undefined),
};
