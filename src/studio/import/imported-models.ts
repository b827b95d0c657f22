/** Writes Go structs for the tables of an imported schema. */
import { deriveRelations } from '../../model/relations.ts';
import { narrowSchema } from '../../sql/narrow-schema.ts';
import { goModelsOf, defaultGoOptions } from '../export/export-models.ts';
import type { SchemaText } from '../../formats/schema-document.ts';
import type { DdlDialect } from '../../model/ddl-dialect.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { JobContext } from '../core/job.ts';
import type { SchemaPlan } from './schema-plan.ts';

/** The structs describe created tables as the database has them, and those of a dry run as planned. */
export async function importedModels(
  context: JobContext,
  plan: SchemaPlan,
  { made }: { readonly made: boolean },
): Promise<SchemaText> {
  const { schemas, database } = context;
  if (!made) return plannedModels(context, plan);
  const known = await schemas.refresh();
  const names = new Set([...plan.schema.tables, ...plan.schema.views].map(({ name }) => name));
  const { schema } = narrowSchema(known.schema, names);
  // Another session already locks one of the tables, so its definition cannot be read.
  if (schema.tables.some(({ incomplete }) => incomplete !== undefined))
    return plannedModels(context, plan);
  return goModelsOf(database, {
    schema,
    relationsOf: known.relationsOf,
    options: defaultGoOptions,
  });
}

async function plannedModels({ database }: JobContext, plan: SchemaPlan): Promise<SchemaText> {
  const { ddl } = database.dialect;
  const schema = withNativeTypes(plan.schema, ddl);
  const relations = deriveRelations(schema);
  return goModelsOf(database, {
    schema,
    relationsOf: (table) => relations.get(table) ?? [],
    options: defaultGoOptions,
    stored: new Map(schema.tables.flatMap((table) => statementFor(table, plan, ddl))),
  });
}

/** Replaces the types of a file in another dialect by those that the columns are created with. */
function withNativeTypes(schema: Schema, ddl: DdlDialect): Schema {
  const made = (column: Column): Column => ({ ...column, nativeType: ddl.columnType(column) });
  const tables = schema.tables.map((table) => ({ ...table, columns: table.columns.map(made) }));
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
