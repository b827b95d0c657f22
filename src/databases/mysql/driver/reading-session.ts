/** A session for reads, which leaves the connection's state unchanged after each statement. */
import { withCleanup } from '../../with-cleanup.ts';
import type { Query, RunOptions } from '../../../model/database.ts';
import type { Connection } from './connection.ts';
import type { ViewNames } from './view-names.ts';

/**
 * Runs each statement that may execute user-defined code in a read-only transaction of its own. Such
 * code can make the session writable, but not a transaction that has begun. The session is reset
 * before the next statement.
 */
export function readingSession(
  connection: Connection,
  views: Pick<ViewNames, 'areIn'>,
): Connection {
  const begin = (options: RunOptions = {}): Promise<void> =>
    connection.command('START TRANSACTION READ ONLY', options);
  // The pool checks the connection and discards it if the rollback failed.
  const end = async (options: RunOptions = {}): Promise<void> => {
    await connection.command('ROLLBACK', options).catch(() => {});
    connection.renew();
  };
  const isPlain = ({ text }: Query): boolean => !views.areIn(text);
  return {
    ...connection,
    run: async (query, options) => {
      if (isPlain(query)) return connection.run(query, options);
      await begin(options);
      try {
        return await connection.run(query, options);
      } finally {
        await end(options);
      }
    },
    stream: async (query, options) => {
      if (isPlain(query)) return connection.stream(query, options);
      await begin(options);
      try {
        const stream = await connection.stream(query, options);
        return { ...stream, batches: withCleanup(stream.batches, () => end(options)) };
      } catch (error) {
        await end(options);
        throw error;
      }
    },
  };
}
