/** Writes Go structs for the tables of an imported schema. */
import { ddlReaderOf } from '../../../databases/all.ts';
import { deriveRelations } from '../../../model/relations.ts';
import { goModelsOf, defaultGoOptions } from '../../export/export-models.ts';
import type { SchemaText } from '../../../formats/schema-document.ts';
import { createModels } from '../../core/models.ts';
import { withModels } from '../../core/schema-cache.ts';
import type { Database, Dialect, Session } from '../../../model/database.ts';
import type { DdlDialect } from '../../../model/ddl-dialect.ts';
import type { Column, Schema, Table } from '../../../model/schema.ts';
import type { StructureCapability } from '../../core/capabilities.ts';
import type { JobContext } from '../../core/job.ts';
import type { CachedSchema } from '../../core/schema-cache.ts';
import type { SchemaPlan } from './schema-plan.ts';

/** The structs of created tables, as the database has them. */
export async function modelsOfCreated(
  context: JobContext<StructureCapability>,
  plan: SchemaPlan,
): Promise<SchemaText> {
  const cachedSchema = await context.schemas.refresh();
  const tables = createdTables(cachedSchema.schema, plan);
  // Another session already locks one of the tables, so its definition cannot be read.
  if (tables.some(({ incomplete }) => incomplete !== undefined))
    return modelsOfPlanned(context, plan, cachedSchema);
  return modelsOf(context.database, { currentSchema: cachedSchema, tables });
}

/**
 * The structs of the tables that the session of a dry run has created. The session may be in a
 * temporary database, which does not have the other tables.
 */
export async function modelsWithin(
  session: Session,
  context: JobContext<StructureCapability>,
  plan: SchemaPlan,
): Promise<SchemaText> {
  const { database, schemas, models } = context;
  const introspected = await database.introspectWithin(session);
  const { schema } = withModels(introspected, await createModels(models).current());
  const {
    schema: { database: name, tables: otherTables },
  } = await schemas.current();
  const tables = createdTables(schema, plan);
  const plannedSchema = {
    schema: { ...schema, database: name, tables: [...otherTables, ...tables] },
  };
  return modelsOf(database, { currentSchema: plannedSchema, tables, session });
}

/** The structs of tables that the database does not have. It may store other defaults and more indexes. */
export async function modelsOfPlanned(
  { database, schemas }: JobContext<StructureCapability>,
  plan: SchemaPlan,
  cachedSchema?: Pick<CachedSchema, 'schema'>,
): Promise<SchemaText> {
  const { tables } = withNativeTypes(plan.schema, database.dialect);
  const { ddl } = database.dialect;
  const stored = new Map(tables.flatMap((table) => statementFor(table, plan, ddl)));
  return modelsOf(database, {
    currentSchema: cachedSchema ?? (await schemas.current()),
    tables,
    stored,
  });
}

interface Models {
  /** The structure of the database, with or without the tables. */
  readonly currentSchema: Pick<CachedSchema, 'schema'>;
  readonly tables: readonly Table[];
  /** Where the tables are, unless they are only planned. */
  readonly session?: Session;
  /** The statements of planned tables, by name. */
  readonly stored?: ReadonlyMap<string, string>;
}

function modelsOf(
  database: Database<'ddl'>,
  { currentSchema, tables, session, stored }: Models,
): ReturnType<typeof goModelsOf> {
  const names = new Set(tables.map(({ name }) => name));
  const otherTables = currentSchema.schema.tables.filter(({ name }) => !names.has(name));
  const relations = deriveRelations({
    ...currentSchema.schema,
    tables: [...otherTables, ...tables],
  });
  return goModelsOf(database, {
    schema: { ...currentSchema.schema, tables, views: [] },
    relationsOf: (table) => relations.get(table) ?? [],
    options: defaultGoOptions,
    ...(session && { session }),
    ...(stored && { stored }),
  });
}

/** In the order of the file: that of a database may differ. */
function createdTables({ tables }: Schema, plan: SchemaPlan): readonly Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return plan.schema.tables.flatMap(({ name }) => byName.get(name) ?? []);
}

/** Replaces the types of the file by those that the columns are created with. */
export function withNativeTypes(schema: Schema, dialect: Dialect<'ddl'>): Schema {
  const { readType } = ddlReaderOf(dialect);
  const withNativeType = (column: Column): Column => {
    const nativeType = dialect.ddl.columnType(column);
    return { ...column, nativeType, type: readType(nativeType) };
  };
  const tables = schema.tables.map((table) => ({
    ...table,
    columns: table.columns.map(withNativeType),
  }));
  return { ...schema, tables };
}

function statementFor(
  table: Table,
  { statements }: SchemaPlan,
  ddl: DdlDialect,
): readonly (readonly [string, string])[] {
  const head = `CREATE TABLE ${ddl.tableName(table)} (`;
  const statement = statements.find((text) => text.startsWith(head));
  return statement === undefined ? [] : [[table.name, statement]];
}
