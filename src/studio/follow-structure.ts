import { StudioError } from '../model/errors.ts';
import { addressToken, addressTokens, meansTheSame } from './address-token.ts';
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
  /** The table whose rows the operation addresses to write them. */
  readonly writesTo?: string | undefined;
  /** What its ids mean by the structure that a client was last shown; unknown after a restart. */
  readonly expectedAddress?: string | undefined;
}

export interface Followed<T> {
  readonly result: T;
  /** The structure that the result goes by; undefined where it goes by none. */
  readonly known: KnownSchema | undefined;
}

/**
 * Does the work, and does it again where the structure that it went by turns out to be an older one.
 * An error that another structure could explain is given only of the present structure. A write that
 * addresses rows is done only while ids mean what they meant to the client.
 */
export async function followStructure<T>(
  context: Context,
  { writesTo, expectedAddress }: Following,
  work: (context: Context, attempt: { readonly isRetry: boolean }) => Promise<T>,
): Promise<Followed<T>> {
  const { schemas } = context;
  let used: KnownSchema | undefined;
  let expected = expectedAddress;
  const noting = async (schema: Promise<KnownSchema>): Promise<KnownSchema> => {
    used = await schema;
    if (writesTo === undefined || expected === undefined) return used;
    if (changedTable(expected, used, writesTo) === undefined) return used;
    // The error shows the structure, so it must be the present one.
    used = await schemas.verified();
    const table = changedTable(expected, used, writesTo);
    if (table !== undefined) throw changed(table);
    return used;
  };
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
      const result = await work(watched, { isRetry: attempt > 1 });
      return { result, known: used };
    } catch (error) {
      const before = used as KnownSchema | undefined;
      if (attempt === mostAttempts) throw error instanceof StructureChanged ? changed() : error;
      const now = await structureNow(context, { error, before, isFirst: attempt === 1 });
      if (now === undefined || now === before) throw error;
      // A table that no client was shown is written by the structure that the request met first.
      const table = writesTo === undefined ? undefined : tableOf(before, writesTo);
      if (table !== undefined) expected ??= addressToken(table);
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

function tableOf(known: KnownSchema | undefined, name: string): Table | undefined {
  return known === undefined ? undefined : tablesByName(known.schema).get(name);
}

/** The table, if its ids and deletions mean something else by now. */
function changedTable(expected: string, now: KnownSchema, name: string): Table | undefined {
  const table = tableOf(now, name);
  return table === undefined || meansTheSame(expected, addressToken(table)) ? undefined : table;
}

function changed(table?: Table): StudioError {
  const what =
    table === undefined
      ? 'The structure of the database keeps changing'
      : `The key or the soft-delete column of table "${table.name}" has changed since its rows were last shown`;
  return new StudioError(
    'structure_changed',
    `${what}; nothing was written. Load the rows again and repeat the request.`,
    table === undefined ? {} : { table: table.name, shown: addressTokens([table]) },
  );
}
