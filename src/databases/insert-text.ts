import type { Dialect } from '../model/database.ts';
import type { Column, Table } from '../model/schema.ts';

/** An INSERT with a parameter for each value of each row. */
export interface InsertShape {
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly rows: number;
  /** SQL before VALUES and after its rows. */
  readonly beforeValues: string;
  readonly afterValues: string;
}

const maxCachedTexts = 20;
const texts = new WeakMap<readonly Column[], Map<string, string>>();

/** The text is long and the same for each batch, so it is cached as long as the array of columns lives. */
export function insertText(dialect: Dialect, shape: InsertShape): string {
  const cached = texts.get(shape.columns) ?? new Map<string, string>();
  texts.set(shape.columns, cached);
  const key = JSON.stringify([
    dialect.name,
    shape.table.name,
    shape.rows,
    shape.beforeValues,
    shape.afterValues,
  ]);
  const text = cached.get(key) ?? composeInsert(dialect, shape);
  if (cached.size > maxCachedTexts) cached.clear();
  cached.set(key, text);
  return text;
}

function composeInsert(
  dialect: Dialect,
  { table, columns, rows, beforeValues: before, afterValues: after }: InsertShape,
): string {
  const names = columns.map((column) => dialect.quoteName(column.name)).join(', ');
  const lists = Array.from({ length: rows }, (_, row) => {
    const values = columns.map((column, i) =>
      dialect.placeholder(row * columns.length + i + 1, column.type),
    );
    return `(${values.join(', ')})`;
  });
  return `INSERT INTO ${dialect.tableName(table)} (${names})${before} VALUES ${lists.join(', ')}${after}`;
}
