import { optional } from './read-column.ts';
import type { Column, Index, IndexPart, PrimaryKey } from '../../../model/schema.ts';
import type { IndexRow } from './catalog.ts';

/** Returns a column of the table by its column_id. */
export type ColumnOf = (number: number) => Column | undefined;

/** Takes the rows of one table. */
export function readPrimaryKey(
  rows: readonly IndexRow[],
  columnOf: ColumnOf,
): { readonly primaryKey?: PrimaryKey } {
  const key = rows.filter(({ isPrimary, keyOrdinal }) => isPrimary && keyOrdinal > 0);
  const columns = key.flatMap(({ columnNumber }) => columnOf(columnNumber)?.name ?? []);
  return columns.length === 0 ? {} : { primaryKey: { ...optional('name', key[0]?.name), columns } };
}

/** Takes the rows of one table. The index of the primary key is omitted. */
export function readIndexes(rows: readonly IndexRow[], columnOf: ColumnOf): readonly Index[] {
  const byIndex = Map.groupBy(
    rows.filter(({ isPrimary }) => !isPrimary),
    ({ number }) => number,
  );
  return [...byIndex.values()].flatMap((ofIndex) => readIndex(ofIndex, columnOf));
}

function readIndex(rows: readonly IndexRow[], columnOf: ColumnOf): readonly Index[] {
  const [first] = rows;
  if (first === undefined) return [];
  const { name, isUnique, isConstraint, isDisabled, method, where } = first;
  const keys = rows.filter(({ isIncluded }) => !isIncluded);
  const included = rows
    .filter(({ isIncluded }) => isIncluded)
    .flatMap(({ columnNumber }) => columnOf(columnNumber)?.name ?? []);
  const columns = keys.flatMap(({ columnNumber }) => columnOf(columnNumber) ?? []);
  return [
    {
      name,
      unique: isUnique,
      parts: keys.flatMap((row) => readPart(row, columnOf)),
      ...optional('where', where),
      ...(isDefault(method) ? {} : { method: method.toLowerCase() }),
      ...(included.length === 0 ? {} : { included }),
      ...(isConstraint ? { constraint: true } : {}),
      ...(isUnique && isDisabled ? { unenforced: true } : {}),
      // NULLs are equal in a unique index.
      ...(isUnique && where === undefined && columns.some((column) => column.nullable)
        ? { nullsNotDistinct: true }
        : {}),
    },
  ];
}

function isDefault(method: string): boolean {
  return method === 'CLUSTERED' || method === 'NONCLUSTERED';
}

function readPart(
  { columnNumber, isDescending }: IndexRow,
  columnOf: ColumnOf,
): readonly IndexPart[] {
  const column = columnOf(columnNumber)?.name;
  if (column === undefined) return [];
  return [{ column, ...(isDescending ? { descending: true } : {}) }];
}
