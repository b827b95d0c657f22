/** Short helpers for the neutral tables of the kit. */
import { columnOf, tableOf } from '../../sql/neutral-schema.ts';
import type { Column, ColumnType, ForeignKey, Table } from '../../../src/model/schema.ts';
import type { DatabaseUnderTest } from './database-under-test.ts';

export { columnOf, tableOf };

export const bigint: ColumnType = { kind: 'integer', bits: 64 };
export const int: ColumnType = { kind: 'integer', bits: 32 };
/** Short enough for a key on every database. */
export const name: ColumnType = { kind: 'text', length: 100 };

export function optional(column: string, type: ColumnType): Column {
  return columnOf(column, type, { nullable: true });
}

/** A table with an auto-incrementing `id` before the given columns. */
export function tableWithId(
  table: string,
  columns: readonly Column[],
  extras: Partial<Table> = {},
): Table {
  return tableOf(table, [columnOf('id', bigint, { autoIncrement: true }), ...columns], {
    primaryKey: { columns: ['id'] },
    ...extras,
  });
}

export function foreignKeyTo(
  table: string,
  columns: readonly string[],
  extras: Partial<ForeignKey> = {},
): ForeignKey {
  return {
    columns,
    table,
    referencedColumns: ['id'],
    onUpdate: 'no action',
    onDelete: 'no action',
    ...extras,
  };
}

/**
 * A JSON value as a request body contains it. A database that stores JSON as text takes a string.
 */
export function jsonOf(value: string, { kinds }: DatabaseUnderTest): string {
  return kinds.json === 'text' ? JSON.stringify(value) : value;
}
