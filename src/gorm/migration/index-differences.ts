/** Finds indexes and unique constraints of existing tables that differ from their models. */
import type { GormDialect, GormIndex } from '../gorm-dialect.ts';
import type { Index, Table } from '../../model/schema.ts';
import type { TablePlan } from './table-ddl.ts';

/**
 * A sentence for each column that would not be unique anymore, whose constraint AutoMigrate drops, and for
 * each index with other columns under the same name, which AutoMigrate leaves as it is.
 */
export function indexDifferences(
  plan: TablePlan,
  table: Table,
  dialect: GormDialect,
): readonly string[] {
  return [
    ...plan.columns.flatMap(({ column, primaryKey }) => {
      const unique = primaryKey ? undefined : uniqueIndexOf(table, column, dialect);
      if (unique === undefined || isUniqueInModel(plan, column, dialect)) return [];
      return [
        `Column "${column}" of table "${table.name}" is unique by "${unique.name}", but not unique in its model; it was not changed.`,
      ];
    }),
    ...plan.indexes.flatMap((index) => {
      const storedIndex = table.indexes.find(({ name }) => name === index.name);
      const difference = storedIndex === undefined ? undefined : differenceOf(storedIndex, index);
      if (difference === undefined) return [];
      return [
        `Index "${index.name}" of table "${table.name}" ${difference} in its model; it was not changed.`,
      ];
    }),
  ];
}

/** The constraint that makes a column alone unique. On some databases, that is any unique index. */
export function uniqueIndexOf(
  table: Table,
  column: string,
  { uniqueIndexIsConstraint }: GormDialect,
): Index | undefined {
  return table.indexes.find(
    ({ unique, constraint = false, parts, where }) =>
      unique &&
      (constraint || uniqueIndexIsConstraint) &&
      where === undefined &&
      parts.length === 1 &&
      parts[0]?.column === column,
  );
}

function isUniqueInModel(
  { uniques, indexes }: TablePlan,
  column: string,
  { uniqueIndexIsConstraint }: GormDialect,
): boolean {
  const isOwnIndex = (index: GormIndex): boolean =>
    isUnique(index) && index.parts.length === 1 && index.parts[0]?.column === column;
  return (
    uniques.some((unique) => unique.column === column) ||
    (uniqueIndexIsConstraint && indexes.some(isOwnIndex))
  );
}

function isUnique({ class: kind }: GormIndex): boolean {
  return kind.toUpperCase() === 'UNIQUE';
}

/** Compares the columns and the uniqueness of indexes without expressions. */
function differenceOf(storedIndex: Index, index: GormIndex): string | undefined {
  const storedColumns = storedIndex.parts.map(({ column }) => column);
  const columns = index.parts.map(({ column, expression }) =>
    expression === '' ? column : undefined,
  );
  if ([...storedColumns, ...columns].includes(undefined)) return undefined;
  if (storedColumns.join() !== columns.join())
    return `has the columns ${storedColumns.join(', ')}, but ${columns.join(', ')}`;
  if (storedIndex.unique === isUnique(index)) return undefined;
  return storedIndex.unique ? 'is unique, but not unique' : 'is not unique, but unique';
}
