import { adaptSchema } from './adapt/adapt-schema.ts';
import { createIndexes } from './create-index.ts';
import { addForeignKey, createTable } from './create-table.ts';
import { inKeyOrder, inViewOrder } from './dependency-order.ts';
import { haveSameMembers } from './key-columns.ts';
import { adaptNativeSchema } from './adapt/adapt-native-schema.ts';
import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { ForeignKey, Schema, Table } from '../model/schema.ts';
import type { DdlContext } from './ddl-context.ts';

export interface CreateSchemaOptions {
  /** The schema comes from a database of the same dialect; else it is neutral (see `DdlDialect`). */
  readonly native: boolean;
  /** Nonempty native types are used, although the schema is neutral otherwise. */
  readonly nativeTypes?: boolean;
  /** Existing tables, which foreign keys may reference. */
  readonly existing?: readonly Table[];
  /** Statements for functions that tables or views call. */
  readonly programs?: ProgramStatements | undefined;
}

export interface ProgramStatements {
  readonly namespaces: readonly string[];
  /** The names of the functions. */
  readonly functions: ReadonlySet<string>;
  readonly beforeTables: readonly string[];
  readonly beforeViews: readonly string[];
}

export interface SchemaStatements {
  readonly statements: readonly string[];
  /** Statements after the rows: views that store their rows have those of empty tables. */
  readonly afterRows: readonly string[];
  /** One sentence for each thing that could not be created. */
  readonly warnings: readonly string[];
}

/** The statements that create a schema, ordered so that each one finds what it references. */
export function createSchema(
  schema: Schema,
  ddl: DdlDialect,
  options: CreateSchemaOptions,
): SchemaStatements {
  const { native, nativeTypes = native, existing = [], programs = noProgramStatements } = options;
  const { functions } = programs;
  const warnings: string[] = [];
  const adapt = native ? adaptNativeSchema : adaptSchema;
  const adapted = adapt(schema, existing, {
    ddl,
    functions,
    warn: (warning) => warnings.push(warning),
  });
  const context: DdlContext = {
    ddl,
    native,
    nativeTypes,
    schema: adapted,
    tables: tablesByName([...existing, ...adapted.tables]),
  };
  const afterRows = inViewOrder(adapted.views).flatMap((view) => ddl.refreshView(view) ?? []);
  return { statements: statementsOf(context, options), afterRows, warnings };
}

export const noProgramStatements: ProgramStatements = {
  namespaces: [],
  functions: new Set(),
  beforeTables: [],
  beforeViews: [],
};

function statementsOf(
  context: DdlContext,
  { existing = [], programs = noProgramStatements }: CreateSchemaOptions,
): string[] {
  const { ddl, schema, native } = context;
  const relations = [...schema.tables, ...schema.views];
  const views = inViewOrder(schema.views);
  const session = native || !joinsTexts(schema) ? { begin: [], end: [] } : ddl.neutralSession;
  return [
    ...session.begin,
    ...namespaces(schema, programs).flatMap((name) => ddl.createNamespace(name) ?? []),
    ...(native ? ddl.statementsBeforeTables(schema) : []),
    ...schema.enums.flatMap((type) => ddl.createEnum(type)),
    ...programs.beforeTables,
    ...createTables(inKeyOrder(schema.tables), existing, context),
    ...programs.beforeViews,
    ...views.map((view) => createView(view, ddl)),
    ...views.flatMap((view) => createIndexes(view, context)),
    ...relations.flatMap((table) => ddl.comments(table)),
    ...session.end,
  ];
}

/** `||` is OR in MySQL, unless the session sets PIPES_AS_CONCAT (`ddl.neutralSession`). */
function joinsTexts({ tables }: Schema): boolean {
  const expressions = tables.flatMap((table) => [
    ...table.columns.flatMap((column) => [column.default, column.generated?.expression]),
    ...table.checks.map((check) => check.expression),
    ...table.indexes.flatMap(({ where, parts }) => [
      where,
      ...parts.map((part) => part.expression),
    ]),
  ]);
  return expressions.some((expression) => expression?.includes('||') === true);
}

function createTables(
  tables: readonly Table[],
  existing: readonly Table[],
  context: DdlContext,
): string[] {
  const plan = planKeys(tables, existing, context.ddl);
  return [
    ...plan.map(
      ({ table, inline }) =>
        (context.native ? context.ddl.createVirtual(table) : undefined) ??
        createTable(table, inline, context),
    ),
    ...tables.flatMap((table) => createIndexes(table, context)),
    ...(context.native ? context.ddl.statementsAfterTables(context.schema) : []),
    ...plan.flatMap(({ table, deferred }) =>
      deferred.map((key) => addForeignKey(table, key, context)),
    ),
  ];
}

interface KeyPlan {
  readonly table: Table;
  readonly inline: readonly ForeignKey[];
  /**
   * Keys that form a cycle, that reference columns which only CREATE INDEX makes unique, or that reference a table of
   * Citus: they make Citus manage the new table too, and then it cannot become the owner of a sequence.
   */
  readonly deferred: readonly ForeignKey[];
}

function planKeys(
  tables: readonly Table[],
  existing: readonly Table[],
  ddl: DdlDialect,
): KeyPlan[] {
  const tablesSoFar = tablesByName(existing);
  return tables.map((table) => {
    const inline = table.foreignKeys.filter(
      (key) =>
        !ddl.canAddForeignKeys ||
        (tablesSoFar.get(key.table)?.options?.['distribution'] === undefined &&
          declaresKey(key.table === table.name ? table : tablesSoFar.get(key.table), key, ddl)),
    );
    tablesSoFar.set(table.name, table);
    return { table, inline, deferred: table.foreignKeys.filter((key) => !inline.includes(key)) };
  });
}

/** Whether CREATE TABLE alone declares the referenced columns as a key. */
function declaresKey(
  table: Table | undefined,
  key: ForeignKey,
  { indexSupport: indexes }: DdlDialect,
): boolean {
  if (table === undefined) return false;
  const declared = table.indexes
    .filter((index) => index.constraint === true || indexes.inline)
    .map(({ parts }) => parts.map((part) => part.column));
  return [table.primaryKey?.columns ?? [], ...declared].some((columns) =>
    haveSameMembers(columns, key.referencedColumns),
  );
}

function createView(view: Table, ddl: DdlDialect): string {
  const { create, options, check } = ddl.createView(view);
  const head = [create, ddl.tableName(view), options, 'AS'].filter((part) => part !== '').join(' ');
  return [head, view.definition ?? '', check].filter((part) => part !== '').join('\n');
}

function namespaces(
  { tables, views, enums }: Schema,
  { namespaces: others }: ProgramStatements,
): string[] {
  const used = [...tables, ...views, ...enums].flatMap(({ namespace }) => namespace ?? []);
  return [...new Set([...used, ...others])];
}

function tablesByName(tables: readonly Table[]): Map<string, Table> {
  return new Map(tables.map((table) => [table.name, table]));
}
