import { StudioError } from '../../model/errors.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { KnownSchema, SchemaCache } from './schema-cache.ts';

/** The structure as far as it can be read: a lock that was in the way before may be gone. */
export async function readableStructure(schemas: SchemaCache): Promise<KnownSchema> {
  const known = await schemas.current();
  if (known.isComplete) return known;
  // The look may wait for the lock itself: what it meets says nothing of the structure.
  return schemas.verified().catch(() => known);
}

/** The structure, in which nothing is missing of the tables that `choose` takes from it. */
export async function completeStructure(
  schemas: SchemaCache,
  choose: (schema: Schema) => readonly Table[],
): Promise<KnownSchema> {
  const known = await readableStructure(schemas);
  choose(known.schema).forEach(mustBeComplete);
  return known;
}

/** What goes by the whole definition of a table would lose what is missing. */
export function mustBeComplete({ name, incomplete }: Table): void {
  if (incomplete === undefined) return;
  throw new StudioError(
    'database_busy',
    `The definition of "${name}" cannot be read. ${incomplete} Try again when the lock is gone.`,
    { table: name },
  );
}
