import { postgresDdl } from '../dialect/ddl.ts';
import { replacedStatementsQuery } from './replaced-statements.ts';
import type { DatabaseTarget } from '../../../model/database.ts';
import type { ConnectionOptions } from './connection-options.ts';

/** Output formats that the driver expects, and limits of waits. */
const settings = {
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  extra_float_digits: '1',
  bytea_output: 'hex',
  xmloption: 'content',
  standard_conforming_strings: 'on',
  lock_timeout: '5s',
  // The planner overestimates the cost of catalog queries, and JIT compilation would make them slow.
  jit: 'off',
  idle_in_transaction_session_timeout: '5min',
} as const;

/**
 * For the begin of each transaction of a database with Citus, which passes on to other nodes only what a transaction
 * sets for itself. The settings decide how those nodes read and write texts of values, and how long they wait for locks.
 */
export const settingsOfNodes: readonly string[] = [
  "SET LOCAL citus.propagate_set_commands TO 'local'",
  ...(
    [
      'DateStyle',
      'IntervalStyle',
      'TimeZone',
      'extra_float_digits',
      'bytea_output',
      'xmloption',
      'lock_timeout',
    ] as const
  ).map((name) => `SET LOCAL ${name} = ${postgresDdl.quoteText(settings[name])}`),
];

/** On Linux the server can detect that its client has disconnected, and cancels the statement. */
const checkClientConnection =
  "SELECT set_config('client_connection_check_interval', '5s', false) WHERE version() LIKE '%-linux-%'";

/** The statements that set up a new session. */
export function sessionSetup(
  target: Pick<DatabaseTarget, 'readOnly' | 'readsYourWrites'>,
  { searchPath }: ConnectionOptions,
): string {
  const all: Record<string, string> = {
    ...settings,
    // Without synchronous standbys, this is the same as `on`.
    ...(target.readsYourWrites === true ? { synchronous_commit: 'remote_apply' } : {}),
    ...(target.readOnly ? { default_transaction_read_only: 'on' } : {}),
  };
  const statements = Object.entries(all).map(
    ([name, value]) => `SET ${name} = ${postgresDdl.quoteText(value)}`,
  );
  if (searchPath !== undefined) statements.push(`SET search_path = ${searchPathList(searchPath)}`);
  return [...statements, checkClientConnection].join('; ');
}

/** Like DISCARD ALL, which cannot run together with COMMIT, but without discarding plans and prepared statements. */
const reset =
  'RESET ROLE; RESET ALL; UNLISTEN *; DISCARD TEMP; SELECT pg_catalog.pg_advisory_unlock_all()';

/**
 * Commits, resets what triggers and functions of the transaction changed in the session, and checks
 * for prepared statements that they replaced. All of it is one simple query: one round trip.
 */
export function commitAndReset(setup: string): string {
  return ['COMMIT', reset, setup, replacedStatementsQuery].join('; ');
}

/** Parses `app, public`. Unquoted names are not folded to lower case. */
function searchPathList(text: string): string {
  const names = text.split(',').map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
  return names.map((name) => postgresDdl.quoteText(name)).join(', ');
}
