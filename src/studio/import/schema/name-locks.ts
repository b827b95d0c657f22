/** The names that an import locks in the database, and keeps from the undo of others. */
import { retainNames, releaseNames } from './retained-names.ts';
import { beingCreatedError, lockNames, unlockNames } from './running-imports.ts';
import type { Database, Session } from '../../../model/database.ts';

export interface NameLocks {
  /** Locks these names and the earlier ones for the session. Fails if another import is creating one of them. */
  lock(session: Session, names: readonly string[]): Promise<void>;
  /** Names of an import that was undone no longer stay when others are. */
  unlock(outcome: 'complete' | 'undone'): Promise<void>;
}

export function createNameLocks(database: Database<'ddl'>, journal: string): NameLocks {
  const locked: string[] = [];
  return {
    lock: async (session, names) => {
      locked.push(...names);
      const other = await lockNames(session, database, locked);
      if (other !== undefined) throw beingCreatedError(other);
      await retainNames({ database, session }, { journal, names });
    },
    unlock: async (outcome) => {
      if (locked.length === 0) return;
      await database
        .runOutsideTransaction(async (session) => {
          if (outcome === 'undone') await releaseNames({ database, session }, journal);
          // Where it is not the session of the locks, they end with the connection.
          await unlockNames(session, database, locked);
        })
        .catch(() => undefined);
    },
  };
}
