/** Finds existing columns that differ from their models, and that AutoMigrate would alter. */
import { uniqueName } from '../go/program/names.ts';
import { findAlteration } from '../models/find-alteration.ts';
import { isSameDefault } from './same-default.ts';
import { defaultText, nativeType } from './table-ddl.ts';
import type { GoFieldDialect, ReportedTable } from '../go-field-dialect.ts';
import type { GormDialect, StoredColumn } from '../gorm-dialect.ts';
import type { Column, ColumnKind, ColumnType, Schema, Table } from '../../model/schema.ts';
import type { GormField } from '../models/gorm-model.ts';
import type { TablePlan } from './table-ddl.ts';

/** What is known about the database whose columns are compared. */
export interface ComparedDatabase {
  readonly dialect: GormDialect;
  /** Tells what GORM reads about existing columns. */
  readonly goFields: GoFieldDialect;
  /** The CREATE statements of existing tables by name, for databases where GORM reads them. */
  readonly storedStatements: ReadonlyMap<string, string>;
  /** Parses a native type. */
  readonly readType: (text: string) => ColumnType;
}

interface ComparedField extends StoredColumn {
  readonly field: GormField;
  readonly reportedTable: ReportedTable;
}

/**
 * A sentence for each difference that AutoMigrate would change: another type, NOT NULL, another
 * default or another comment.
 */
export function columnDifferences(
  plan: TablePlan,
  { table, schema }: { readonly table: Table; readonly schema: Schema },
  database: ComparedDatabase,
): readonly string[] {
  const reportedTable = readTable(plan, { table, schema }, database);
  return plan.columns.flatMap((field) => {
    const column = table.columns.find(({ name }) => name === field.column);
    if (column === undefined) return [];
    return differencesOf({ field, column, table, reportedTable }, database).map(
      (difference) =>
        `Column "${column.name}" of table "${table.name}" ${difference}; it was not changed.`,
    );
  });
}

/** The table as GORM's driver reads it. */
function readTable(
  { model }: TablePlan,
  { table, schema }: { readonly table: Table; readonly schema: Schema },
  { dialect: { maxNameLength }, goFields, storedStatements }: ComparedDatabase,
): ReportedTable {
  return goFields.table(table, {
    schema,
    storedStatement: storedStatements.get(table.name),
    uniqueName: (name) =>
      uniqueName({ table: table.name, name, naming: model.naming, maxLength: maxNameLength }),
  });
}

function differencesOf(compared: ComparedField, database: ComparedDatabase): readonly string[] {
  const { field, column } = compared;
  const { dialect } = database;
  const isNumbered = field.primaryKey || isCounter(field, dialect);
  return [
    ...typeDifferences(compared, database),
    ...(isNumbered ? [] : nullableDifference(column, field)),
    ...(isNumbered ? [] : defaultDifference(column, field, dialect)),
    ...(isNumbered && !dialect.changesCommentsOfKeys
      ? []
      : commentDifference(column, field, dialect)),
  ];
}

/**
 * AutoMigrate compares the text of the model's type with what the driver reports. What it alters may
 * be the same type by another name, which is no difference.
 */
function typeDifferences(compared: ComparedField, database: ComparedDatabase): readonly string[] {
  const { field, column } = compared;
  const { dialect, readType } = database;
  const modelType = nativeType(field, dialect).replace(/ NULL$/, '');
  const countsInModel = isCounter(field, dialect);
  const isNumbered = field.primaryKey || countsInModel;
  const isAltered = alters(compared, database);
  const isOther =
    !dialect.hasType(compared, modelType) &&
    (isAltered || (!isNumbered && isOtherKind(column, readType(modelType))));
  const isGenerated = column.generated !== undefined;
  const counts = column.autoIncrement === true;
  return [
    ...(isOther ? [`is ${column.nativeType}, but ${modelType} in its model`] : []),
    ...(isAltered && isGenerated !== generatedType.test(modelType)
      ? [propertyDifference('generated', isGenerated)]
      : []),
    ...(isAltered && !field.primaryKey && counts !== countsInModel
      ? [propertyDifference('auto-incremented', counts)]
      : []),
  ];
}

/** Whether the column is auto-incremented, which its type may say too. */
function isCounter(field: GormField, dialect: GormDialect): boolean {
  return field.autoIncrement || /serial\d?\b|\bauto_?increment\b/i.test(nativeType(field, dialect));
}

function propertyDifference(property: string, isInDatabase: boolean): string {
  return isInDatabase
    ? `is ${property}, but not in its model`
    : `is not ${property}, but is in its model`;
}

const generatedType = /\bas\s*\(/i;

function alters(
  { field, column, reportedTable }: ComparedField,
  { dialect, goFields }: ComparedDatabase,
): boolean {
  if (field.primaryKey && !dialect.altersKeys) return false;
  const reported = reportedTable.reportedColumn(column);
  return (
    findAlteration({
      field,
      nativeType: field.nativeType?.(dialect.driver, field).text || undefined,
      reported,
      gorm: dialect,
      typeAliases: goFields.typeAliases(reported.type.toLowerCase()),
    }) !== undefined
  );
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
  'array',
]);

function isOtherKind({ type }: Column, modelType: ColumnType): boolean {
  if (!plainKinds.has(type.kind) || !plainKinds.has(modelType.kind)) return false;
  return type.kind !== modelType.kind || sizesOf(type) !== sizesOf(modelType);
}

function sizesOf(type: ColumnType): string {
  const sizes = ['bits', 'length', 'precision', 'scale'] as const;
  const members = type as Readonly<Partial<Record<(typeof sizes)[number], number>>>;
  return sizes.map((size) => members[size] ?? '').join();
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
  { type, default: stored, generated, autoIncrement = false }: Column,
  field: GormField,
  dialect: GormDialect,
): readonly string[] {
  const ofModel = defaultText(field, dialect);
  const isOnlyInDatabase = field.hasDefault && ofModel === undefined;
  if (generated !== undefined || autoIncrement || isOnlyInDatabase) return [];
  const [reported, expected] = [stored, ofModel].map((text) =>
    /^\s*null\s*(?:::.*)?$/is.test(text ?? 'null') ? undefined : text,
  );
  if (reported === undefined && expected === undefined) return [];
  if (reported !== undefined && expected !== undefined)
    if (isSameDefault(reported, expected, { kind: type.kind, dialect })) return [];
  const has = reported === undefined ? 'has no default' : `has the default ${reported}`;
  return [`${has}, but ${expected ?? 'none'} in its model`];
}

function commentDifference(
  { comment = '' }: Column,
  field: GormField,
  { changedComments }: GormDialect,
): readonly string[] {
  // The driver that stores all comments takes them from the tag, also where embedding left the field none.
  const ofTag = changedComments === 'all' ? field.settings.get('COMMENT') : undefined;
  const expected = ofTag ?? field.comment;
  const isChanged = expected === '' ? changedComments === 'all' : changedComments !== 'none';
  if (expected === comment || !isChanged) return [];
  const has = comment === '' ? 'has no comment' : `has the comment "${comment}"`;
  return [`${has}, but ${expected === '' ? 'none' : `"${expected}"`} in its model`];
}
