import { StudioError } from '../../../model/errors.ts';
import type { Connection } from './driver.ts';

/** Only another writer blocks the begin of a write; readers block its commit at most. */
export function beginWrite(connection: Connection): void {
  try {
    control(connection, 'BEGIN IMMEDIATE');
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'database_busy') throw error;
    throw new StudioError(error.code, error.message, { ...error.details, held_by: 'writer' });
  }
}

export function control(
  connection: Connection,
  text: 'BEGIN' | 'BEGIN IMMEDIATE' | 'COMMIT' | 'ROLLBACK',
): void {
  connection.statement(text).execute([]);
}

/** Runs several statements in one snapshot. A transaction already has one. */
export function inSnapshot<T>(connection: Connection, work: (connection: Connection) => T): T {
  if (connection.inTransaction) return work(connection);
  control(connection, 'BEGIN');
  try {
    return work(connection);
  } finally {
    control(connection, 'COMMIT');
  }
}
