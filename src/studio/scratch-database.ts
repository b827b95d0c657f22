/** A database of its own for the dry run of structure, where every statement commits. */
import { randomUUID } from 'node:crypto';
import { withJournal } from './journal.ts';
import type { Session } from '../model/database.ts';
import type { DdlUndoing } from '../model/ddl-dialect.ts';
import type { JobContext } from './job.ts';

/** False where the user may not make databases. A journal has the database removed after a crash. */
export async function inScratchDatabase(
  context: JobContext,
  undoing: DdlUndoing,
  work: (session: Session) => Promise<void>,
): Promise<boolean> {
  const { schema } = await context.schemas.current();
  const name = `studio_dry_run_${randomUUID().replaceAll('-', '')}`;
  const { begin, end, remove } = undoing.scratch(name, schema.database);
  return withJournal(
    context,
    (journal) =>
      context.database.administer(async (session) => {
        await journal.hold(session);
        await journal.note({ table: name, undo: remove });
        if (!(await begins(session, begin))) return false;
        try {
          await work(session);
        } finally {
          for (const text of end) await session.run({ text, params: [] });
        }
        return true;
      }),
    async () => void (await context.database.run({ text: remove, params: [] })),
  );
}

async function begins(session: Session, statements: readonly string[]): Promise<boolean> {
  try {
    for (const text of statements) await session.run({ text, params: [] });
    return true;
  } catch {
    return false;
  }
}
