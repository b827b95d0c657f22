import { StudioError } from '../../model/errors.ts';
import type { AcquireOptions, Database, Transaction } from '../../model/database.ts';

interface WriteOptions extends AcquireOptions {
  readonly mode?: 'write' | 'sql';
}

/**
 * One transaction that writes. When the database goes away under it, the failure says what has
 * become of the write: before its commit nothing is kept, and during it nobody knows.
 */
export async function writeTransaction<T>(
  database: Database,
  work: (session: Transaction) => Promise<T>,
  { mode = 'write', ...options }: WriteOptions = {},
): Promise<T> {
  let hasBegun = false;
  let isCommitting = false;
  try {
    return await database.transaction(
      mode,
      async (session) => {
        hasBegun = true;
        const result = await work(session);
        isCommitting = true;
        return result;
      },
      options,
    );
  } catch (error) {
    throw hasBegun ? cutOff(error, isCommitting) : error;
  }
}

/** Some databases say it themselves: of a full disk, say. */
const isSaid = /nothing was written/;

function cutOff(error: unknown, isCommitting: boolean): unknown {
  if (!(error instanceof StudioError) || error.code !== 'database_unavailable') return error;
  if (isSaid.test(error.message)) return error;
  const outcome = isCommitting
    ? 'whether it was written is to be looked up'
    : 'nothing was written';
  const message = `${error.message.replace(/\.$/, '')}; ${outcome}.`;
  return Object.assign(new StudioError(error.code, message, error.details), { cause: error.cause });
}
