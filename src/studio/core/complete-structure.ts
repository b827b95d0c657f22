import { StudioError } from '../../model/errors.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { CachedSchema, SchemaCache } from './schema-cache.ts';

/** The structure, read again if a lock prevented some definitions from being read before. It may still be incomplete. */
export async function readableStructure(schemas: SchemaCache): Promise<CachedSchema> {
  const cached = await schemas.current();
  if (cached.isComplete) return cached;
  // Reading again may fail because of the same lock. The cached structure is then good enough.
  return schemas.verified().catch(() => cached);
}

/** The structure. Fails if the definition of a table that `choose` selects is incomplete. */
export async function completeStructure(
  schemas: SchemaCache,
  choose: (schema: Schema) => readonly Table[],
): Promise<CachedSchema> {
  const cached = await readableStructure(schemas);
  choose(cached.schema).forEach(mustBeComplete);
  return cached;
}

/** Fails for an incomplete definition. Exports and imports would silently lose what is missing. */
export function mustBeComplete({ name, incomplete }: Table): void {
  if (incomplete === undefined) return;
  throw new StudioError(
    'database_busy',
    `The definition of "${name}" cannot be read. ${incomplete} Try again when the lock is released.`,
    { table: name },
  );
}
