import { adoptTotal } from './adopt-total.ts';
import { bulkDelete } from '../rows/bulk-delete.ts';
import { addressTokens } from '../core/address-token.ts';
import { changeRows } from '../rows/change-rows.ts';
import { createRow } from '../rows/create-row.ts';
import { deleteRow } from '../rows/delete-row.ts';
import { asDatabaseError } from '../core/explain-error.ts';
import { tablesByName } from '../core/find-table.ts';
import { retryOnStructureChange } from '../core/retry-on-structure-change.ts';
import { getRow } from '../rows/get-row.ts';
import { getSchema, refreshSchema } from '../schema/get-schema.ts';
import { listRelated } from '../rows/list-related.ts';
import { listRows } from '../rows/list-rows.ts';
import { ping } from '../core/ping.ts';
import { readCell } from '../rows/read-cell.ts';
import { runSql } from '../sql/run-sql.ts';
import { updateRow } from '../rows/update-row.ts';
import { uploadCell } from '../rows/upload-cell.ts';
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
  /** Whether the operation writes rows by their ids. */
  readonly addressesRows?: boolean;
  perform(context: Context, input: never, invocation: Invocation): Promise<Reply>;
}

/** Loads rarely used operations on first use, so that the process of a lane starts faster. */
function lazily<Input>(
  load: () => Promise<(context: Context, input: Input, invocation: Invocation) => Promise<Reply>>,
): (context: Context, input: Input, invocation: Invocation) => Promise<Reply> {
  return async (context, input, invocation) => (await load())(context, input, invocation);
}

/** All operations by name, one file each. */
export const operations = {
  'get-schema': { lane: 'slow', perform: getSchema },
  'refresh-schema': { lane: 'slow', perform: refreshSchema },
  'list-rows': { lane: 'quick', perform: listRows },
  'get-row': { lane: 'quick', perform: getRow },
  'list-related': { lane: 'quick', perform: listRelated },
  'read-cell': { lane: 'slow', perform: readCell },
  'create-row': { lane: 'write', isSmall: true, perform: createRow },
  'update-row': { lane: 'write', isSmall: true, addressesRows: true, perform: updateRow },
  'delete-row': { lane: 'write', isSmall: true, addressesRows: true, perform: deleteRow },
  'bulk-delete': { lane: 'write', addressesRows: true, perform: bulkDelete },
  'change-rows': { lane: 'write', addressesRows: true, perform: changeRows },
  'upload-cell': { lane: 'write', addressesRows: true, perform: uploadCell },
  'run-sql': { lane: 'slow', perform: runSql },
  'export-schema': {
    lane: 'slow',
    perform: lazily(async () => (await import('../export/export-schema.ts')).exportSchema),
  },
  'export-models': {
    lane: 'slow',
    perform: lazily(async () => (await import('../export/export-models.ts')).exportModels),
  },
  'find-diagram-key': {
    lane: 'slow',
    perform: lazily(async () => (await import('../export/find-diagram-key.ts')).findDiagramKey),
  },
  ping: { lane: 'quick', perform: ping },
  'adopt-total': { lane: 'quick', perform: adoptTotal },
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
  try {
    const { result, known } = await retryOnStructureChange(
      context,
      retryOptions,
      (followed, { isRetry }) =>
        operation.perform(
          followed,
          call.input as never,
          isRetry ? { ...invocation, isRetry } : invocation,
        ),
    );
    return operation.lane === 'write' ? withShown(result, known, call.input) : result;
  } catch (error) {
    throw asDatabaseError(context.database.dialect, error);
  }
}

/** Every write has exactly one table. */
interface WriteInput extends ExpectedAddress {
  readonly table: string;
}

function retryOptionsOf(input: unknown): Parameters<typeof retryOnStructureChange>[1] {
  const { table, expectedAddress } = input as WriteInput;
  return { writesTo: table, expectedAddress };
}

function withShown(reply: Reply, known: CachedSchema | undefined, input: unknown): Reply {
  const table =
    known === undefined ? undefined : tablesByName(known.schema).get((input as WriteInput).table);
  if (table === undefined) return reply;
  return { ...reply, meta: { ...reply.meta, shown: addressTokens([table]) } };
}
