/** Errors that a node of Citus reports about another one. Runs without Citus. */
import { describe, expect, test } from 'vitest';
import {
  markSessionAlive,
  translateError,
} from '../../../src/databases/postgres/dialect/errors.ts';
import { withoutShards } from '../../../src/databases/postgres/dialect/node-errors.ts';
import type { ShardLookup } from '../../../src/databases/postgres/dialect/node-errors.ts';

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
    [
      '08006',
      'CheckConnectionTimeout',
      'could not establish any connections to the node b:1 after 3000 ms',
    ],
    ['08006', 'BuildWaitEventSet', 'connection establishment for node b:1 failed'],
    ['08006', 'FinishConnectionListEstablishment', 'connection establishment for node b:1 failed'],
    [
      '08006',
      'WaitEventSetFromMultiConnectionStates',
      'connection establishment for node b:1 failed',
    ],
    ['08006', 'WaitForAllConnections', 'connection establishment for node b:1 failed'],
    [
      'XX000',
      'ScheduleNextPlacementExecution',
      'execution cannot recover from multiple connection failures. Last node failed b:1',
    ],
    ['XX000', 'InitializeCopyShardState', 'could not connect to any active placements'],
    ['XX000', 'FetchRemoteIntermediateResult', 'failed to read result "1_2" from node b:1'],
    ['58030', 'SendCopyDataToPlacement', 'failed to COPY to shard 102008 on b:1'],
    ['57P01', 'ReportResultError', 'terminating connection due to administrator command'],
    ['XX000', 'ReportResultError', 'server closed the connection unexpectedly'],
    ['58030', 'ReportCopyError', 'failed to complete COPY on b:1'],
    ['XX000', 'MarkRemoteTransactionFailed', 'failure on connection marked as essential: b:1'],
    ['XX000', 'ErrorIfPostCommitFailedShardPlacements', 'could not commit transaction for shard 1'],
  ])('that is lost (%s of %s) makes the database unavailable', (code, routine, message) => {
    const error = translateError(errorWith({ code, routine }, message));
    expect(error).toMatchObject({ code: 'database_unavailable' });
    expect(error?.message).not.toContain('b:1');
    expect(error?.message).toMatch(
      /^Another node of the database cannot be reached \([^\n]+[^.]\)\.$/,
    );
  });

  test('that has ended itself is shutting down', () => {
    const routine = 'WaitForConnections';
    const error = errorWith({ code: 'XX000', routine }, 'postmaster was shut down, exiting');
    expect(translateError(error)).toMatchObject({ code: 'database_unavailable' });
  });

  test.each([
    ['08006', 'exec_stmt_raise', 'raised by a function'],
    ['XX000', 'ReportCopyError', 'value "connection" is wrong'],
    ['XX000', 'ReportResultError', 'cache lookup failed for type 1'],
  ])('is not the cause of %s of %s', (code, routine, message) => {
    expect(translateError(errorWith({ code, routine }, message))).toBeUndefined();
  });
});

/** A coordinator with a shard of the table `log_20250101`, and an ordinary table `log_20250102`. */
const shards: ShardLookup = {
  namesOfShardId: (id) =>
    Promise.resolve(
      id === '102777'
        ? [
            { name: 'a_long_name', hash: '22baaf3a' },
            { name: `k"${'e'.repeat(61)}`, hash: '00c0ffee' },
          ]
        : [],
    ),
  tableOfShard: (schema, name) =>
    Promise.resolve(
      schema === 'public' && name === 'log_20250101_102008' ? 'log_20250101' : undefined,
    ),
};

describe('errors of shards have the names of their tables', () => {
  const message =
    'insert or update on table "log_20250101_102008" violates foreign key constraint "log_20250101_fk_102008"';
  const named = {
    message:
      'insert or update on table "log_20250101" violates foreign key constraint "log_20250101_fk"',
    table: 'log_20250101',
    constraint: 'log_20250101_fk',
  };

  test.each([
    [message, named],
    [
      'null value in column "item_10001" of relation "wc_102009" violates not-null constraint',
      {
        message: 'null value in column "item_10001" of relation "wc" violates not-null constraint',
        table: 'wc',
        column: 'item_10001',
      },
    ],
    [
      'invalid input syntax for type integer: "ref_123456"',
      { message: 'invalid input syntax for type integer: "ref_123456"' },
    ],
    [
      'update or delete on table "kinds_102009" violates foreign key constraint "fk_102008" on table "log_102008"',
      { table: 'log', constraint: 'fk' },
    ],
    [
      'null value in column "a" of relation "log_102008" violates not-null constraint',
      { table: 'log', column: 'a' },
    ],
    [
      'new row for relation "log_102008" violates check constraint "check_102008"',
      { table: 'log', constraint: 'check' },
    ],
    ['duplicate key value violates unique constraint "key_102008"', { constraint: 'key' }],
    [
      'duplicate key value violates unique constraint "key_102777"',
      { constraint: 'key', table: 'a_long_name' },
    ],
    [
      'null value in column "a" of relation "a_lo_22baaf3a_102777" violates not-null constraint',
      { table: 'a_long_name', column: 'a' },
    ],
    [
      `duplicate key value violates unique constraint "k"${'e'.repeat(45)}_00c0ffee_102777"`,
      { table: 'a_long_name', constraint: `k"${'e'.repeat(61)}` },
    ],
    [
      'check constraint "new"one_102777" of relation "a_long_name_102777" is violated by some row',
      {
        message: 'check constraint "new"one" of relation "a_long_name" is violated by some row',
      },
    ],
    [
      `check constraint "new"${'e'.repeat(43)}_00c0ffee_102777" of relation "a_long_name_102777" is violated by some row`,
      {
        message: `check constraint "new"${'e'.repeat(43)}…" of relation "a_long_name" is violated by some row`,
      },
    ],
    [
      `relation "a_long_name_102777" has no index "x_00c0ffee_102777", relation "${'n'.repeat(47)}_00c0ffee_102999"`,
      {
        message: `relation "a_long_name" has no index "x_00c0ffee", relation "${'n'.repeat(47)}…"`,
      },
    ],
  ])('at another node: %s', async (text, fields) => {
    const relayed = errorWith({ code: '23503', routine: 'ReportResultError' }, text);
    expect(await withoutShards(relayed, shards)).toMatchObject(fields);
  });

  test('at the coordinator', async () => {
    const own = Object.assign(
      errorWith({ code: '23503', routine: 'ri_ReportViolation' }, message),
      {
        schema: 'public',
        table: 'log_20250101_102008',
        constraint: 'log_20250101_fk_102008',
      },
    );
    expect(await withoutShards(own, shards)).toMatchObject(named);
  });

  test('but ordinary tables keep theirs', async () => {
    const fields = { schema: 'public', table: 'log_20250102', constraint: 'log_fk_20250102' };
    const text = 'insert or update on table "log_20250102" violates constraint "log_fk_20250102"';
    const own = errorWith({ code: '23503', routine: 'ri_ReportViolation' }, text);
    const error = Object.assign(own, fields);
    expect(await withoutShards(error, shards)).toMatchObject({ ...fields, message: text });
  });
});
