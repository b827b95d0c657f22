import { closedError, createSlots } from './connection-slots.ts';
import { watchServer } from './server-watch.ts';
import type { AcquireOptions, PoolStats } from '../model/database.ts';

export interface PoolOptions<C> {
  readonly maxConnections: number;
  /** A longer wait for a connection fails with `database_busy`. */
  readonly waitMs: number;
  /** A connection is closed after being idle for this long. */
  readonly idleMs: number;
  /** `signal` cancels opening it. */
  open(signal: AbortSignal): Promise<C>;
  /** Opens one to the same server as another connection, where `open` may choose between servers. */
  openBeside?(connection: C, signal: AbortSignal): Promise<C>;
  /** Whether a connection can be reused. */
  isUsable(connection: C): boolean;
  /** Whether the connection is lost. Idle connections to the same server may then be lost too. */
  isLost(connection: C): boolean;
  /** Closes a connection in use at once: what waits for its server fails. */
  destroy(connection: C): void;
  /** Prepares a released connection for its next use. */
  reset?(connection: C): void;
  close(connection: C): Promise<void>;
  /** Set for long jobs: a connection in use is destroyed when its server no longer answers. */
  transferredBytes?: ((connection: C) => number) | undefined;
}

/** Connections that are opened when needed, used by one caller at a time, and reused. */
export interface Pool<C> {
  /**
   * Runs `work` with a connection; `signal` cancels the wait for one. If the work still runs
   * `abandonMs` after its signal aborted, its connection is destroyed and its slot is released.
   */
  use<T>(work: (connection: C) => Promise<T>, options?: PoolAcquireOptions): Promise<T>;
  /** The same, but the connection is closed after the work, whatever its state. */
  useOnce<T>(work: (connection: C) => Promise<T>, options?: PoolAcquireOptions): Promise<T>;
  /** Returns a connection that the caller must release. */
  acquire(options?: PoolAcquireOptions): Promise<C>;
  release(connection: C): void;
  stats(): PoolStats;
  /** Rejects further callers. Resolves when all connections are closed, after `abandonMs` at most. */
  close(): Promise<void>;
}

/** The signal aborts the wait for a connection. */
type PoolAcquireOptions = Pick<AcquireOptions, 'signal' | 'use'>;

/** Statements have shorter limits. This one is for anything else that waits for an unresponsive server. */
const abandonMs = 10_000;

/** The pool if it has an idle connection, else the other one, so that the caller need not wait for connections in use. */
export function idlePoolOr<C>(pool: Pool<C>, fallbackPool: Pool<C>): Pool<C> {
  return pool.stats().idle > 0 ? pool : fallbackPool;
}

export function createPool<C>(options: PoolOptions<C>): Pool<C> {
  const slots = createSlots(options.maxConnections, options.waitMs);
  const idle = createIdleConnections(options);
  const inUse = createLeases(options);
  const closing = new AbortController();

  const acquire = async ({ signal, use }: PoolAcquireOptions = {}): Promise<C> => {
    await slots.acquire(signal, use);
    try {
      const signals = signal === undefined ? [closing.signal] : [signal, closing.signal];
      const connection = idle.take() ?? (await options.open(AbortSignal.any(signals)));
      inUse.begin(connection, use);
      return connection;
    } catch (error) {
      slots.release(use);
      throw error;
    }
  };

  const release = (connection: C): void => {
    options.reset?.(connection);
    if (closing.signal.aborted || !options.isUsable(connection)) return discard(connection);
    const lease = inUse.end(connection);
    if (lease === undefined) return;
    idle.put(connection);
    slots.release(lease.use);
  };

  /** Releases the slot, and closes the connection instead of reusing it. */
  const discard = (connection: C): void => {
    const lease = inUse.end(connection);
    if (lease === undefined) return;
    if (options.isLost(connection)) idle.closeAll();
    idle.discard(connection);
    slots.release(lease.use);
  };

  return {
    acquire,
    release,
    useOnce: createUse(options, acquire, discard),
    use: createUse(options, acquire, release),
    stats: () => statsOf(options.maxConnections, idle.size(), slots.stats()),
    close: async () => {
      closing.abort(closedError());
      const timer = setTimeout(() => {
        for (const connection of inUse.connections()) {
          options.destroy(connection);
          release(connection);
        }
      }, abandonMs);
      await slots.close();
      clearTimeout(timer);
      await idle.close();
    },
  };
}

interface Lease {
  readonly use: PoolAcquireOptions['use'];
  readonly endWatch: (() => void) | undefined;
}

/** The connections in use. */
function createLeases<C>(options: PoolOptions<C>) {
  const leases = new Map<C, Lease>();
  const { transferredBytes, open } = options;
  const openBeside = options.openBeside ?? ((_: C, signal: AbortSignal) => open(signal));
  return {
    begin: (connection: C, use: Lease['use']): void => {
      const endWatch =
        transferredBytes && watchServer({ ...options, openBeside, transferredBytes }, connection);
      leases.set(connection, { use, endWatch });
    },
    /** Undefined if the connection is not in use. */
    end: (connection: C): Lease | undefined => {
      const lease = leases.get(connection);
      lease?.endWatch?.();
      leases.delete(connection);
      return lease;
    },
    connections: () => leases.keys(),
  };
}

function createUse<C>(
  { destroy }: Pick<PoolOptions<C>, 'destroy'>,
  acquire: Pool<C>['acquire'],
  release: (connection: C) => void,
): Pool<C>['use'] {
  return async (work, options = {}) => {
    const connection = await acquire(options);
    const abandonment = createAbandonment(options.signal, () => destroy(connection));
    try {
      return await Promise.race([work(connection), abandonment.rejected]);
    } finally {
      abandonment.stop();
      release(connection);
    }
  };
}

/** `abandonMs` after the signal aborts, the connection is destroyed and `rejected` rejects. */
function createAbandonment(signal: AbortSignal | undefined, destroy: () => void) {
  const { promise: rejected, reject } = Promise.withResolvers<never>();
  rejected.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => {
      destroy();
      reject(signal?.reason);
    }, abandonMs);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  return {
    rejected,
    stop: (): void => {
      signal?.removeEventListener('abort', onAbort);
      clearTimeout(timer);
    },
  };
}

function statsOf(
  maxOpenConnections: number,
  idle: number,
  { inUse, waitCount, waitDurationMs }: ReturnType<ReturnType<typeof createSlots>['stats']>,
): PoolStats {
  return {
    maxOpenConnections,
    openConnections: inUse + idle,
    inUse,
    idle,
    waitCount,
    waitDurationMs,
  };
}

/** A stack of idle connections: the last used one is reused first, so that the others reach their idle limit. */
interface IdleConnections<C> {
  take(): C | undefined;
  put(connection: C): void;
  /** Closes a connection that must not be reused. */
  discard(connection: C): void;
  /** Closes all idle connections. */
  closeAll(): void;
  size(): number;
  close(): Promise<void>;
}

function createIdleConnections<C>(options: PoolOptions<C>): IdleConnections<C> {
  const idle: { readonly connection: C; readonly timer: NodeJS.Timeout }[] = [];
  const closings = new Set<Promise<void>>();

  const discard = (connection: C): void => {
    const closing = options
      .close(connection)
      .catch(() => {})
      .finally(() => closings.delete(closing));
    closings.add(closing);
  };

  const expire = (connection: C): void => {
    idle.splice(
      idle.findIndex((each) => each.connection === connection),
      1,
    );
    discard(connection);
  };

  const closeAll = (): void => {
    for (const { connection, timer } of idle.splice(0)) {
      clearTimeout(timer);
      discard(connection);
    }
  };

  return {
    take: () => {
      for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
        clearTimeout(found.timer);
        if (options.isUsable(found.connection)) return found.connection;
        discard(found.connection);
      }
      return undefined;
    },
    put: (connection) => {
      const timer = setTimeout(() => expire(connection), options.idleMs);
      idle.push({ connection, timer: timer.unref() });
    },
    discard,
    size: () => idle.length,
    closeAll,
    close: async () => {
      closeAll();
      await Promise.all(closings);
    },
  };
}
