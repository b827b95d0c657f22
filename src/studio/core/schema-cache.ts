import { deriveRelations } from '../../model/relations.ts';
import type { Database } from '../../model/database.ts';
import type { Relation } from '../../model/relations.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { TableModel } from '../../model/table-model.ts';
import type { Models } from './models.ts';

/** The structure, read once and kept until it changes. */
export interface KnownSchema {
  readonly schema: Schema;
  /** False while a lock keeps definitions from being read: such a structure is read again. */
  readonly isComplete: boolean;
  relationsOf(table: string): readonly Relation[];
}

export interface SchemaCache {
  /** The structure as it was a moment ago at most: where asking costs a round trip, not every request asks. */
  current(): Promise<KnownSchema>;
  /** The structure as it is now: what is known, if that is so still. */
  verified(): Promise<KnownSchema>;
  /** Reads the structure again, whatever is known. */
  refresh(): Promise<KnownSchema>;
}

/** What is known of a server's structure is looked at again when it is older than this. */
const checkAfterMs = 1000;
/** From this age on, a request waits for that. */
const awaitAfterMs = 1500;
/** A large catalog takes long to look at: the pause is so many times what the last look took. */
const pauseFactor = 5;

interface Version {
  readonly version: string;
  /** The version of the models alone. */
  readonly models: string;
}

interface Known extends Version {
  readonly schema: Promise<KnownSchema>;
}

interface Source {
  version(): Promise<Version>;
  /** A database that does not tell its version now may tell its structure all the same. */
  versionIfTold(): Promise<Version>;
  read(): Promise<KnownSchema>;
}

function createSource(database: Database, models: Models): Source {
  const version = async (): Promise<Version> => {
    const ofModels = models.version();
    return { version: `${await database.structureVersion()} ${ofModels}`, models: ofModels };
  };
  return {
    version,
    versionIfTold: () => version().catch(() => ({ version: '', models: models.version() })),
    read: async () => withModels(await database.introspect(), await models.current()),
  };
}

/** Structures as they are read, one after the other. */
interface Versions {
  /** What was read last, or is being read. */
  known(): Known | undefined;
  /** Reads the structure if its version is another. */
  follow(): Promise<KnownSchema>;
  refresh(): Promise<KnownSchema>;
}

function createVersions(source: Source): Versions {
  let known: Known | undefined;

  const readAs = async (version: Version): Promise<KnownSchema> => {
    const reading = { ...version, schema: source.read() };
    known = reading;
    try {
      return await reading.schema;
    } catch (error) {
      if (known === reading) known = undefined;
      throw error;
    }
  };

  return {
    known: () => known,
    follow: async () => {
      const now = await (known === undefined ? source.versionIfTold() : source.version());
      if (now.version !== known?.version) return readAs(now);
      const { schema } = known;
      return (await schema).isComplete ? schema : readAs(now);
    },
    refresh: async () => readAs(await source.versionIfTold()),
  };
}

export function createSchemaCache(database: Database, models: Models): SchemaCache {
  const versions = createVersions(createSource(database, models));
  let checking: Promise<KnownSchema> | undefined;
  /** The last look at the version. */
  const last = { startedAt: -Infinity, tookMs: 0 };

  const look = async (): Promise<KnownSchema> => {
    const startedAt = performance.now();
    last.startedAt = startedAt;
    return versions.follow().finally(() => (last.tookMs = performance.now() - startedAt));
  };

  /** Those who ask meanwhile share one look. */
  const check = (): Promise<KnownSchema> => {
    checking ??= look().finally(() => (checking = undefined));
    return checking;
  };

  const refresh = (): Promise<KnownSchema> => {
    last.startedAt = performance.now();
    return versions.refresh();
  };

  return {
    refresh,
    current: async () => {
      if (database.isVersionCheap) return versions.follow();
      const known = versions.known();
      if (known === undefined) return check();
      if (models.version() !== known.models) return refresh();
      const age = performance.now() - last.startedAt;
      const pause = last.tookMs * pauseFactor;
      if (age <= Math.max(checkAfterMs, pause)) return known.schema;
      // A look that fails says nothing of the structure; who needs the database will hear of it.
      const looked = check().catch(() => undefined);
      const isOld = age > Math.max(awaitAfterMs, pause * 1.5);
      return (isOld ? await looked : undefined) ?? known.schema;
    },
    verified: async () => {
      // A look that has begun already may have missed the latest.
      await checking?.catch(() => undefined);
      return check();
    },
  };
}

function withModels(stored: Schema, models: readonly TableModel[]): KnownSchema {
  const schema = withSoftDeletes(stored, models);
  let relations: ReadonlyMap<string, readonly Relation[]> | undefined;
  return {
    schema,
    isComplete: [...schema.tables, ...schema.views].every(
      ({ incomplete }) => incomplete === undefined,
    ),
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
