/** A temporary database for dry runs of DDL, on databases that commit every DDL statement. */
import { randomUUID } from 'node:crypto';
import { withJournal } from './journal.ts';
import type { Session } from '../../../model/database.ts';
import type { DdlUndo } from '../../../model/ddl-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { StructureCapability } from '../../core/capabilities.ts';
import type { JobContext } from '../../core/job.ts';

export interface ScratchOptions {
  readonly ddlUndo: DdlUndo;
  /** Tables and views of the database that the work needs. They are copied without their rows. */
  readonly copied: readonly Table[];
}

/** `work` gets the name of the database too, since messages of the server may contain it. Resolves to false if the user may not create databases. After a crash the journal removes the database. */
export async function inScratchDatabase(
  context: JobContext<StructureCapability>,
  { ddlUndo, copied }: ScratchOptions,
  work: (session: Session, name: string) => Promise<void>,
): Promise<boolean> {
  const { schema } = await context.schemas.current();
  const name = `studio_dry_run_${randomUUID().replaceAll('-', '')}`;
  const { begin, copy, end, remove } = ddlUndo.scratchDatabase(name, schema.database);
  return withJournal(
    context,
    (journal) =>
      context.database.runOutsideTransaction(async (session) => {
        await journal.lock(session);
        await journal.record({ table: name, undo: remove, isTemporary: true });
        if (!(await tryToRun(session, begin))) return false;
        try {
          if (!(await tryToRun(session, copied.map(copy)))) return false;
          await work(session, name);
        } finally {
          for (const text of end) await session.run({ text, params: [] });
        }
        return true;
      }),
    async () => {
      await context.database.run({ text: remove, params: [] });
      return { tables: [] };
    },
  );
}

async function tryToRun(session: Session, statements: readonly string[]): Promise<boolean> {
  try {
    for (const text of statements) await session.run({ text, params: [] });
    return true;
  } catch {
    return false;
  }
}
