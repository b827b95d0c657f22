import { cacheTotal } from './cache-total.ts';
import { bulkDelete } from '../rows/write/bulk-delete.ts';
import { addressTokens } from '../core/address-token.ts';
import { changeRows } from '../rows/write/change-rows.ts';
import { createRow } from '../rows/write/create-row.ts';
import { deleteRow } from '../rows/write/delete-row.ts';
import { operationNeeding } from '../core/capabilities.ts';
import { watchCommits } from '../core/commit-watch.ts';
import { asDatabaseError } from '../core/explain-error.ts';
import { tablesByName } from '../core/find-table.ts';
import { retryOnStructureChange } from '../core/retry-on-structure-change.ts';
import { getRow } from '../rows/read/get-row.ts';
import { describeTables } from '../schema/describe-tables.ts';
import { getSchema, refreshSchema } from '../schema/get-schema.ts';
import { listRelated } from '../rows/read/list-related.ts';
import { listRows } from '../rows/read/list-rows.ts';
import { ping } from '../core/ping.ts';
import { serverState } from '../core/server-state.ts';
import { previewChanges } from '../rows/write/preview-changes.ts';
import { readCell } from '../rows/read/read-cell.ts';
import { runSql } from '../sql/run-sql.ts';
import { updateRow } from '../rows/write/update-row.ts';
import { uploadCell } from '../rows/write/upload-cell.ts';
import type { ExpectedAddress } from '../core/address-token.ts';
import type { Context, Invocation } from '../core/context.ts';
import type { Reply } from '../core/reply.ts';
import type { CachedSchema } from '../core/schema-cache.ts';

/**
 * Where an operation runs if statements cannot be interrupted. `quick`: only work of bounded cost,
 * other work is deferred to a slow lane. `slow`: in parallel with other long reads. `write`: one
 * write at a time.
 */
export type Lane = 'quick' | 'slow' | 'write';

interface Operation {
  readonly lane: Lane;
  /** A write that may share its transaction with other small writes. */
  readonly isSmall?: boolean;
  /**
   * Whether the reply shows tables whose rows a client may then write by their ids. Such a reply must name
   * them in `meta.shown`.
   */
  readonly showsTables: boolean;
  /** Whether the operation writes rows by their ids. */
  readonly addressesRows?: boolean;
  /** A property, not a method, so that tsc rejects a function that needs capabilities without naming them. */
  readonly perform: (context: Context, input: never, invocation: Invocation) => Promise<Reply>;
}

/** Loads rarely used operations on first use, so that the process of a lane starts faster. */
function loadOnFirstUse<Input>(
  load: () => Promise<(context: Context, input: Input, invocation: Invocation) => Promise<Reply>>,
): (context: Context, input: Input, invocation: Invocation) => Promise<Reply> {
  return async (context, input, invocation) => (await load())(context, input, invocation);
}

/** An operation that writes rows. */
function writeOperation<Input>(
  perform: (context: Context<'write'>, input: Input, invocation: Invocation) => Promise<Reply>,
): (context: Context, input: Input, invocation: Invocation) => Promise<Reply> {
  return operationNeeding(['write'], perform);
}

/** All operations by name, one file each. An operation that needs more than reading names its capabilities. */
export const operations = {
  'get-schema': { lane: 'slow', showsTables: true, perform: getSchema },
  'refresh-schema': { lane: 'slow', showsTables: true, perform: refreshSchema },
  'describe-tables': { lane: 'slow', showsTables: false, perform: describeTables },
  'list-rows': { lane: 'quick', showsTables: true, perform: listRows },
  'get-row': { lane: 'quick', showsTables: true, perform: getRow },
  'list-related': { lane: 'quick', showsTables: true, perform: listRelated },
  'read-cell': { lane: 'slow', showsTables: false, perform: readCell },
  'create-row': {
    lane: 'write',
    showsTables: false,
    isSmall: true,
    perform: writeOperation(createRow),
  },
  'update-row': {
    lane: 'write',
    showsTables: false,
    isSmall: true,
    addressesRows: true,
    perform: writeOperation(updateRow),
  },
  'delete-row': {
    lane: 'write',
    showsTables: false,
    isSmall: true,
    addressesRows: true,
    perform: writeOperation(deleteRow),
  },
  'bulk-delete': {
    lane: 'write',
    showsTables: false,
    addressesRows: true,
    perform: writeOperation(bulkDelete),
  },
  'change-rows': {
    lane: 'write',
    showsTables: false,
    addressesRows: true,
    perform: writeOperation(changeRows),
  },
  // Does not report a changed key: the write that follows must be the one that is rejected.
  'preview-changes': { lane: 'slow', showsTables: false, perform: writeOperation(previewChanges) },
  'upload-cell': {
    lane: 'write',
    showsTables: false,
    addressesRows: true,
    perform: writeOperation(uploadCell),
  },
  'run-sql': { lane: 'slow', showsTables: false, perform: operationNeeding(['sql'], runSql) },
  'export-schema': {
    lane: 'slow',
    showsTables: false,
    perform: loadOnFirstUse(async () => (await import('../export/export-schema.ts')).exportSchema),
  },
  'export-models': {
    lane: 'slow',
    showsTables: false,
    perform: loadOnFirstUse(async () =>
      operationNeeding(['ddl', 'gorm'], (await import('../export/export-models.ts')).exportModels),
    ),
  },
  'find-diagram-key': {
    lane: 'slow',
    showsTables: false,
    perform: loadOnFirstUse(
      async () => (await import('../export/find-diagram-key.ts')).findDiagramKey,
    ),
  },
  'server-state': { lane: 'quick', showsTables: false, perform: serverState },
  ping: { lane: 'quick', showsTables: false, perform: ping },
  'cache-total': { lane: 'quick', showsTables: false, perform: cacheTotal },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

export function addressesRows(name: OperationName): boolean {
  const operation: Operation = operations[name];
  return operation.addressesRows === true;
}

/** Performs an operation by name on the current structure of the database. */
export async function performOperation(
  context: Context,
  call: { readonly name: OperationName; readonly input: unknown },
  invocation: Invocation,
): Promise<Reply> {
  const operation: Operation = operations[call.name];
  const retryOptions = addressesRows(call.name) ? retryOptionsOf(call.input) : {};
  const commits = operation.lane === 'write' ? watchCommits(context.database) : undefined;
  try {
    const { result, usedSchema } = await retryOnStructureChange(
      commits === undefined ? context : { ...context, database: commits.database },
      retryOptions,
      (write, { isRetry }) =>
        operation.perform(
          write,
          call.input as never,
          isRetry ? { ...invocation, isRetry } : invocation,
        ),
    );
    mustNameShownTables(call.name, result);
    return operation.lane === 'write' ? withShown(result, usedSchema, call.input) : result;
  } catch (error) {
    const failure = asDatabaseError(context.database.dialect, error);
    throw commits === undefined ? failure : commits.explain(failure);
  }
}

/** Without the tables, a later write would be compared with an older structure than the client saw. */
function mustNameShownTables(name: OperationName, { meta }: Reply): void {
  if (meta.deferred === undefined && (meta.shown !== undefined) !== operations[name].showsTables)
    throw new Error(`The reply of "${name}" does not name the tables that it shows as declared.`);
}

/** Every write has exactly one table. */
interface WriteInput extends ExpectedAddress {
  readonly table: string;
}

function retryOptionsOf(input: unknown): Parameters<typeof retryOnStructureChange>[1] {
  const { table, expectedAddress } = input as WriteInput;
  return { writesTo: table, expectedAddress };
}

function withShown(reply: Reply, usedSchema: CachedSchema | undefined, input: unknown): Reply {
  const table =
    usedSchema === undefined
      ? undefined
      : tablesByName(usedSchema.schema).get((input as WriteInput).table);
  if (table === undefined) return reply;
  return { ...reply, meta: { ...reply.meta, shown: addressTokens([table]) } };
}
