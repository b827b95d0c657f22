/** Reads of rows at a standby, which leave the primary to writes. */
import { isTimeout } from '../../model/errors.ts';
import { sumOfCacheUses } from '../core/cache-uses.ts';
import { operations } from './operations.ts';
import { createStandby, positionOf } from './standby.ts';
import type { Executor } from './executor.ts';
import type { OperationName } from './operations.ts';
import type { ConnectedServer } from './standby.ts';

/** Pages and their totals. Single rows and entity tags that a client asks for before it writes come from the primary. */
const readsOfPages: ReadonlySet<OperationName> = new Set(['list-rows', 'list-related']);

/**
 * Sends reads of pages to the standby. After a write through this studio, they go to the primary until
 * the standby has applied it. Where the standby fails, the primary is asked: it may be down, stop responding, cancel
 * reads while it applies changes, or have an older structure.
 */
export function withReplica(
  primary: ConnectedServer,
  open: () => Promise<ConnectedServer>,
): Executor {
  const standby = createStandby(open);
  const lag = createLag(primary.database);
  const perform: Executor['perform'] = async (name, input, options) => {
    if (!readsOfPages.has(name)) {
      // Raw SQL may write, too.
      const mayWrite = operations[name].lane === 'write' || name === 'run-sql';
      if (!mayWrite) return primary.executor.perform(name, input, options);
      return primary.executor.perform(name, input, options).finally(lag.written);
    }
    const replica = await standby.current();
    if (replica === undefined || !(await lag.isOver(() => standby.position(replica))))
      return primary.executor.perform(name, input, options);
    try {
      return await standby.whileResponding(replica, (ended) => {
        const signal = options.signal === undefined ? ended : AbortSignal.any([options.signal, ended]); // prettier-ignore
        return replica.executor.perform(name, input, { ...options, signal });
      });
    } catch (error) {
      // After a time limit, the primary would need as long.
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
    standby: () => standby.state(),
    cacheUses: () => sumOfCacheUses(primary.executor.cacheUses(), standby.cacheUses()),
    close: async () => {
      await standby.close();
      await primary.executor.close();
    },
  };
}

/** Whether the standby has applied what this studio has written. */
function createLag(primary: ConnectedServer['database']) {
  let hasWritten = false;
  let awaited: bigint | undefined;
  let reading: Promise<void> | undefined;
  const readAwaited = async (): Promise<void> => {
    hasWritten = false;
    const position = positionOf(await primary.serverState().catch(() => ({})));
    if (position === undefined) hasWritten = true;
    else awaited = position;
  };
  return {
    written: (): void => void (hasWritten = true),
    isOver: async (readApplied: () => Promise<bigint | undefined>): Promise<boolean> => {
      if (hasWritten) reading = readAwaited();
      await reading;
      if (hasWritten) return false;
      const needed = awaited;
      if (needed === undefined) return true;
      const applied = await readApplied();
      if (applied === undefined || applied < needed) return false;
      if (awaited === needed) awaited = undefined;
      return true;
    },
  };
}
