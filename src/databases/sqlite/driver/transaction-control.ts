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
