/** Transactions that another node of a Galera cluster may roll back at any time. */
import { StudioError } from '../../../model/errors.ts';
import { serverError } from '../dialect/errors.ts';
import type { RunOptions } from '../../../model/database.ts';
import type { Connection } from './connection.ts';

const savepoint = 'studio_transaction';
const savepointMissing = 1305;

/**
 * A transaction of another node that is certified first rolls back those that hold its locks. The
 * server reports that at the next command, but not if it happens while it prepares a statement (seen
 * on MariaDB 10.11): the next statements would commit by themselves, unprotected by the locks of the
 * first ones, and COMMIT would report success. Without autocommit they begin a new transaction, which
 * does not have the savepoint.
 */
export async function beginGuarded(connection: Connection, options: RunOptions): Promise<void> {
  await connection.command('SET SESSION autocommit = 0', options);
  await connection.command('START TRANSACTION', options);
  await connection.command(`SAVEPOINT ${savepoint}`, options);
}

/** Fails if the current transaction is not the one that `beginGuarded` began. */
export async function mustBeGuarded(connection: Connection, options: RunOptions): Promise<void> {
  try {
    await connection.command(`RELEASE SAVEPOINT ${savepoint}`, options);
  } catch (error) {
    if (serverError(error)?.errno !== savepointMissing) throw error;
    throw new StudioError(
      'write_conflict',
      'The transaction conflicted with one at another node of the cluster; nothing was written.',
    );
  }
}

/** Called after the end of the transaction. */
export async function endGuard(connection: Connection, options: RunOptions): Promise<void> {
  // In an open transaction the setting would commit it. The pool closes such a connection.
  if (connection.isUsable())
    await connection.command('SET SESSION autocommit = 1', options).catch(() => {});
}
