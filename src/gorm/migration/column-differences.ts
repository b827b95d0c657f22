/** Finds existing columns that differ from their models, and that AutoMigrate would alter. */
import { nativeType } from './table-ddl.ts';
import type { GormDialect } from '../gorm-dialect.ts';
import type { Column, ColumnKind, ColumnType, Table } from '../../model/schema.ts';
import type { GormField } from '../models/gorm-model.ts';
import type { TablePlan } from './table-ddl.ts';

/** Parses a native type, given the catalog information of the database. */
export type ReadType = (text: string) => ColumnType;

/** A sentence for each column whose type differs, or that is stricter than its model. */
export function columnDifferences(
  plan: TablePlan,
  table: Table,
  { dialect, readType }: { readonly dialect: GormDialect; readonly readType: ReadType },
): readonly string[] {
  return plan.columns.flatMap((field) => {
    const column = table.columns.find(({ name }) => name === field.column);
    if (column === undefined || field.primaryKey || field.autoIncrement) return [];
    const modelType = nativeType(field, dialect).replace(/ NULL$/, '');
    const where = `Column "${column.name}" of table "${table.name}"`;
    return [
      ...(differs(column, readType(modelType))
        ? [`${where} is ${column.nativeType}, but ${modelType} in its model; it was not changed.`]
        : []),
      ...(isStricter(column, field)
        ? [`${where} is NOT NULL, but nullable in its model; it was not changed.`]
        : []),
    ];
  });
}

/** Kinds that fully describe a type. Neutral types of other kinds may differ although they mean the same. */
const plainKinds: ReadonlySet<ColumnKind> = new Set([
  'boolean',
  'integer',
  'decimal',
  'float',
  'text',
  'date',
  'time',
  'timestamp',
  'binary',
  'uuid',
  'json',
]);

function differs({ type }: Column, modelType: ColumnType): boolean {
  if (!plainKinds.has(type.kind) || !plainKinds.has(modelType.kind)) return false;
  return type.kind !== modelType.kind || sizesOf(type) !== sizesOf(modelType);
}

function sizesOf(type: ColumnType): string {
  const sizes = ['bits', 'length', 'precision', 'scale'] as const;
  const members = type as Readonly<Partial<Record<(typeof sizes)[number], number>>>;
  return sizes.map((size) => members[size] ?? '').join();
}

function isStricter(column: Column, field: GormField): boolean {
  return !column.nullable && !field.notNull && column.generated === undefined;
}
