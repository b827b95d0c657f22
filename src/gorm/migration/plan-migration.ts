/** Plans the statements that AutoMigrate would run against a database. */
import { columnDifferences } from './column-differences.ts';
import { indexDifferences, lacksUnique } from './index-differences.ts';
import { modelsInMigrationOrder } from '../models/read-go-models.ts';
import {
  addConstraint,
  checkLine,
  columnLine,
  createTable,
  foreignKeyLine,
  nativeType,
  planTable,
  uniqueLine,
} from './table-ddl.ts';
import type { GormDialect, GormTableRebuild, RebuiltTable } from '../gorm-dialect.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { ComparedDatabase } from './column-differences.ts';
import type { GormForeignKey } from '../models/gorm-model.ts';
import type { GoModels } from '../models/read-go-models.ts';
import type { TablePlan } from './table-ddl.ts';

export interface MigrationStatement {
  readonly table: string;
  readonly text: string;
  /**
   * Reverts the statement on databases that commit every DDL statement. Undefined if dropping the
   * new table reverts it.
   */
  readonly undo?: string;
  /** The column that the statement adds. */
  readonly column?: string;
  /** What else it adds to an existing table, as in messages: `index idx_users_note`. */
  readonly object?: string;
  /** Whether the statement creates the table. */
  readonly creates?: true;
  /** The columns of the table that it creates. */
  readonly columns?: readonly string[];
}

/** A table that must be rebuilt to add constraints. */
export interface Rebuild {
  readonly table: RebuiltTable;
  readonly constraints: readonly string[];
}

export interface Migration {
  /** Rebuilds tables to add constraints. Undefined if ALTER TABLE can add them. */
  readonly tableRebuild: GormTableRebuild | undefined;
  /** All tables of the models. */
  readonly tables: readonly string[];
  readonly created: readonly string[];
  readonly altered: readonly string[];
  readonly statements: readonly MigrationStatement[];
  readonly rebuilds: readonly Rebuild[];
  readonly warnings: readonly string[];
}

export interface MigrationTarget extends ComparedDatabase {
  /** DisableForeignKeyConstraintWhenMigrating: relations create no foreign keys. */
  readonly skipForeignKeys?: boolean;
}

/** Creates missing tables. Adds missing columns, indexes and constraints to existing ones. */
export function planMigration(
  goModels: GoModels,
  schema: Schema,
  target: MigrationTarget,
): Migration {
  const { dialect, skipForeignKeys = false } = target;
  const plans = modelsInMigrationOrder(goModels, dialect).map((model) => {
    const plan = planTable(model, dialect);
    return skipForeignKeys ? { ...plan, foreignKeys: [], duplicateNames: [] } : plan;
  });
  const existing = new Map(schema.tables.map((table) => [table.name, table]));
  const missing = plans.filter(({ table }) => !existing.has(table));
  const deferredKeys = findDeferredKeys(missing, new Set(existing.keys()), dialect);
  const steps = plans.map((plan) => {
    const table = existing.get(plan.table);
    return table === undefined
      ? planNewTable(plan, deferredKeys, dialect)
      : planExistingTable(plan, table, dialect);
  });
  const changes = steps.filter(
    ({ table, statements, rebuilds }) =>
      existing.has(table) && statements.length + rebuilds.length > 0,
  );
  return {
    tableRebuild: dialect.tableRebuild,
    tables: plans.map(({ table }) => table),
    created: missing.map(({ table }) => table),
    altered: changes.map(({ table }) => table),
    statements: [
      ...steps.flatMap(({ statements }) => statements),
      ...deferredKeys.map((key) => addDeferredKey(key, dialect)),
    ],
    rebuilds: steps.flatMap(({ rebuilds }) => rebuilds),
    warnings: [
      ...plans.flatMap((plan) => undeterminedTypes(plan, dialect)),
      ...plans.flatMap((plan) => ignoredSettings(plan, dialect)),
      ...plans.flatMap((plan) => {
        const table = existing.get(plan.table);
        if (table === undefined) return [];
        return [
          ...columnDifferences(plan, { table, schema }, target),
          ...indexDifferences(plan, table, dialect),
        ];
      }),
      ...deferredKeys.map(
        ({ name }) =>
          `${name}: its tables reference each other, so the foreign key was added after them, which AutoMigrate does not do.`,
      ),
      ...missing.flatMap(({ duplicateNames }) =>
        duplicateNames.map(
          ({ name, model }) =>
            `${name}: table "${model.table}" would have two foreign keys with this name, so AutoMigrate would fail; the second one was left out.`,
        ),
      ),
    ],
  };
}

/** Columns whose type depends on a method that cannot be evaluated. */
function undeterminedTypes(
  { model, table, columns }: TablePlan,
  dialect: GormDialect,
): readonly string[] {
  return columns.flatMap((field) => {
    const { undetermined } = field.nativeType?.(dialect.driver, field) ?? {};
    if (undetermined === undefined) return [];
    const type = nativeType(field, dialect);
    return `${model.struct}: The result of ${undetermined} cannot be determined from the source; column "${field.column}" of table "${table}" got the type ${type}.`;
  });
}

/** Settings that only drivers for other databases read. */
function ignoredSettings(
  { model: { struct }, columns }: TablePlan,
  { readsGenerated }: GormDialect,
): readonly string[] {
  const ignored = columns.filter(({ settings }) => !readsGenerated && settings.has('GENERATED'));
  return ignored.map(
    ({ name }) =>
      `${struct}: GORM ignores the setting "generated" of ${struct}.${name} on this database.`,
  );
}

interface TableChanges {
  readonly table: string;
  readonly statements: readonly MigrationStatement[];
  readonly rebuilds: readonly Rebuild[];
}

function planNewTable(
  { table, ...plan }: TablePlan,
  deferredKeys: readonly GormForeignKey[],
  dialect: GormDialect,
): TableChanges {
  const texts = createTable({ table, ...plan }, dialect, deferredKeys);
  const statements = texts.map((text, i): MigrationStatement =>
    i === 0
      ? { table, text, creates: true, columns: plan.columns.map(({ column }) => column) }
      : { table, text },
  );
  return { table, statements, rebuilds: [] };
}

/** Foreign keys of new tables to tables created later, where the database requires the referenced table to exist. */
function findDeferredKeys(
  plans: readonly TablePlan[],
  existingNames: Set<string>,
  dialect: GormDialect,
): readonly GormForeignKey[] {
  if (dialect.tableRebuild !== undefined) return [];
  return plans.flatMap((plan) => {
    existingNames.add(plan.table);
    return plan.foreignKeys.filter((key) => !existingNames.has(key.target.table));
  });
}

function addDeferredKey(key: GormForeignKey, dialect: GormDialect): MigrationStatement {
  const { table } = key.model;
  return { table, text: addConstraint(table, foreignKeyLine(key, dialect), dialect) };
}

function planExistingTable(plan: TablePlan, table: Table, dialect: GormDialect): TableChanges {
  const constraints = missingConstraints(plan, table, dialect);
  const isRebuilt = dialect.tableRebuild !== undefined && constraints.length > 0;
  const addedConstraints = constraints.map(({ name, line, undo }): MigrationStatement => ({
    table: plan.table,
    text: addConstraint(plan.table, line, dialect),
    undo,
    object: `constraint ${name}`,
  }));
  return {
    table: plan.table,
    statements: [
      ...missingColumns(plan, table, dialect),
      ...(dialect.tableRebuild === undefined ? addedConstraints : []),
      ...missingIndexes(plan, table, dialect),
    ],
    rebuilds: isRebuilt
      ? [{ table: rebuiltTable(plan, table), constraints: constraints.map(({ line }) => line) }]
      : [],
  };
}

function rebuiltTable(plan: TablePlan, table: Table): RebuiltTable {
  const storedColumns = table.columns.filter(
    ({ generated, isRowNumber }) => generated === undefined && isRowNumber !== true,
  );
  const existingNames = new Set(table.columns.map(({ name }) => name));
  const addedColumns = plan.columns.filter(
    ({ column, dataType }) => !existingNames.has(column) && !/\bas\s*\(/i.test(dataType),
  );
  return {
    name: table.name,
    columns: [
      ...storedColumns.map(({ name }) => name),
      ...addedColumns.map(({ column }) => column),
    ],
  };
}

function missingColumns(
  plan: TablePlan,
  table: Table,
  dialect: GormDialect,
): readonly MigrationStatement[] {
  const existingNames = new Set(table.columns.map(({ name }) => name));
  const addedColumns = plan.columns.filter(({ column }) => !existingNames.has(column));
  return addedColumns.flatMap((field) => {
    const text = dialect.addColumn(plan.table, columnLine(field, dialect), field);
    const comment = dialect.commentColumn(plan.table, field);
    const undo = dialect.undo.column(plan.table, field.column);
    return [
      { table: plan.table, text, undo, column: field.column },
      ...(comment === undefined ? [] : [{ table: plan.table, text: comment }]),
    ];
  });
}

function missingIndexes(
  plan: TablePlan,
  table: Table,
  dialect: GormDialect,
): readonly MigrationStatement[] {
  const existingNames = new Set(table.indexes.map(({ name }) => name));
  const addedIndexes = plan.indexes.filter(({ name }) => !existingNames.has(name));
  return addedIndexes.map((index) => ({
    table: plan.table,
    text: dialect.createIndex(plan.table, index),
    undo: dialect.undo.index(plan.table, index.name),
    object: `index ${index.name}`,
  }));
}

interface AddedConstraint {
  readonly name: string;
  readonly line: string;
  readonly undo: string;
}

/**
 * The constraints that an existing table lacks. They are compared by name. A unique constraint also
 * exists if the column alone has one of another name.
 */
function missingConstraints(
  plan: TablePlan,
  table: Table,
  dialect: GormDialect,
): readonly AddedConstraint[] {
  const existingNames = new Set(
    [...table.foreignKeys, ...table.checks, ...table.indexes].map(({ name }) => name),
  );
  const isNew = ({ name }: { readonly name: string }): boolean => !existingNames.has(name);
  const { undo } = dialect;
  return [
    ...plan.foreignKeys.filter(isNew).map((key) => ({
      name: key.name,
      line: foreignKeyLine(key, dialect),
      undo: undo.foreignKey(plan.table, key.name),
    })),
    ...plan.uniques
      .filter((unique) => isNew(unique) && lacksUnique({ plan, table, unique }, dialect))
      .map((unique) => ({
        name: unique.name,
        line: uniqueLine(unique, dialect),
        undo: undo.index(plan.table, unique.name),
      })),
    ...plan.checks.filter(isNew).map((check) => ({
      name: check.name,
      line: checkLine(check, dialect),
      undo: undo.constraint(plan.table, check.name),
    })),
  ];
}
