import { optional } from './read-column.ts';
import type { Column, Index, IndexPart, PrimaryKey } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';

/** Returns a column of the table by its column_id. */
export type ColumnOf = (number: Row[number] | undefined) => Column | undefined;

/** From rows of `indexesQuery`, all of one table. */
export function readPrimaryKey(
  rows: readonly Row[],
  columnOf: ColumnOf,
): { readonly primaryKey?: PrimaryKey } {
  const key = rows.filter(
    ([, , , , isPrimary, , , , ordinal]) => isPrimary === true && Number(ordinal) > 0,
  );
  const columns = key.flatMap((row) => columnOf(row[9])?.name ?? []);
  return columns.length === 0 ? {} : { primaryKey: { ...optional('name', key[0]?.[2]), columns } };
}

/** Reads the rows of `indexesQuery` for one table, except the index of the primary key. */
export function readIndexes(rows: readonly Row[], columnOf: ColumnOf): readonly Index[] {
  const byIndex = Map.groupBy(
    rows.filter((row) => row[4] !== true),
    (row) => row[1],
  );
  return [...byIndex.values()].map((parts) => readIndex(parts, columnOf));
}

function readIndex(rows: readonly Row[], columnOf: ColumnOf): Index {
  const [, , name, unique, , constraint, method, where] = rows[0] ?? [];
  const isIncluded = (row: Row): boolean => row[11] === true;
  const keys = rows.filter((row) => !isIncluded(row));
  const included = rows.filter(isIncluded).flatMap((row) => columnOf(row[9])?.name ?? []);
  const columns = keys.flatMap((row) => columnOf(row[9]) ?? []);
  return {
    name: String(name),
    unique: unique === true,
    parts: keys.flatMap((row) => readPart(row, columnOf)),
    ...optional('where', where),
    ...(isDefault(String(method)) ? {} : { method: String(method).toLowerCase() }),
    ...(included.length === 0 ? {} : { included }),
    ...(constraint === true ? { constraint: true } : {}),
    ...(unique === true && rows[0]?.[12] === true ? { unenforced: true } : {}),
    // NULLs are equal in a unique index.
    ...(unique === true && where === null && columns.some((column) => column.nullable)
      ? { nullsNotDistinct: true }
      : {}),
  };
}

function isDefault(method: string): boolean {
  return method === 'CLUSTERED' || method === 'NONCLUSTERED';
}

function readPart(row: Row, columnOf: ColumnOf): readonly IndexPart[] {
  const column = columnOf(row[9])?.name;
  if (column === undefined) return [];
  return [{ column, ...(row[10] === true ? { descending: true } : {}) }];
}
