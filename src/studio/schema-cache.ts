import { deriveRelations } from '../model/relations.ts';
import type { Database } from '../model/database.ts';
import type { Relation } from '../model/relations.ts';
import type { Schema } from '../model/schema.ts';

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

export function createSchemaCache(database: Database): SchemaCache {
  let known:
    | { readonly version: string | undefined; readonly schema: Promise<KnownSchema> }
    | undefined;

  const refresh = async (): Promise<KnownSchema> => {
    const version = await database.structureVersion();
    const reading = { version, schema: database.introspect().then(withRelations) };
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
    const version = await database.structureVersion();
    return version === known.version ? known.schema : refresh();
  };

  return { current, refresh };
}

function withRelations(schema: Schema): KnownSchema {
  let relations: ReadonlyMap<string, readonly Relation[]> | undefined;
  return {
    schema,
    relationsOf(table) {
      relations ??= deriveRelations(schema);
      return relations.get(table) ?? [];
    },
  };
}
