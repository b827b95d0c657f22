/** What the imports of structure have in common: a transaction that may be a trial, and how a refused statement is told. */
import { StudioError } from '../../model/errors.ts';
import { writeTransaction } from '../core/write-transaction.ts';
import type { Database, Transaction } from '../../model/database.ts';

/** Thrown to have a transaction rolled back that has not failed. */
class RolledBack extends Error {}

/** Does the work whole or not at all; of a dry run nothing is kept. */
export async function inStructureTransaction(
  database: Database,
  { dryRun }: { readonly dryRun: boolean },
  work: (session: Transaction) => Promise<void>,
): Promise<void> {
  try {
    await writeTransaction(database, async (session) => {
      await work(session);
      if (dryRun) throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
}

/** Those that say more than that the statement is wrong. */
const toldCodes: ReadonlySet<string> = new Set([
  'permission_denied',
  'table_exists',
  'read_only',
  'database_unavailable',
  'database_busy',
  'statement_timeout',
]);

/** Whether a failure is told as it is, whatever statement met it. */
export function speaksForItself({ code }: StudioError): boolean {
  return toldCodes.has(code);
}

interface RefusedStatement {
  readonly text: string;
  readonly table: string | undefined;
  /** What the database says against it. */
  readonly message: string;
}

/** `what` ends "The database refuses …". */
export function refusedStatement(
  what: string,
  { text, table, message }: RefusedStatement,
): StudioError {
  return new StudioError('import_failed', `The database refuses ${what}: ${message}`, {
    errors: [{ code: 'import_failed', message, ...(table === undefined ? {} : { table }) }],
    statement: text,
  });
}
