import { describeThrown } from '../../processes/errors.ts';
import { StudioError } from '../../model/errors.ts';
import type { WriteOutcome } from '../../model/errors.ts';
import { performOperation } from './operations.ts';
import { withStatedOutcome } from '../core/write-transaction.ts';
import { operationNeeding } from '../core/capabilities.ts';
import type { Database, Session } from '../../model/database.ts';
import type { Context, Invocation } from '../core/context.ts';
import type { OperationName } from './operations.ts';
import type { GroupOutcome, Reply } from '../core/reply.ts';

/** A write that shares a transaction with others. */
export interface GroupedWrite {
  readonly name: OperationName;
  readonly input: unknown;
}

type Outcome = Reply | { readonly error: unknown };

/**
 * Performs writes in one transaction, with one sync to disk. Each has a savepoint of its own, so that
 * a write that fails does not affect the others. If the whole transaction fails (the commit is
 * rejected, or a trigger ended it), everything is rolled back and each write is performed on its own.
 */
export const performGroup = operationNeeding(['write'], performWrites);

async function performWrites(
  context: Context<'write'>,
  writes: readonly GroupedWrite[],
  invocation: Invocation,
): Promise<Reply> {
  const outcomes =
    (await performTogether(context, writes, invocation)) ??
    (await performOneByOne(context, writes, invocation));
  const replies = outcomes.map((outcome) => ('error' in outcome ? '' : String(outcome.body)));
  return {
    meta: { outcomes: outcomes.map((outcome, i) => toGroupOutcome(outcome, replies[i] ?? '')) },
    body: replies.join(''),
  };
}

function toGroupOutcome(outcome: Outcome, body: string): GroupOutcome {
  if ('error' in outcome) return { error: describeThrown(outcome.error) };
  return { meta: outcome.meta, bytes: Buffer.byteLength(body) };
}

/** Undefined if everything was rolled back. The writes are then performed one by one. */
async function performTogether(
  context: Context<'write'>,
  writes: readonly GroupedWrite[],
  invocation: Invocation,
): Promise<readonly Outcome[] | undefined> {
  let hasBegun = false;
  try {
    return await context.database.transaction('write', async (session) => {
      hasBegun = true;
      const writeContext = {
        ...context,
        database: databaseInTransaction(context.database, session),
      };
      const outcomes: Outcome[] = [];
      for (const write of writes)
        outcomes.push(await inSavepoint(session, writeContext, { write, invocation }));
      return outcomes;
    });
  } catch (error) {
    // Performed one by one, each write would wait for the same lock.
    if (error instanceof StudioError && error.code === 'database_busy') throw error;
    if (hasBegun) return undefined;
    return writes.map(() => ({ error: withStatedOutcome(error, 'nothing_written') }));
  }
}

/** The database for one of the writes: its transactions all are the shared one. */
function databaseInTransaction(database: Database<'write'>, session: Session): Database<'write'> {
  return {
    ...database,
    run: session.run,
    stream: session.stream,
    transaction: (_mode, work) => work(session),
    read: (work) => work(session),
  };
}

interface MemberWrite {
  readonly write: GroupedWrite;
  readonly invocation: Invocation;
}

/** Throws if the transaction itself has ended, because the savepoint no longer exists then. */
async function inSavepoint(
  session: Session,
  context: Context,
  { write, invocation }: MemberWrite,
): Promise<Outcome> {
  await runText(session, 'SAVEPOINT one_write');
  try {
    const reply = await performOperation(context, write, invocation);
    await runText(session, 'RELEASE one_write');
    return reply;
  } catch (error) {
    await runText(session, 'ROLLBACK TO one_write');
    await runText(session, 'RELEASE one_write');
    return { error };
  }
}

async function runText(session: Session, text: string): Promise<void> {
  await session.run({ text, params: [] });
}

async function performOneByOne(
  context: Context,
  writes: readonly GroupedWrite[],
  invocation: Invocation,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    outcomes.push(
      await performOperation(context, write, invocation).catch((error: unknown) => ({ error })),
    );
  }
  return outcomes;
}

/** The error of a write whose commit may or may not have succeeded. */
export function unknownCommitError(): StudioError {
  return new StudioError(
    'database_unavailable',
    'The process ended while it was committing the write. Check whether the row was written.',
    { outcome: 'unknown' satisfies WriteOutcome },
  );
}
