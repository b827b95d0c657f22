/** Finds existing columns that differ from their models, and that AutoMigrate would alter. */
import { isSameDefault } from './same-default.ts';
import { defaultText, nativeType } from './table-ddl.ts';
import type { GormDialect } from '../gorm-dialect.ts';
import type { Column, ColumnKind, ColumnType, Table } from '../../model/schema.ts';
import type { GormField } from '../models/gorm-model.ts';
import type { TablePlan } from './table-ddl.ts';

/** Parses a native type, given the catalog information of the database. */
export type ReadType = (text: string) => ColumnType;

/**
 * A sentence for each difference that AutoMigrate would change: another type, NOT NULL, another
 * default or another comment.
 */
export function columnDifferences(
  plan: TablePlan,
  table: Table,
  { dialect, readType }: { readonly dialect: GormDialect; readonly readType: ReadType },
): readonly string[] {
  return plan.columns.flatMap((field) => {
    const column = table.columns.find(({ name }) => name === field.column);
    if (column === undefined || field.primaryKey || field.autoIncrement) return [];
    const modelType = nativeType(field, dialect).replace(/ NULL$/, '');
    return [
      ...(differs(column, readType(modelType)) || hasOtherCapacity(column.nativeType, modelType)
        ? [`is ${column.nativeType}, but ${modelType} in its model`]
        : []),
      ...nullableDifference(column, field),
      ...defaultDifference(column, field, dialect),
      ...commentDifference(column, field, dialect),
    ].map(
      (difference) =>
        `Column "${column.name}" of table "${table.name}" ${difference}; it was not changed.`,
    );
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

const sizedByName = /^(?:tiny|medium|long)?(?:text|blob)$/i;

/** Whether both are types of MySQL whose names say how much they hold, such as `text` and `longtext`. */
function hasOtherCapacity(storedType: string, modelType: string): boolean {
  return (
    sizedByName.test(storedType) &&
    sizedByName.test(modelType) &&
    storedType.toLowerCase() !== modelType.toLowerCase()
  );
}

/** AutoMigrate adds NOT NULL only to columns that it alters for another reason. */
function nullableDifference(
  { nullable, generated }: Column,
  { notNull }: GormField,
): readonly string[] {
  if (generated !== undefined || nullable === !notNull) return [];
  return [
    nullable ? 'is nullable, but NOT NULL in its model' : 'is NOT NULL, but nullable in its model',
  ];
}

function defaultDifference(
  { default: stored, generated, autoIncrement = false }: Column,
  field: GormField,
  dialect: GormDialect,
): readonly string[] {
  const ofModel = defaultText(field, dialect);
  const isOnlyInDatabase = field.hasDefault && ofModel === undefined;
  if (generated !== undefined || autoIncrement || isOnlyInDatabase) return [];
  const [reported, expected] = [stored, ofModel].map((text) =>
    text?.trim().toLowerCase() === 'null' ? undefined : text,
  );
  if (reported === undefined && expected === undefined) return [];
  if (reported !== undefined && expected !== undefined && isSameDefault(reported, expected))
    return [];
  const has = reported === undefined ? 'has no default' : `has the default ${reported}`;
  return [`${has}, but ${expected ?? 'none'} in its model`];
}

function commentDifference(
  { comment = '' }: Column,
  field: GormField,
  { changedComments }: GormDialect,
): readonly string[] {
  const expected = field.comment;
  const isChanged = expected === '' ? changedComments === 'all' : changedComments !== 'none';
  if (expected === comment || !isChanged) return [];
  const has = comment === '' ? 'has no comment' : `has the comment "${comment}"`;
  return [`${has}, but ${expected === '' ? 'none' : `"${expected}"`} in its model`];
}
