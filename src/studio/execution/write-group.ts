import { describeThrown } from '../../processes/errors.ts';
import { StudioError } from '../../model/errors.ts';
import { performOperation } from './operations.ts';
import type { Database, Session, Transaction } from '../../model/database.ts';
import type { ThrownError } from '../../processes/errors.ts';
import type { Context, Turn } from '../core/context.ts';
import type { OperationName } from './operations.ts';
import type { Reply, ReplyMeta } from '../core/reply.ts';

/** A write that shares a transaction with others. */
export interface GroupedWrite {
  readonly name: OperationName;
  readonly input: unknown;
}

/** How one of them ended; `bytes` is how much of the common body is its own. */
export type GroupOutcome =
  | { readonly meta: ReplyMeta; readonly bytes: number }
  | { readonly error: ThrownError };

export interface GroupMeta {
  /** In the order of the writes. */
  readonly outcomes?: readonly GroupOutcome[];
  /** Told before the commit: if nothing follows, nobody knows whether it was done. */
  readonly isCommitting?: true;
}

/** Until the write's own limit. */
const noDeadline = 2 ** 30;

type Outcome = Reply | { readonly error: unknown };

/**
 * Performs writes in one transaction, with one wait for the disk. Each is a savepoint of its own:
 * one that fails costs the others nothing. Where that cannot be (the commit is refused, a trigger
 * ended the transaction), nothing was kept, and each is performed alone.
 */
export async function performGroup(
  context: Context,
  writes: readonly GroupedWrite[],
  turn: Turn,
): Promise<{ readonly meta: GroupMeta; readonly body: string }> {
  const outcomes =
    (await together(context, writes, turn)) ?? (await oneByOne(context, writes, turn));
  const replies = outcomes.map((outcome) => ('error' in outcome ? '' : String(outcome.body)));
  return {
    meta: { outcomes: outcomes.map((outcome, i) => told(outcome, replies[i] ?? '')) },
    body: replies.join(''),
  };
}

function told(outcome: Outcome, body: string): GroupOutcome {
  if ('error' in outcome) return { error: describeThrown(outcome.error) };
  return { meta: outcome.meta, bytes: Buffer.byteLength(body) };
}

/** Undefined when nothing was kept, and each is to be performed alone. */
async function together(
  context: Context,
  writes: readonly GroupedWrite[],
  turn: Turn,
): Promise<readonly Outcome[] | undefined> {
  let hasBegun = false;
  try {
    return await context.database.transaction('write', async (session) => {
      hasBegun = true;
      const inside = { ...context, database: within(context.database, session) };
      const outcomes: Outcome[] = [];
      for (const write of writes)
        outcomes.push(await inSavepoint(session, inside, { write, turn }));
      turn.provisional?.({ meta: { isCommitting: true } as ReplyMeta, body: '' }, noDeadline);
      return outcomes;
    });
  } catch (error) {
    // One by one, each would wait for the same lock.
    if (error instanceof StudioError && error.code === 'database_busy') throw error;
    if (hasBegun) return undefined;
    return writes.map(() => ({ error }));
  }
}

/** The database as one of the writes sees it: its transaction is the one that they share. */
function within(database: Database, session: Transaction): Database {
  return {
    ...database,
    run: session.run,
    stream: session.stream,
    transaction: (_mode, work) => work(session),
    read: (work) => work(session),
  };
}

interface Member {
  readonly write: GroupedWrite;
  readonly turn: Turn;
}

/** Throws when the transaction itself has ended: with it the savepoint is gone. */
async function inSavepoint(
  session: Session,
  context: Context,
  { write, turn }: Member,
): Promise<Outcome> {
  await command(session, 'SAVEPOINT one_write');
  try {
    const reply = await performOperation(context, write, turn);
    await command(session, 'RELEASE one_write');
    return reply;
  } catch (error) {
    await command(session, 'ROLLBACK TO one_write');
    await command(session, 'RELEASE one_write');
    return { error };
  }
}

async function command(session: Session, text: string): Promise<void> {
  await session.run({ text, params: [] });
}

async function oneByOne(
  context: Context,
  writes: readonly GroupedWrite[],
  turn: Turn,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    outcomes.push(
      await performOperation(context, write, turn).catch((error: unknown) => ({ error })),
    );
  }
  return outcomes;
}

/** Nobody knows whether the commit was done. */
export function unknownCommit(): StudioError {
  return new StudioError(
    'database_unavailable',
    'The process that wrote ended while it was committing: whether the row was written is to be looked up.',
  );
}
