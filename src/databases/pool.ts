import { closedError, createPlaces } from './places.ts';
import type { AcquireOptions, PoolStats } from '../model/database.ts';

export interface PoolOptions<C> {
  readonly most: number;
  /** Waiting longer for a connection is `database_busy`. */
  readonly waitMs: number;
  /** A connection that nobody needed for so long is closed. */
  readonly idleMs: number;
  /** `signal` gives up opening it. */
  open(signal: AbortSignal): Promise<C>;
  /** Whether a connection can serve the next one who needs it. */
  isUsable(connection: C): boolean;
  /** Whether the connection is gone, and others that were opened to the server may be gone with it. */
  isLost(connection: C): boolean;
  /** Breaks a connection that is lent: what waits for its server fails. */
  destroy(connection: C): void;
  /** Prepares a connection that is given back for the next one who needs it. */
  renew?(connection: C): void;
  close(connection: C): Promise<void>;
}

/** Connections that are opened when needed, lent to one at a time and kept for the next. */
export interface Pool<C> {
  /**
   * Lends a connection for as long as the work takes; `signal` gives up waiting for one. Work that
   * goes on for `leaveMs` after its signal loses the connection, and its place is free.
   */
  use<T>(work: (connection: C) => Promise<T>, options?: Acquiring): Promise<T>;
  /** The same, but the connection is closed after the work, whatever its state. */
  useOnce<T>(work: (connection: C) => Promise<T>, options?: Acquiring): Promise<T>;
  /** The same without an end in sight: the caller gives it back. */
  borrow(options?: Acquiring): Promise<C>;
  giveBack(connection: C): void;
  stats(): PoolStats;
  /** Lends no more; resolves when all connections are closed, which takes `leaveMs` at most. */
  close(): Promise<void>;
}

/** The signal aborts the wait for a connection. */
type Acquiring = Pick<AcquireOptions, 'signal' | 'use'>;

/** Statements end sooner: this is for what else could wait for a server that does not answer. */
const leaveMs = 10_000;

/** A pool with a connection that nobody needs just now, else the other: so nobody waits in the first for what others hold. */
export function idleOr<C>(pool: Pool<C>, other: Pool<C>): Pool<C> {
  return pool.stats().idle > 0 ? pool : other;
}

export function createPool<C>(options: PoolOptions<C>): Pool<C> {
  const places = createPlaces(options.most, options.waitMs);
  const shelf = createShelf(options);
  const lent = new Map<C, Acquiring['use']>();
  const closing = new AbortController();

  const borrow = async ({ signal, use }: Acquiring = {}): Promise<C> => {
    await places.take(signal, use);
    try {
      const ends = signal === undefined ? [closing.signal] : [signal, closing.signal];
      const connection = shelf.take() ?? (await options.open(AbortSignal.any(ends)));
      lent.set(connection, use);
      return connection;
    } catch (error) {
      places.free(use);
      throw error;
    }
  };

  const giveBack = (connection: C): void => {
    options.renew?.(connection);
    if (closing.signal.aborted || !options.isUsable(connection)) return giveUp(connection);
    const use = lent.get(connection);
    if (!lent.delete(connection)) return;
    shelf.put(connection);
    places.free(use);
  };

  /** The connection is not lent again. */
  const giveUp = (connection: C): void => {
    const use = lent.get(connection);
    if (!lent.delete(connection)) return;
    if (options.isLost(connection)) shelf.empty();
    shelf.discard(connection);
    places.free(use);
  };

  return {
    borrow,
    giveBack,
    useOnce: createUse(options, borrow, giveUp),
    use: createUse(options, borrow, giveBack),
    stats: () => statsOf(options.most, shelf.size(), places.stats()),
    close: async () => {
      closing.abort(closedError());
      const timer = setTimeout(() => {
        for (const connection of lent.keys()) {
          options.destroy(connection);
          giveBack(connection);
        }
      }, leaveMs);
      await places.close();
      clearTimeout(timer);
      await shelf.close();
    },
  };
}

function createUse<C>(
  { destroy }: Pick<PoolOptions<C>, 'destroy'>,
  borrow: Pool<C>['borrow'],
  end: (connection: C) => void,
): Pool<C>['use'] {
  return async (work, options = {}) => {
    const connection = await borrow(options);
    const leaving = createLeaving(options.signal, () => destroy(connection));
    try {
      return await Promise.race([work(connection), leaving.late]);
    } finally {
      leaving.stop();
      end(connection);
    }
  };
}

/** `late` rejects, and the connection is destroyed, some time after the signal. */
function createLeaving(signal: AbortSignal | undefined, destroy: () => void) {
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => {
      destroy();
      reject(signal?.reason);
    }, leaveMs);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  return {
    late,
    stop: (): void => {
      signal?.removeEventListener('abort', onAbort);
      clearTimeout(timer);
    },
  };
}

function statsOf(
  most: number,
  idle: number,
  places: ReturnType<ReturnType<typeof createPlaces>['stats']>,
): PoolStats {
  const { taken, waitCount, waitDurationMs } = places;
  return {
    maxOpenConnections: most,
    openConnections: taken + idle,
    inUse: taken,
    idle,
    waitCount,
    waitDurationMs,
  };
}

/** Connections that nobody needs just now; the one used last is taken first, so that the others grow old. */
interface Shelf<C> {
  take(): C | undefined;
  put(connection: C): void;
  /** Closes a connection that is not to be used again. */
  discard(connection: C): void;
  /** Closes all that are on it. */
  empty(): void;
  size(): number;
  close(): Promise<void>;
}

function createShelf<C>(options: PoolOptions<C>): Shelf<C> {
  const idle: { readonly connection: C; readonly timer: NodeJS.Timeout }[] = [];
  const closings = new Set<Promise<void>>();

  const discard = (connection: C): void => {
    const closing = options
      .close(connection)
      .catch(() => {})
      .finally(() => closings.delete(closing));
    closings.add(closing);
  };

  const retire = (connection: C): void => {
    idle.splice(
      idle.findIndex((other) => other.connection === connection),
      1,
    );
    discard(connection);
  };

  const empty = (): void => {
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
      const timer = setTimeout(() => retire(connection), options.idleMs);
      idle.push({ connection, timer: timer.unref() });
    },
    discard,
    size: () => idle.length,
    empty,
    close: async () => {
      empty();
      await Promise.all(closings);
    },
  };
}
