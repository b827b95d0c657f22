import { createPlaces } from './places.ts';
import type { PoolStats } from '../model/database.ts';

export interface PoolOptions<C> {
  readonly most: number;
  /** Waiting longer for a connection is `database_busy`. */
  readonly waitMs: number;
  /** A connection that nobody needed for so long is closed. */
  readonly idleMs: number;
  open(): Promise<C>;
  /** Whether a connection can serve the next one who needs it. */
  isUsable(connection: C): boolean;
  close(connection: C): Promise<void>;
}

/** Connections that are opened when needed, lent to one at a time and kept for the next. */
export interface Pool<C> {
  /** Lends a connection for as long as the work takes; `signal` gives up waiting for one. */
  use<T>(work: (connection: C) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The same, but the connection is closed after the work, whatever its state. */
  useOnce<T>(work: (connection: C) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The same without an end in sight: the caller gives it back. */
  borrow(signal?: AbortSignal): Promise<C>;
  giveBack(connection: C): void;
  stats(): PoolStats;
  /** Lends no more; resolves when all connections are closed. */
  close(): Promise<void>;
}

/** A pool with a connection that nobody needs just now, else the other: so nobody waits in the first for what others hold. */
export function idleOr<C>(pool: Pool<C>, other: Pool<C>): Pool<C> {
  return pool.stats().idle > 0 ? pool : other;
}

export function createPool<C>(options: PoolOptions<C>): Pool<C> {
  const places = createPlaces(options.most, options.waitMs);
  const shelf = createShelf(options);
  let closed = false;

  const borrow = async (signal?: AbortSignal): Promise<C> => {
    await places.take(signal);
    try {
      return shelf.take() ?? (await options.open());
    } catch (error) {
      places.free();
      throw error;
    }
  };

  const giveBack = (connection: C): void => {
    if (closed || !options.isUsable(connection)) shelf.discard(connection);
    else shelf.put(connection);
    places.free();
  };

  return {
    borrow,
    giveBack,
    useOnce: async (work, signal) => {
      const connection = await borrow(signal);
      try {
        return await work(connection);
      } finally {
        shelf.discard(connection);
        places.free();
      }
    },
    use: async (work, signal) => {
      const connection = await borrow(signal);
      try {
        return await work(connection);
      } finally {
        giveBack(connection);
      }
    },
    stats: () => statsOf(options.most, shelf.size(), places.stats()),
    close: async () => {
      closed = true;
      await places.close();
      await shelf.close();
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
    close: async () => {
      for (const { connection, timer } of idle.splice(0)) {
        clearTimeout(timer);
        discard(connection);
      }
      await Promise.all(closings);
    },
  };
}
