/** Reads of rows at a standby, which leave the primary to writes. */
import { StudioError } from '../../model/errors.ts';
import { noCacheUses, sumOfCacheUses } from '../core/cache-uses.ts';
import { operations } from './operations.ts';
import type { Database } from '../../model/database.ts';
import type { Executor } from './executor.ts';
import type { CacheUses } from '../core/cache-uses.ts';
import type { OperationName } from './operations.ts';

/** Pages and their totals. Single rows and entity tags that a client asks for before it writes come from the primary. */
const readsOfPages: ReadonlySet<OperationName> = new Set(['list-rows', 'list-related']);

/** A standby that cannot be reached is tried again after this time. */
const retryMs = 5000;

/** A primary or a standby that the studio is connected to. */
export interface ConnectedServer {
  readonly executor: Executor;
  readonly database: Pick<Database, 'serverState'>;
}

/**
 * Sends reads of pages to the standby. After a write through this studio, they go to the primary until
 * the standby has applied it. Where the standby fails, the primary is asked: it may be down, cancel
 * reads while it applies changes, or have an older structure.
 */
export function withReplica(
  primary: ConnectedServer,
  open: () => Promise<ConnectedServer>,
): Executor {
  const connection = createConnection(open);
  const lag = createLag(primary.database);
  const perform: Executor['perform'] = async (name, input, options) => {
    if (!readsOfPages.has(name)) {
      // Raw SQL may write, too.
      const mayWrite = operations[name].lane === 'write' || name === 'run-sql';
      if (!mayWrite) return primary.executor.perform(name, input, options);
      return primary.executor.perform(name, input, options).finally(lag.written);
    }
    const replica = await connection.current();
    if (replica === undefined || !(await lag.isOver(replica.database)))
      return primary.executor.perform(name, input, options);
    try {
      return await replica.executor.perform(name, input, options);
    } catch (error) {
      if (options.signal?.aborted === true || isTimeout(error)) throw error;
      return primary.executor.perform(name, input, options);
    }
  };
  return {
    ...primary.executor,
    perform,
    addJob: (job) => {
      const handle = primary.executor.addJob(job);
      const end = (): void => {
        if (job.isWrite) lag.written();
        handle.end();
      };
      return { ...handle, end };
    },
    cacheUses: () => sumOfCacheUses(primary.executor.cacheUses(), connection.cacheUses()),
    close: async () => {
      await connection.close();
      await primary.executor.close();
    },
  };
}

/** The primary would need as long. */
function isTimeout(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'statement_timeout';
}

function createConnection(open: () => Promise<ConnectedServer>) {
  let opening: Promise<ConnectedServer | undefined> | undefined;
  let opened: ConnectedServer | undefined;
  return {
    current: (): Promise<ConnectedServer | undefined> =>
      (opening ??= open().then(
        (server) => (opened = server),
        () => {
          setTimeout(() => (opening = undefined), retryMs).unref();
          return undefined;
        },
      )),
    cacheUses: (): CacheUses => opened?.executor.cacheUses() ?? noCacheUses,
    close: async (): Promise<void> => (await opening)?.executor.close(),
  };
}

/** Whether the standby has applied what this studio has written. */
function createLag(primary: ConnectedServer['database']) {
  let hasWritten = false;
  let awaited: bigint | undefined;
  let reading: Promise<void> | undefined;
  const readAwaited = async (): Promise<void> => {
    hasWritten = false;
    const position = await positionOf(primary);
    if (position === undefined) hasWritten = true;
    else awaited = position;
  };
  return {
    written: (): void => void (hasWritten = true),
    isOver: async (replica: ConnectedServer['database']): Promise<boolean> => {
      if (hasWritten) reading = readAwaited();
      await reading;
      if (hasWritten) return false;
      const needed = awaited;
      if (needed === undefined) return true;
      const applied = await positionOf(replica);
      if (applied === undefined || applied < needed) return false;
      if (awaited === needed) awaited = undefined;
      return true;
    },
  };
}

async function positionOf(database: ConnectedServer['database']): Promise<bigint | undefined> {
  const { position } = await database.serverState().catch(() => ({ position: undefined }));
  return position === undefined ? undefined : BigInt(position);
}
