import { nothingWritten, StudioError } from '../../model/errors.ts';
import { addressToken, addressTokens, isStillValid } from './address-token.ts';
import { tablesByName } from './find-table.ts';
import type { ErrorCode } from '../../model/errors.ts';
import type { Table } from '../../model/schema.ts';
import type { Context } from './context.ts';
import type { CachedSchema } from './schema-cache.ts';

/** Thrown when the table differs from the cached schema. The transaction of a write is rolled back. */
export class StructureChanged extends Error {
  readonly table: string;
  readonly during: 'read' | 'write';

  constructor(table: string, during: 'read' | 'write') {
    super(`The structure of table "${table}" has changed.`);
    this.table = table;
    this.during = during;
  }
}

/** Errors whose cause could be that the cached schema is out of date. */
const structureDependent: ReadonlySet<ErrorCode> = new Set([
  'table_not_found',
  'table_unreadable',
  'row_not_found',
  'relation_not_found',
  'unknown_column',
  'invalid_parameter',
  'invalid_id',
  'invalid_value',
  'not_writable',
  'no_row_identity',
  'permission_denied',
  'row_changed',
  'cascades_changed',
]);

/** Limits the retries while another client changes the structure again and again. */
const maxAttempts = 4;

interface RetryOptions {
  /** The table whose rows the operation addresses to write them. */
  readonly writesTo?: string | undefined;
  /** The token that the table had when a client last saw it; unknown after a restart. */
  readonly expectedAddress?: string | undefined;
}

export interface RetryResult<T> {
  readonly result: T;
  /** The schema that the result is based on; undefined when the work read none. */
  readonly usedSchema: CachedSchema | undefined;
}

/**
 * Runs the work, and repeats it when the cached schema that it used turns out to be out of date. An
 * error that an outdated schema could cause is returned only after the schema was verified. A write
 * that addresses rows runs only while an id means the row that the client saw.
 */
export async function retryOnStructureChange<T>(
  context: Context,
  { writesTo, expectedAddress }: RetryOptions,
  work: (context: Context, attempt: { readonly isRetry: boolean }) => Promise<T>,
): Promise<RetryResult<T>> {
  const { schemas } = context;
  let usedSchema: CachedSchema | undefined;
  let expected = expectedAddress;
  const checked = async (schema: Promise<CachedSchema>): Promise<CachedSchema> => {
    usedSchema = await schema;
    if (writesTo === undefined || expected === undefined) return usedSchema;
    if (changedTable(expected, usedSchema, writesTo) === undefined) return usedSchema;
    // The error shows the structure to the client, so it must be the current one.
    usedSchema = await schemas.verified();
    const table = changedTable(expected, usedSchema, writesTo);
    if (table !== undefined) throw structureChangedError(table);
    return usedSchema;
  };
  const watched: Context = {
    ...context,
    schemas: {
      current: () => checked(schemas.current()),
      verified: () => checked(schemas.verified()),
      refresh: () => checked(schemas.refresh()),
    },
  };
  for (let attempt = 1; ; attempt += 1) {
    usedSchema = undefined;
    try {
      const result = await work(watched, { isRetry: attempt > 1 });
      return { result, usedSchema };
    } catch (error) {
      const before = usedSchema as CachedSchema | undefined;
      if (attempt === maxAttempts)
        throw error instanceof StructureChanged ? keepsChangingError(error) : error;
      const currentSchema = await currentStructure(context, {
        error,
        before,
        isFirst: attempt === 1,
      });
      if (currentSchema === undefined || currentSchema === before) throw error;
      // For a table that no client has seen yet, ids mean what they meant at the first attempt.
      const table = writesTo === undefined ? undefined : tableOf(before, writesTo);
      if (table !== undefined) expected ??= addressToken(table);
    }
  }
}

interface Failure {
  readonly error: unknown;
  /** The schema that the work used. */
  readonly before: CachedSchema | undefined;
  readonly isFirst: boolean;
}

/** The current schema; undefined when an outdated one cannot be the cause of the error. */
async function currentStructure(
  { schemas, database }: Context,
  { error, before, isFirst }: Failure,
): Promise<CachedSchema | undefined> {
  if (error instanceof StructureChanged) return schemas.refresh();
  // A view may reference a table that does not exist: a second failure needs a new structure.
  if (database.dialect.isStructureError(error))
    return isFirst ? schemas.refresh() : schemas.verified().catch(() => undefined);
  const code =
    error instanceof StudioError ? error.code : database.dialect.translateError(error)?.code;
  if (before === undefined || code === undefined || !structureDependent.has(code)) return undefined;
  // A failure of the verification must not replace the error of the request.
  return schemas.verified().catch(() => undefined);
}

function tableOf(usedSchema: CachedSchema | undefined, name: string): Table | undefined {
  return usedSchema === undefined ? undefined : tablesByName(usedSchema.schema).get(name);
}

/** The table, if its key or its soft-delete column has changed. */
function changedTable(
  expected: string,
  currentSchema: CachedSchema,
  name: string,
): Table | undefined {
  const table = tableOf(currentSchema, name);
  return table === undefined || isStillValid(expected, addressToken(table)) ? undefined : table;
}

function structureChangedError(table: Table): StudioError {
  return new StudioError(
    'structure_changed',
    `The key or the soft-delete column of table "${table.name}" has changed since its rows were last shown; nothing was written. Load the rows again and repeat the request.`,
    { table: table.name, shown: addressTokens([table]) },
  );
}

/** The next attempt may succeed, so a request that is repeated with its `Idempotency-Key` counts as the first one. */
function keepsChangingError({ table, during }: StructureChanged): StudioError {
  const outcome = during === 'write' ? `; ${nothingWritten}` : '';
  return new StudioError(
    'database_busy',
    `The structure of table "${table}" keeps changing${outcome}. Repeat the request.`,
    { table },
  );
}
