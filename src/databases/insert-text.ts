import type { Dialect } from '../model/database.ts';
import type { Column, Table } from '../model/schema.ts';

/** An INSERT of some rows, with parameters for all their values. */
export interface InsertShape {
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly rows: number;
  /** Stands before and behind VALUES and its rows. */
  readonly before: string;
  readonly behind: string;
}

const keptTexts = 20;
const texts = new WeakMap<readonly Column[], Map<string, string>>();

/** Long, and wanted again with each batch: kept for as long as the list of columns is. */
export function insertText(dialect: Dialect, shape: InsertShape): string {
  const kept = texts.get(shape.columns) ?? new Map<string, string>();
  texts.set(shape.columns, kept);
  const key = JSON.stringify([
    dialect.name,
    shape.table.name,
    shape.rows,
    shape.before,
    shape.behind,
  ]);
  const text = kept.get(key) ?? composeInsert(dialect, shape);
  if (kept.size > keptTexts) kept.clear();
  kept.set(key, text);
  return text;
}

function composeInsert(
  dialect: Dialect,
  { table, columns, rows, before, behind }: InsertShape,
): string {
  const names = columns.map((column) => dialect.quoteName(column.name)).join(', ');
  const lists = Array.from({ length: rows }, (_, row) => {
    const values = columns.map((column, i) =>
      dialect.placeholder(row * columns.length + i + 1, column.type),
    );
    return `(${values.join(', ')})`;
  });
  return `INSERT INTO ${dialect.tableName(table)} (${names})${before} VALUES ${lists.join(', ')}${behind}`;
}
