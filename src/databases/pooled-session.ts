import type { PoolStats, RunOptions } from '../model/database.ts';
import { withCleanup } from './with-cleanup.ts';
import type { RowStream } from '../model/rows.ts';
import type { Pool } from './pool.ts';

/** Opens a stream on a connection of its own, which is released when the stream ends or is closed early. */
export async function streamFrom<C>(
  pool: Pool<C>,
  open: (connection: C) => Promise<RowStream>,
  options?: RunOptions,
): Promise<RowStream> {
  const connection = await pool.acquire(options);
  try {
    const stream = await open(connection);
    const release = (): Promise<void> => Promise.resolve(pool.release(connection));
    return { ...stream, batches: withCleanup(stream.batches, release) };
  } catch (error) {
    pool.release(connection);
    throw error;
  }
}

/** Statistics of a database that has several pools. */
export function statsOfAll(pools: readonly Pick<Pool<unknown>, 'stats'>[]): PoolStats {
  return pools.map((pool) => pool.stats()).reduce(sumOf);
}

function sumOf(stats: PoolStats, otherStats: PoolStats): PoolStats {
  return {
    maxOpenConnections: stats.maxOpenConnections + otherStats.maxOpenConnections,
    openConnections: stats.openConnections + otherStats.openConnections,
    inUse: stats.inUse + otherStats.inUse,
    idle: stats.idle + otherStats.idle,
    waitCount: stats.waitCount + otherStats.waitCount,
    waitDurationMs: stats.waitDurationMs + otherStats.waitDurationMs,
  };
}
