/** What the imports of structure have in common: a transaction that may be a dry run, and the error of a rejected statement. */
import { StudioError } from '../../../model/errors.ts';
import { StatementsFailure } from '../../../model/statements-failure.ts';
import { writeTransaction } from '../../core/write-transaction.ts';
import type { Database, Dialect, Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';

/** Thrown to roll back a transaction that has not failed. */
class RolledBack extends Error {}

/** Runs the work in a transaction, which a dry run rolls back. */
export async function inStructureTransaction(
  database: Database<'ddl'>,
  { dryRun }: { readonly dryRun: boolean },
  work: (session: Session) => Promise<void>,
): Promise<void> {
  try {
    await writeTransaction(
      (run: (session: Session) => Promise<void>) => database.transaction('ddl', run),
      async (session) => {
        await work(session);
        if (dryRun) throw new RolledBack();
      },
    );
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
}

/** Runs statements one after the other, up to the first that fails. */
export async function runStatements(session: Session, texts: readonly string[]): Promise<void> {
  if (session.runAll !== undefined) return session.runAll(texts);
  for (const [index, text] of texts.entries())
    await session.run({ text, params: [] }).catch((error: unknown) => {
      throw new StatementsFailure(error, index);
    });
}

/** Codes that say more than that the statement is wrong. */
const specificCodes: ReadonlySet<string> = new Set([
  'permission_denied',
  'table_exists',
  'read_only',
  'write_conflict',
  'database_unavailable',
  'database_busy',
  'statement_timeout',
]);

/** Whether an error is reported as it is, regardless of the statement. */
export function isSpecificError({ code }: StudioError): boolean {
  return specificCodes.has(code);
}

/** The message with which the database rejects a statement for good. Any other error may pass, and is thrown. */
export function rejectionOf(dialect: Dialect, error: unknown): string {
  const isStudioError = error instanceof StudioError;
  if (isStudioError && isSpecificError(error) && error.code !== 'permission_denied') throw error;
  const message = dialect.messageOf(driverErrorOf(error));
  if (message === undefined && !isStudioError) throw error;
  return message ?? (error as StudioError).message;
}

export function tableExistsError(
  found: readonly Pick<Table, 'name'>[],
  hint?: string,
): StudioError {
  const names = found.map(({ name }) => name);
  const [first] = names;
  const otherNamesText = names.length === 1 ? '' : `, and so do ${names.length - 1} more`;
  const hintText = hint === undefined ? '' : `; ${hint}`;
  return new StudioError(
    'table_exists',
    `The table ${first} exists already${otherNamesText}${hintText}.`,
    { table: first, tables: names },
  );
}

/** The driver's error of a translated one, which the dialect can read. */
export function driverErrorOf(error: unknown): unknown {
  return error instanceof StudioError ? (error.cause ?? error) : error;
}

interface RejectedStatement {
  readonly text: string;
  readonly table: string | undefined;
  /** The database's error message. */
  readonly message: string;
}

/** `rejected` completes the sentence "The database rejects …". */
export function rejectedStatementError(
  rejected: string,
  { text, table, message }: RejectedStatement,
): StudioError {
  return new StudioError('import_failed', `The database rejects ${rejected}: ${message}`, {
    errors: [{ code: 'import_failed', message, ...(table === undefined ? {} : { table }) }],
    statement: text,
  });
}
