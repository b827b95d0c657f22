import type { PoolStats, RunOptions } from '../model/database.ts';
import type { RowStream } from '../model/rows.ts';
import type { Row } from '../model/values.ts';
import type { Pool } from './pool.ts';

/** A stream on a connection of its own, which goes back when the rows have been read or given up. */
export async function streamFrom<C>(
  pool: Pool<C>,
  open: (connection: C) => Promise<RowStream>,
  options?: RunOptions,
): Promise<RowStream> {
  const connection = await pool.borrow(options);
  try {
    const stream = await open(connection);
    return { ...stream, batches: thenGiveBack(stream.batches, () => pool.giveBack(connection)) };
  } catch (error) {
    pool.giveBack(connection);
    throw error;
  }
}

async function* thenGiveBack(
  batches: RowStream['batches'],
  giveBack: () => void,
): AsyncGenerator<readonly Row[]> {
  try {
    yield* batches;
  } finally {
    giveBack();
  }
}

/** Of a database that has several pools. */
export function statsOfAll(pools: readonly Pick<Pool<unknown>, 'stats'>[]): PoolStats {
  return pools.map((pool) => pool.stats()).reduce(sumOf);
}

function sumOf(one: PoolStats, two: PoolStats): PoolStats {
  return {
    maxOpenConnections: one.maxOpenConnections + two.maxOpenConnections,
    openConnections: one.openConnections + two.openConnections,
    inUse: one.inUse + two.inUse,
    idle: one.idle + two.idle,
    waitCount: one.waitCount + two.waitCount,
    waitDurationMs: one.waitDurationMs + two.waitDurationMs,
  };
}
