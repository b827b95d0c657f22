/** Renders the table of a model as GORM's driver does. */
import { foreignKeysOf } from '../models/foreign-keys.ts';
import { checksOf, indexesOf, uniquesOf } from '../models/indexes.ts';
import type { GormDialect, GormIndex } from '../gorm-dialect.ts';
import type { NamedCheck, NamedUnique } from '../models/indexes.ts';
import type { GormField, GormForeignKey, GormModel } from '../models/gorm-model.ts';

/** The statements that AutoMigrate runs for a model. */
export interface TablePlan {
  readonly model: GormModel;
  readonly table: string;
  readonly columns: readonly GormField[];
  readonly indexes: readonly GormIndex[];
  readonly foreignKeys: readonly GormForeignKey[];
  /** Foreign keys with a name that the table already uses. The database rejects them, so AutoMigrate would fail. */
  readonly duplicateNames: readonly GormForeignKey[];
  readonly uniques: readonly NamedUnique[];
  readonly checks: readonly NamedCheck[];
}

export function planTable(
  model: GormModel,
  { maxNameLength, tableRebuild }: GormDialect,
): TablePlan {
  const keys = foreignKeysOf(model, maxNameLength);
  const duplicateNames =
    tableRebuild === undefined
      ? keys.filter((key, i) => keys.findIndex(({ name }) => name === key.name) < i)
      : [];
  return {
    model,
    table: model.table,
    columns: model.columns
      .flatMap((column) => model.byColumn.get(column) ?? [])
      .filter(({ ignored }) => !ignored),
    indexes: indexesOf(model, maxNameLength),
    foreignKeys: keys.filter((key) => !duplicateNames.includes(key)),
    duplicateNames,
    uniques: uniquesOf(model, maxNameLength),
    checks: checksOf(model, maxNameLength),
  };
}

/** The native type that GORM gives a column. */
export function nativeType(field: GormField, dialect: GormDialect): string {
  return field.nativeType?.(dialect.driver, field).text || dialect.columnType(field);
}

/** The column definition: type, NOT NULL, default and further clauses of the driver. */
function columnDefinition(field: GormField, dialect: GormDialect): string {
  const defaultExpression = defaultText(field, dialect);
  const type = nativeType(field, dialect);
  return [
    ...(type === '' ? [] : [type]),
    ...(field.notNull ? ['NOT NULL'] : []),
    ...(defaultExpression === undefined ? [] : [`DEFAULT ${defaultExpression}`]),
    ...suffix(field, dialect),
  ].join(' ');
}

function suffix(field: GormField, dialect: GormDialect): readonly string[] {
  const text = dialect.columnSuffix(field);
  return text === '' ? [] : [text];
}

/** The text after DEFAULT. Undefined if the column has no default, or one that only the database knows. */
export function defaultText(field: GormField, dialect: GormDialect): string | undefined {
  if (!field.hasDefault) return undefined;
  if (field.defaultValue !== undefined) return dialect.literal(field.defaultValue);
  return field.defaultText === '' || field.defaultText === '(-)' ? undefined : field.defaultText;
}

/** CREATE TABLE and the statements after it. Foreign keys that it omits are added separately. */
export function createTable(
  plan: TablePlan,
  dialect: GormDialect,
  deferredKeys: readonly GormForeignKey[],
): readonly string[] {
  const lines = [
    ...plan.columns.map((field) => columnLine(field, dialect)),
    ...primaryKeyLine(plan, dialect),
    ...(dialect.indexesInTable ? plan.indexes.map((index) => dialect.indexLine(index)) : []),
    ...plan.foreignKeys
      .filter((key) => !deferredKeys.includes(key))
      .map((key) => foreignKeyLine(key, dialect)),
    ...plan.uniques.map((unique) => uniqueLine(unique, dialect)),
    ...plan.checks.map((check) => checkLine(check, dialect)),
  ];
  return [
    `CREATE TABLE ${dialect.quoteName(plan.table)} (${lines.join(',')})`,
    ...(dialect.indexesInTable
      ? []
      : plan.indexes.map((index) => dialect.createIndex(plan.table, index))),
    ...plan.columns.flatMap((field) => dialect.commentColumn(plan.table, field) ?? []),
  ];
}

export function columnLine(field: GormField, dialect: GormDialect): string {
  return `${dialect.quoteName(field.column)} ${columnDefinition(field, dialect)}`.trimEnd();
}

/** Empty if the type of a column declares the key (SQLite). */
function primaryKeyLine({ model, columns }: TablePlan, dialect: GormDialect): readonly string[] {
  const isDeclared = columns.some((field) =>
    nativeType(field, dialect).toUpperCase().includes('PRIMARY KEY'),
  );
  if (isDeclared || model.primaryFields.length === 0) return [];
  return [
    `PRIMARY KEY (${namesOf(
      model.primaryFields.map(({ column }) => column),
      dialect,
    )})`,
  ];
}

function namesOf(columns: readonly string[], dialect: GormDialect): string {
  return columns.map((column) => dialect.quoteName(column)).join(',');
}

export function foreignKeyLine(key: GormForeignKey, dialect: GormDialect): string {
  return [
    `CONSTRAINT ${dialect.quoteName(key.name)} FOREIGN KEY (${namesOf(key.columns, dialect)})`,
    `REFERENCES ${dialect.quoteName(key.target.table)}(${namesOf(key.targetColumns, dialect)})`,
    ...(key.onDelete === '' ? [] : [`ON DELETE ${key.onDelete}`]),
    ...(key.onUpdate === '' ? [] : [`ON UPDATE ${key.onUpdate}`]),
  ].join(' ');
}

export function uniqueLine({ name, column }: NamedUnique, dialect: GormDialect): string {
  return `CONSTRAINT ${dialect.quoteName(name)} UNIQUE (${dialect.quoteName(column)})`;
}

export function checkLine({ name, expression }: NamedCheck, dialect: GormDialect): string {
  return `CONSTRAINT ${dialect.quoteName(name)} CHECK (${expression})`;
}

/** ALTER TABLE … ADD for a constraint of an existing table. */
export function addConstraint(table: string, line: string, dialect: GormDialect): string {
  return `ALTER TABLE ${dialect.quoteName(table)} ADD ${line}`;
}
