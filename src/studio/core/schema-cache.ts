import { deriveRelations } from '../../model/relations.ts';
import type { Database } from '../../model/database.ts';
import type { Relation } from '../../model/relations.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { TableModel } from '../../model/table-model.ts';
import type { CacheUseCounter } from './cache-uses.ts';
import type { Models } from './models.ts';

/** The structure of the database with the relations of its tables. */
export interface CachedSchema {
  readonly schema: Schema;
  /** False if a lock prevented the definition of a table from being read. The cache then reads again. */
  readonly isComplete: boolean;
  relationsOf(table: string): readonly Relation[];
}

export interface SchemaCache {
  /**
   * The cached structure. It may be outdated by about a second on servers, where checking for changes
   * costs a round trip.
   */
  current(): Promise<CachedSchema>;
  /** The current structure: reads it if it has changed since it was cached. */
  verified(): Promise<CachedSchema>;
  /**
   * Reads the structure again, even if it has not changed. Calls of `current` and `verified` that follow
   * wait for this read.
   */
  refresh(): Promise<CachedSchema>;
}

/** The cached structure of a server is checked for changes when the last check is older than this. */
const checkAfterMs = 1000;
/** When the last check is older than this, requests wait for the next one. */
const awaitAfterMs = 1500;
/** A check of a large catalog takes long. The pause between checks is at least this many times its duration. */
const pauseFactor = 5;

interface Version {
  readonly version: string;
  /** The version of the models alone. */
  readonly models: string;
}

interface LatestRead {
  /** The version of what is read, known before the structure has been read. */
  readonly version: Promise<string>;
  readonly models: string;
  readonly schema: Promise<CachedSchema>;
}

interface SchemaSource {
  version(): Promise<Version>;
  /** An empty version if the database cannot return one: reading the structure may still succeed. */
  versionOrEmpty(): Promise<Version>;
  /** The version of the models alone. */
  modelsVersion(): string;
  read(): Promise<CachedSchema>;
}

function createSchemaSource(database: Database, models: Models): SchemaSource {
  const version = async (): Promise<Version> => {
    const ofModels = models.version();
    return { version: `${await database.structureVersion()} ${ofModels}`, models: ofModels };
  };
  return {
    version,
    modelsVersion: () => models.version(),
    versionOrEmpty: () => version().catch(() => ({ version: '', models: models.version() })),
    read: async () => withModels(await database.introspect(), await models.current()),
  };
}

/** Reads the structure and keeps the result of the last read. */
interface SchemaReader {
  /** The last read, which may still be running. */
  latest(): LatestRead | undefined;
  /** Reads the structure if its version has changed. */
  readIfChanged(): Promise<CachedSchema>;
  refresh(): Promise<CachedSchema>;
}

function createSchemaReader(source: SchemaSource): SchemaReader {
  let latest: LatestRead | undefined;

  const keep = async (started: LatestRead): Promise<CachedSchema> => {
    latest = started;
    try {
      return await started.schema;
    } catch (error) {
      if (latest === started) latest = undefined;
      throw error;
    }
  };

  const read = ({ version, models }: Version): Promise<CachedSchema> =>
    keep({ version: Promise.resolve(version), models, schema: source.read() });

  return {
    latest: () => latest,
    readIfChanged: async () => {
      const now = await (latest === undefined ? source.versionOrEmpty() : source.version());
      const last = latest;
      if (last === undefined || now.version !== (await last.version)) return read(now);
      return (await last.schema).isComplete ? last.schema : read(now);
    },
    refresh: () => {
      const starting = source.versionOrEmpty();
      return keep({
        version: starting.then(({ version }) => version),
        models: source.modelsVersion(),
        // The version is read first: a change in between is then noticed by the next check.
        schema: starting.then(() => source.read()),
      });
    },
  };
}

export function createSchemaCache(database: Database, models: Models): SchemaCache {
  const reader = createSchemaReader(createSchemaSource(database, models));
  let pendingCheck: Promise<CachedSchema> | undefined;
  const lastCheck = { startedAt: -Infinity, tookMs: 0 };

  const startCheck = async (): Promise<CachedSchema> => {
    const startedAt = performance.now();
    lastCheck.startedAt = startedAt;
    return reader.readIfChanged().finally(() => (lastCheck.tookMs = performance.now() - startedAt));
  };

  /** Concurrent requests share one check. */
  const check = (): Promise<CachedSchema> => {
    pendingCheck ??= startCheck().finally(() => (pendingCheck = undefined));
    return pendingCheck;
  };

  const refresh = (): Promise<CachedSchema> => {
    lastCheck.startedAt = performance.now();
    return reader.refresh();
  };

  return {
    refresh,
    current: async () => {
      if (database.isStructureVersionCheap) return reader.readIfChanged();
      const latest = reader.latest();
      if (latest === undefined) return check();
      if (models.version() !== latest.models) return refresh();
      const age = performance.now() - lastCheck.startedAt;
      const pause = lastCheck.tookMs * pauseFactor;
      if (age <= Math.max(checkAfterMs, pause)) return latest.schema;
      // A failed check does not invalidate the cache. Statements of the request report the cause.
      const checked = check().catch(() => undefined);
      const isOld = age > Math.max(awaitAfterMs, pause * 1.5);
      return (isOld ? await checked : undefined) ?? latest.schema;
    },
    verified: async () => {
      // A check that is already running may have missed the latest change.
      await pendingCheck?.catch(() => undefined);
      return check();
    },
  };
}

/** Counts as a hit what a call returns without a read of the structure that ended after it began. */
export function countSchemaUses(cache: SchemaCache, uses: CacheUseCounter): SchemaCache {
  let latest: CachedSchema | undefined;
  const counted = (get: () => Promise<CachedSchema>) => async (): Promise<CachedSchema> => {
    const before = latest;
    const schema = await get();
    uses.record('structure', schema === before);
    latest = schema;
    return schema;
  };
  return {
    current: counted(cache.current),
    verified: counted(cache.verified),
    refresh: counted(cache.refresh),
  };
}

/** Adds the relations and the soft-delete columns that the models declare. */
export function withModels(introspected: Schema, models: readonly TableModel[]): CachedSchema {
  const schema = withSoftDeletes(introspected, models);
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

/** Takes soft-delete columns from the models: their names may be arbitrary, so the database alone does not show them. */
function withSoftDeletes(schema: Schema, models: readonly TableModel[]): Schema {
  const softDeletes = new Map(models.map(({ table, softDelete }) => [table, softDelete]));
  const tables = schema.tables.map((table): Table => {
    const softDelete = softDeletes.get(table.name);
    const hasColumn = table.columns.some(({ name }) => name === softDelete?.column);
    return softDelete === undefined || !hasColumn ? table : { ...table, softDelete };
  });
  return { ...schema, tables };
}
