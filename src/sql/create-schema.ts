import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { ForeignKey, Schema, Table } from '../model/schema.ts';
import { createIndex, isPortable } from './create-index.ts';
import { addForeignKey, createTable } from './create-table.ts';
import type { DdlContext } from './ddl-context.ts';
import { inKeyOrder, inViewOrder } from './dependency-order.ts';

export interface CreateSchemaOptions {
  /** The schema comes from a database of the same dialect; else it is neutral (see `DdlDialect`). */
  readonly native: boolean;
  /** Tables that are there already, for the foreign keys that point at them. */
  readonly existing?: readonly Table[];
}

/** The statements that make a schema's structure, in an order that runs. */
export function createSchema(
  schema: Schema,
  ddl: DdlDialect,
  options: CreateSchemaOptions,
): string[] {
  const existing = options.existing ?? [];
  const context: DdlContext = {
    ddl,
    native: options.native,
    tables: tablesByName([...existing, ...schema.tables]),
  };
  const relations = [...schema.tables, ...schema.views];
  const views = inViewOrder(schema.views);
  const session = options.native ? { begin: [], end: [] } : ddl.neutralSession;
  return [
    ...session.begin,
    ...namespaces(relations).flatMap((name) => ddl.createNamespace(name) ?? []),
    ...schema.enums.flatMap((type) => ddl.createEnum(type) ?? []),
    ...createTables(inKeyOrder(schema.tables), existing, context),
    ...views.map((view) => createView(view, ddl)),
    ...views.flatMap((view) => createIndexes(view, context)),
    ...relations.flatMap((table) => ddl.comments(table)),
    ...session.end,
  ];
}

function createTables(
  tables: readonly Table[],
  existing: readonly Table[],
  context: DdlContext,
): string[] {
  const plan = planKeys(tables, existing, context.ddl);
  return [
    ...plan.map(({ table, inline }) => createTable(table, inline, context)),
    ...tables.flatMap((table) => createIndexes(table, context)),
    ...plan.flatMap(({ table, later }) => later.map((key) => addForeignKey(table, key, context))),
  ];
}

interface KeyPlan {
  readonly table: Table;
  readonly inline: readonly ForeignKey[];
  /** Keys of a cycle, or to columns that only CREATE INDEX makes unique. */
  readonly later: readonly ForeignKey[];
}

function planKeys(
  tables: readonly Table[],
  existing: readonly Table[],
  ddl: DdlDialect,
): KeyPlan[] {
  const there = tablesByName(existing);
  return tables.map((table) => {
    const inline = table.foreignKeys.filter(
      (key) => !ddl.altersKeys || canPointAt(key, table, there),
    );
    there.set(table.name, table);
    return { table, inline, later: table.foreignKeys.filter((key) => !inline.includes(key)) };
  });
}

function canPointAt(key: ForeignKey, table: Table, there: ReadonlyMap<string, Table>): boolean {
  if (key.table !== table.name) {
    const target = there.get(key.table);
    return target !== undefined && declaresKey(target, key.referencedColumns);
  }
  return declaresKey(table, key.referencedColumns);
}

function declaresKey(table: Table, columns: readonly string[]): boolean {
  const declared = table.indexes
    .filter((index) => index.constraint)
    .map((index) => index.parts.map((part) => part.column));
  return [table.primaryKey?.columns ?? [], ...declared].some((key) =>
    haveSameMembers(key, columns),
  );
}

function haveSameMembers(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((member) => b.includes(member));
}

function createIndexes(table: Table, context: DdlContext): string[] {
  const indexes = table.indexes.filter(
    (index) => index.constraint !== true && (context.native || isPortable(index, context.ddl)),
  );
  return indexes.map((index) => createIndex(table, index, context));
}

function createView(view: Table, ddl: DdlDialect): string {
  return `${ddl.createView(view.kind)} ${ddl.tableName(view)} AS\n${view.definition ?? ''}`;
}

function namespaces(tables: readonly Table[]): string[] {
  return [...new Set(tables.flatMap((table) => table.namespace ?? []))];
}

function tablesByName(tables: readonly Table[]): Map<string, Table> {
  return new Map(tables.map((table) => [table.name, table]));
}
