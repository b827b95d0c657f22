/** A process that ends during an import, for tests of what the next studio does. */
import { StudioError } from '../../src/model/errors.ts';
import type { Database, Transaction } from '../../src/model/database.ts';
import type { Capability } from '../../src/model/capabilities.ts';

/** The database of a process that ends when it commits a load. */
export function endingDatabase(
  database: Database<Capability>,
  end: 'before the commit' | 'after the commit',
  onEnd: () => Promise<void>,
): Database<Capability> {
  const ended = new StudioError('database_unavailable', 'The process has ended.');
  const transaction = async (
    mode: 'load',
    work: (session: Transaction<'load'>) => Promise<unknown>,
  ): Promise<unknown> => {
    if (mode !== 'load') return database.transaction(mode, work);
    await database.transaction(mode, async (session) => {
      await work(session);
      if (end === 'before the commit') throw ended;
    });
    throw ended;
  };
  return {
    ...database,
    transaction: async (mode: 'load', work: never) =>
      transaction(mode, work).finally(mode === 'load' ? onEnd : undefined),
  } as Database<Capability>;
}
