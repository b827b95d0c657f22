import { isInterruption, StudioError, withOutcomeDetail } from '../../../model/errors.ts';
import { writeUse } from '../../core/connection-use.ts';
import { mustBeWritable } from '../../core/must-be-writable.ts';
import { StructureChanged } from '../../core/retry-on-structure-change.ts';
import { repeatableTransaction } from '../../core/write-transaction.ts';
import { watchReferences } from './reference-watch.ts';
import type { Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { Context } from '../../core/context.ts';
import type { ReferenceWatch } from './reference-watch.ts';

/** A transaction that writes rows of one table. */
export interface TableWrite {
  readonly context: Context<'write'>;
  readonly session: Session;
  readonly table: Table;
  readonly references?: ReferenceWatch | undefined;
}

/** Runs the work in one write transaction on the table. Fails if the table cannot be written. */
export function writeToTable<T>(
  context: Context<'write'>,
  table: Table,
  work: (tableWrite: TableWrite) => Promise<T>,
): Promise<T> {
  mustBeWritable(table);
  const { database } = context;
  const { dialect } = database;
  const transact = (run: (session: Session) => Promise<T>): Promise<T> =>
    database.transaction('write', run, writeUse(table.name));
  const written = repeatableTransaction(transact, async (session: Session) => {
    const { schema } = await context.schemas.current();
    const references = watchReferences({ session, dialect, table, schema });
    const result = await work({ context, session, table, references });
    await references?.rejectNewViolations();
    await mustBeUnchanged(context, session, table);
    return result;
  });
  if (dialect.write.noRollbackReason(table) === undefined) return written;
  return written.catch((error: unknown) => {
    throw withoutRollback(error);
  });
}

/** Changes before the one that failed remain, and a statement that was ended may have written some of its rows. */
function withoutRollback(error: unknown): unknown {
  if (!(error instanceof StudioError)) return error;
  const hasWritten = Number(error.details['written'] ?? 0) > 0;
  return hasWritten || isInterruption(error) ? withOutcomeDetail(error, 'unknown') : error;
}

/** The locks of the write prevent changes to the table's definition until the commit, so this check is final. */
async function mustBeUnchanged(
  context: Context<'write'>,
  session: Session,
  table: Table,
): Promise<void> {
  if ((await context.database.revisionOf(session, table)) === table.revision) return;
  throw new StructureChanged(table.name, 'write');
}
