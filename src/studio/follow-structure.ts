import { StudioError } from '../model/errors.ts';
import { identityOf } from '../model/row-id.ts';
import { tablesByName } from './find-table.ts';
import type { ErrorCode } from '../model/errors.ts';
import type { Table } from '../model/schema.ts';
import type { Context } from './context.ts';
import type { KnownSchema } from './schema-cache.ts';

/** Thrown by a write, whose transaction is rolled back: the table is not as the studio knows it. */
export class StructureChanged extends Error {
  constructor(table: string) {
    super(`The structure of table "${table}" has changed.`);
  }
}

/** Errors that another structure could explain. */
const doubtful: ReadonlySet<ErrorCode> = new Set([
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
]);

/** Another client may change the structure again and again. After so many retries the error is returned. */
const mostAttempts = 4;

interface Following {
  /** The table that the operation writes to. */
  readonly writesTo?: string | undefined;
}

/**
 * Does the work, and does it again where the structure that it went by turns out to be an older one.
 * An error that another structure could explain is given only of the present structure.
 */
export async function followStructure<T>(
  context: Context,
  { writesTo }: Following,
  work: (context: Context, attempt: { readonly isRetry: boolean }) => Promise<T>,
): Promise<T> {
  let used: KnownSchema | undefined;
  const noting = async (schema: Promise<KnownSchema>): Promise<KnownSchema> =>
    (used = await schema);
  const { schemas } = context;
  const watched: Context = {
    ...context,
    schemas: {
      current: () => noting(schemas.current()),
      verified: () => noting(schemas.verified()),
      refresh: () => noting(schemas.refresh()),
    },
  };
  for (let attempt = 1; ; attempt += 1) {
    used = undefined;
    try {
      return await work(watched, { isRetry: attempt > 1 });
    } catch (error) {
      const before = used as KnownSchema | undefined;
      if (attempt === mostAttempts) throw error instanceof StructureChanged ? changed() : error;
      const now = await structureNow(context, { error, before, isFirst: attempt === 1 });
      if (now === undefined || now === before) throw error;
      if (before !== undefined && writesTo !== undefined) mustMeanTheSame(before, now, writesTo);
    }
  }
}

interface Failure {
  readonly error: unknown;
  /** The structure that the work went by. */
  readonly before: KnownSchema | undefined;
  readonly isFirst: boolean;
}

/** Undefined where the structure has nothing to do with the error. */
async function structureNow(
  { schemas, database }: Context,
  { error, before, isFirst }: Failure,
): Promise<KnownSchema | undefined> {
  if (error instanceof StructureChanged) return schemas.refresh();
  // The second time it is no news: a view may name what is not there.
  if (database.dialect.isStructureError(error)) return isFirst ? schemas.refresh() : undefined;
  if (before === undefined || !(error instanceof StudioError) || !doubtful.has(error.code))
    return undefined;
  // What the check meets says nothing of the request.
  return schemas.verified().catch(() => undefined);
}

/** By another key an id means another row; without the soft delete a row would be gone for good. */
function mustMeanTheSame(before: KnownSchema, now: KnownSchema, name: string): void {
  const old = tablesByName(before.schema).get(name);
  const current = tablesByName(now.schema).get(name);
  if (old === undefined || current === undefined) return;
  const keeps =
    old.softDelete === undefined ||
    JSON.stringify(old.softDelete) === JSON.stringify(current.softDelete);
  if (keeps && addressOf(old) === addressOf(current)) return;
  throw changed(name);
}

function addressOf(table: Table): string {
  const identity = identityOf(table);
  if (identity.kind === 'none') return 'none';
  const names = identity.kind === 'rowid' ? [] : identity.columns;
  const types = names.map((name) => table.columns.find((column) => column.name === name)?.type);
  return JSON.stringify([identity.kind, names, types]);
}

function changed(name?: string): StudioError {
  const what =
    name === undefined
      ? 'The structure of the database keeps changing'
      : `The key or the soft delete of table "${name}" has just been changed`;
  return new StudioError(
    'structure_changed',
    `${what}; nothing was written. Load the rows again and repeat the request.`,
  );
}
