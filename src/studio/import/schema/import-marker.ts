/** Markers of imports where DDL commits by itself: see `ImportMarker`. */
import { StudioError } from '../../../model/errors.ts';
import { valueOf } from './remove-created.ts';
import { driverErrorOf } from './structure-transaction.ts';
import type { Database, Session } from '../../../model/database.ts';
import type { ImportMarker } from '../../../model/ddl-dialect.ts';
import type { UndoSession } from './remove-created.ts';

/** The marker of an import, in its own process. Without `create`, and where the user may not create it, the others do nothing. */
export interface OwnMarker {
  readonly exists: () => boolean;
  /** Creates the table, which must be recorded. False without a privilege. */
  create(session: Session): Promise<boolean>;
  /** First in the transaction of the rows. False if another process has undone the import. */
  commit(session: Session): Promise<boolean>;
  /** `commit` of an import without rows. Not within a transaction. */
  commitAlone(): Promise<boolean>;
  /** Last in a transaction without rows, which is undone like one that has not been committed. */
  withdraw(session: Session): Promise<void>;
  /** Whether it shows that neither the import has committed its rows nor anybody has undone it. Not within a transaction. */
  isUndecided(): Promise<boolean>;
  /** False if the table stays. */
  drop(): Promise<boolean>;
}

function markerOf({ dialect }: Database<'ddl'>, journal: string): ImportMarker | undefined {
  const { ddlUndo } = dialect.ddl;
  return ddlUndo?.importMarker(ddlUndo.markerName(journal));
}

function isMissing({ dialect }: Database<'ddl'>, cause: unknown): boolean {
  return dialect.ddl.ddlUndo?.isMissingError(cause) === true;
}

export function createOwnMarker(database: Database<'ddl'>, journal: string): OwnMarker {
  const marker = markerOf(database, journal);
  let exists = false;
  const drop = (): Promise<boolean> =>
    database.runOutsideTransaction((session) => dropMarker({ database, session }, journal));
  const commit = async (session: Session): Promise<boolean> => {
    if (marker === undefined || !exists) return true;
    try {
      await run(session, marker.commit);
      return true;
    } catch (error) {
      const cause = driverErrorOf(error);
      if (marker.isDecidedError(cause) || isMissing(database, cause)) return false;
      throw error;
    }
  };
  return {
    exists: () => exists,
    create: async (session) => {
      if (marker === undefined) return false;
      exists = await runIfPermitted(session, marker.create);
      if (!exists) await dropMarker({ database, session }, journal);
      return exists;
    },
    commit,
    commitAlone: async () => !exists || database.runOutsideTransaction(commit),
    withdraw: async (session) => {
      if (marker !== undefined && exists) await run(session, marker.withdraw);
    },
    isUndecided: async () => {
      if (marker === undefined || !exists) return false;
      const count = await database
        .runOutsideTransaction((session) => valueOf(session, marker.countOutcomes))
        .catch(() => undefined);
      return count === '0';
    },
    drop: async () => !exists || drop().catch(() => false),
  };
}

/** Whether the import has committed its rows. If not, it can no longer commit them. */
export async function isCommittedByMarker(
  { database, session }: UndoSession,
  journal: string,
): Promise<boolean> {
  const marker = markerOf(database, journal);
  if (marker === undefined) return false;
  try {
    await run(session, marker.prevent);
    return false;
  } catch (error) {
    const cause = driverErrorOf(error);
    // The import has ended before it created the table.
    if (isMissing(database, cause)) return false;
    if (!marker.isDecidedError(cause)) throw error;
  }
  // By the import, or by an undo that was interrupted.
  return (await valueOf(session, marker.isCommitted)) === '1';
}

/** False if the table stays, for example because another session reads it. */
export async function dropMarker(
  { database, session }: UndoSession,
  journal: string,
): Promise<boolean> {
  const marker = markerOf(database, journal);
  if (marker === undefined) return true;
  return run(session, marker.drop).then(
    () => true,
    () => false,
  );
}

async function runIfPermitted(session: Session, statements: readonly string[]): Promise<boolean> {
  try {
    for (const text of statements) await run(session, text);
    return true;
  } catch (error) {
    if (error instanceof StudioError && error.code === 'permission_denied') return false;
    throw error;
  }
}

async function run(session: Session, text: string): Promise<void> {
  await session.run({ text, params: [] });
}
