/** Finds indexes and unique constraints of existing tables that differ from their models. */
import type { GormDialect, GormIndex } from '../gorm-dialect.ts';
import type { Index, Table } from '../../model/schema.ts';
import type { NamedUnique } from '../models/indexes.ts';
import type { TablePlan } from './table-ddl.ts';

/**
 * A sentence for each column whose unique constraint AutoMigrate drops or replaces, and for each index
 * with other columns under the same name, which AutoMigrate leaves as it is.
 */
export function indexDifferences(
  plan: TablePlan,
  table: Table,
  dialect: GormDialect,
): readonly string[] {
  return [
    ...plan.columns.flatMap(({ column, primaryKey }) => {
      const difference = primaryKey
        ? undefined
        : uniqueDifference(plan, { table, column }, dialect);
      if (difference === undefined) return [];
      return [`Column "${column}" of table "${table.name}" ${difference}; it was not changed.`];
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

interface ColumnOfTable {
  readonly table: Table;
  readonly column: string;
}

/** Where a unique index counts as a constraint, AutoMigrate drops those that the model does not have. */
function uniqueDifference(
  plan: TablePlan,
  columnOfTable: ColumnOfTable,
  dialect: GormDialect,
): string | undefined {
  const inModel = uniqueNames(plan, columnOfTable.column, dialect);
  const stored = uniqueIndexesOf(columnOfTable, dialect).map(({ name }) => name);
  if (inModel.length === 0)
    return stored.length === 0
      ? undefined
      : `is unique by ${listOf(stored)}, but not unique in its model`;
  const other = stored.filter((name) => !inModel.includes(name));
  if (other.length === 0 || !dialect.uniqueIndexIsConstraint) return undefined;
  return `is unique by ${listOf(other)}, but by ${listOf(inModel)} in its model`;
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ');
}

interface UniqueOfTable {
  readonly plan: TablePlan;
  readonly table: Table;
  readonly unique: NamedUnique;
}

/** Whether the model's unique constraint is missing. One of another name is reported instead. */
export function lacksUnique(
  { plan, table, unique: { column, name } }: UniqueOfTable,
  dialect: GormDialect,
): boolean {
  const stored = uniqueIndexesOf({ table, column }, dialect).map((index) => index.name);
  if (!dialect.uniqueIndexIsConstraint) return stored.length === 0;
  const inModel = uniqueNames(plan, column, dialect);
  return !stored.includes(name) && stored.every((each) => inModel.includes(each));
}

/** The constraints that make a column alone unique. On some databases, unique indexes are such constraints. */
function uniqueIndexesOf(
  { table, column }: ColumnOfTable,
  { uniqueIndexIsConstraint }: GormDialect,
): readonly Index[] {
  return table.indexes.filter(
    ({ unique, constraint = false, parts, where }) =>
      unique &&
      (constraint || uniqueIndexIsConstraint) &&
      where === undefined &&
      parts.length === 1 &&
      parts[0]?.column === column,
  );
}

/** The names of the constraints that make a column alone unique in its model. */
function uniqueNames(
  { uniques, indexes }: TablePlan,
  column: string,
  { uniqueIndexIsConstraint }: GormDialect,
): readonly string[] {
  const isOwnIndex = (index: GormIndex): boolean =>
    isUnique(index) && index.parts.length === 1 && index.parts[0]?.column === column;
  return [
    ...uniques.filter((unique) => unique.column === column),
    ...(uniqueIndexIsConstraint ? indexes.filter(isOwnIndex) : []),
  ].map(({ name }) => name);
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
