import { adoptTotal } from './adopt-total.ts';
import { bulkDelete } from '../rows/bulk-delete.ts';
import { addressTokens } from '../core/address-token.ts';
import { changeRows } from '../rows/change-rows.ts';
import { createRow } from '../rows/create-row.ts';
import { removeRow } from '../rows/delete-row.ts';
import { withDatabaseErrors } from '../core/explain-error.ts';
import { tablesByName } from '../core/find-table.ts';
import { followStructure } from '../core/follow-structure.ts';
import { getRow } from '../rows/get-row.ts';
import { getSchema, refreshSchema } from '../schema/get-schema.ts';
import { listRelated } from '../rows/list-related.ts';
import { listRows } from '../rows/list-rows.ts';
import { ping } from '../core/ping.ts';
import { readCell } from '../rows/read-cell.ts';
import { runSql } from '../sql/run-sql.ts';
import { changeRow } from '../rows/update-row.ts';
import { uploadCell } from '../rows/upload-cell.ts';
import type { ExpectedAddress } from '../core/address-token.ts';
import type { Context, Turn } from '../core/context.ts';
import type { Reply } from '../core/reply.ts';
import type { KnownSchema } from '../core/schema-cache.ts';

/**
 * Where an operation may run when statements cannot be interrupted: `quick` first among bounded
 * work (it defers what is not), `slow` beside other long reads, `write` alone.
 */
export type Lane = 'quick' | 'slow' | 'write';

interface Operation {
  readonly lane: Lane;
  /** A write that may share its transaction with others of its kind. */
  readonly isSmall?: boolean;
  /** A write of rows by their ids. */
  readonly addressesRows?: boolean;
  perform(context: Context, input: never, turn: Turn): Promise<Reply>;
}

/** What few ask for is loaded when it is asked for: a lane's process starts the sooner. */
function lazily<Input>(
  load: () => Promise<(context: Context, input: Input, turn: Turn) => Promise<Reply>>,
): (context: Context, input: Input, turn: Turn) => Promise<Reply> {
  return async (context, input, turn) => (await load())(context, input, turn);
}

/** Everything a studio does, by name: one use case a file. */
export const operations = {
  'get-schema': { lane: 'slow', perform: getSchema },
  'refresh-schema': { lane: 'slow', perform: refreshSchema },
  'list-rows': { lane: 'quick', perform: listRows },
  'get-row': { lane: 'quick', perform: getRow },
  'list-related': { lane: 'quick', perform: listRelated },
  'read-cell': { lane: 'slow', perform: readCell },
  'create-row': { lane: 'write', isSmall: true, perform: createRow },
  'update-row': { lane: 'write', isSmall: true, addressesRows: true, perform: changeRow },
  'delete-row': { lane: 'write', isSmall: true, addressesRows: true, perform: removeRow },
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
    perform: lazily(async () => (await import('../export/diagram-key.ts')).findDiagramKey),
  },
  ping: { lane: 'quick', perform: ping },
  'adopt-total': { lane: 'quick', perform: adoptTotal },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

export function addressesRows(name: OperationName): boolean {
  const operation: Operation = operations[name];
  return operation.addressesRows === true;
}

/** Performs an operation by name, by the structure as it is now. */
export async function performOperation(
  context: Context,
  call: { readonly name: OperationName; readonly input: unknown },
  turn: Turn,
): Promise<Reply> {
  const operation: Operation = operations[call.name];
  const following = addressesRows(call.name) ? followingOf(call.input) : {};
  try {
    const { result, known } = await followStructure(context, following, (followed, { isRetry }) =>
      operation.perform(followed, call.input as never, isRetry ? { ...turn, isRetry } : turn),
    );
    return operation.lane === 'write' ? withShown(result, known, call.input) : result;
  } catch (error) {
    throw withDatabaseErrors(context.database.dialect, error);
  }
}

/** Every write is to one table. */
interface WriteInput extends ExpectedAddress {
  readonly table: string;
}

function followingOf(input: unknown): Parameters<typeof followStructure>[1] {
  const { table, expectedAddress } = input as WriteInput;
  return { writesTo: table, expectedAddress };
}

function withShown(reply: Reply, known: KnownSchema | undefined, input: unknown): Reply {
  const table =
    known === undefined ? undefined : tablesByName(known.schema).get((input as WriteInput).table);
  if (table === undefined) return reply;
  return { ...reply, meta: { ...reply.meta, shown: addressTokens([table]) } };
}
