import { deriveRelations } from '../model/relations.ts';
import type { Database } from '../model/database.ts';
import type { Relation } from '../model/relations.ts';
import type { Schema, Table } from '../model/schema.ts';
import type { TableModel } from '../model/table-model.ts';
import type { Models } from './models.ts';

/** The structure, read once and kept until it changes. */
export interface KnownSchema {
  readonly schema: Schema;
  relationsOf(table: string): readonly Relation[];
}

export interface SchemaCache {
  current(): Promise<KnownSchema>;
  /** Reads the structure again, whatever is known. */
  refresh(): Promise<KnownSchema>;
}

export function createSchemaCache(database: Database, models: Models): SchemaCache {
  let known: { readonly version: string; readonly schema: Promise<KnownSchema> } | undefined;

  const versionNow = async (): Promise<string> => {
    const version = (await database.structureVersion()) ?? '';
    return `${version} ${models.version()}`;
  };

  const read = async (): Promise<KnownSchema> =>
    withModels(await database.introspect(), await models.current());

  const refresh = async (): Promise<KnownSchema> => {
    const version = await versionNow();
    const reading = { version, schema: read() };
    known = reading;
    try {
      return await reading.schema;
    } catch (error) {
      if (known === reading) known = undefined;
      throw error;
    }
  };

  const current = async (): Promise<KnownSchema> => {
    if (known === undefined) return refresh();
    const version = await versionNow();
    return version === known.version ? known.schema : refresh();
  };

  return { current, refresh };
}

function withModels(stored: Schema, models: readonly TableModel[]): KnownSchema {
  const schema = withSoftDeletes(stored, models);
  let relations: ReadonlyMap<string, readonly Relation[]> | undefined;
  return {
    schema,
    relationsOf(table) {
      relations ??= deriveRelations(schema, models);
      return relations.get(table) ?? [];
    },
  };
}

/** A model knows the column that marks its deleted rows, and how, whatever it is called. */
function withSoftDeletes(schema: Schema, models: readonly TableModel[]): Schema {
  const marks = new Map(models.map(({ table, softDelete }) => [table, softDelete]));
  const tables = schema.tables.map((table): Table => {
    const softDelete = marks.get(table.name);
    const isThere = table.columns.some(({ name }) => name === softDelete?.column);
    return softDelete === undefined || !isThere ? table : { ...table, softDelete };
  });
  return { ...schema, tables };
}
