/** Errors that a node of Citus reports about another one. Runs without Citus. */
import { describe, expect, test } from 'vitest';
import {
  markSessionAlive,
  translateError,
} from '../../../src/databases/postgres/dialect/errors.ts';
import { withoutShards } from '../../../src/databases/postgres/dialect/node-errors.ts';

/** An error of a session that continues. */
function errorWith(fields: { readonly code: string; readonly routine: string }, message: string) {
  const error = Object.assign(new Error(message), { severity: 'ERROR', ...fields });
  markSessionAlive(error);
  return error;
}

describe('another node', () => {
  test.each([
    [
      '08006',
      'ReportConnectionError',
      'connection to the remote node a@b:1 failed\n\tIs it running?',
    ],
    ['57P01', 'ReportResultError', 'terminating connection due to administrator command'],
    ['XX000', 'ReportResultError', 'server closed the connection unexpectedly'],
    ['58030', 'ReportCopyError', 'failed to complete COPY on b:1'],
    ['XX000', 'MarkRemoteTransactionFailed', 'failure on connection marked as essential: b:1'],
    ['XX000', 'ErrorIfPostCommitFailedShardPlacements', 'could not commit transaction for shard 1'],
  ])('that is lost (%s of %s) makes the database unavailable', (code, routine, message) => {
    const error = translateError(errorWith({ code, routine }, message));
    expect(error).toMatchObject({ code: 'database_unavailable' });
    expect(error?.message).toMatch(
      /^Another node of the database cannot be reached \([^\n]+[^.]\)\.$/,
    );
  });

  test.each([
    ['08006', 'exec_stmt_raise', 'raised by a function'],
    ['XX000', 'ReportCopyError', 'value "connection" is wrong'],
    ['XX000', 'ReportResultError', 'cache lookup failed for type 1'],
  ])('is not the cause of %s of %s', (code, routine, message) => {
    expect(translateError(errorWith({ code, routine }, message))).toBeUndefined();
  });
});

test('errors of shards have the names of their tables, and others keep theirs', () => {
  const message =
    'insert or update on table "log_20250101_102008" violates "log_20250101_fk_102008"';
  const relayed = errorWith({ code: '23503', routine: 'ReportResultError' }, message);
  expect(withoutShards(relayed).message).toBe(
    'insert or update on table "log_20250101" violates "log_20250101_fk"',
  );
  const own = errorWith({ code: '23503', routine: 'ri_ReportViolation' }, message);
  expect(withoutShards(own).message).toBe(message);
});
