import { postgresDdl } from '../dialect/ddl.ts';
import { replacedStatementsQuery } from './replaced-statements.ts';
import type { Target } from '../../../model/database.ts';
import type { ConnectionOptions } from './connection-options.ts';

/** In what forms values come, and what a session never waits for. */
const settings = {
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  extra_float_digits: '1',
  bytea_output: 'hex',
  xmloption: 'content',
  standard_conforming_strings: 'on',
  lock_timeout: '5s',
  // Questions to the catalogue look dear to the planner, and compiling them is what would make them so.
  jit: 'off',
  idle_in_transaction_session_timeout: '5min',
} as const;

/** Where the server can tell that its client is gone, it ends what it runs for it. */
const noticeLostClients =
  "SELECT set_config('client_connection_check_interval', '5s', false) WHERE version() LIKE '%-linux-%'";

/** The statements that make a new connection a session of the studio. */
export function sessionSetup(
  target: Pick<Target, 'readOnly'>,
  { searchPath }: ConnectionOptions,
): string {
  const all: Record<string, string> = {
    ...settings,
    ...(target.readOnly ? { default_transaction_read_only: 'on' } : {}),
  };
  const statements = Object.entries(all).map(
    ([name, value]) => `SET ${name} = ${postgresDdl.quoteText(value)}`,
  );
  if (searchPath !== undefined) statements.push(`SET search_path = ${searchPathList(searchPath)}`);
  return [...statements, noticeLostClients].join('; ');
}

/** What DISCARD ALL does, which cannot stand beside a COMMIT, but for plans and prepared statements, which the studio keeps. */
const reset =
  'RESET ROLE; RESET ALL; UNLISTEN *; DISCARD TEMP; SELECT pg_catalog.pg_advisory_unlock_all()';

/**
 * Commits, resets what triggers and functions of the transaction changed in the session, and checks
 * for prepared statements that they replaced. All of it is one simple query: one round trip.
 */
export function commitAndReset(setup: string): string {
  return ['COMMIT', reset, setup, replacedStatementsQuery].join('; ');
}

/** `app, public`, each name as it is written. */
function searchPathList(text: string): string {
  const names = text.split(',').map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
  return names.map((name) => postgresDdl.quoteText(name)).join(', ');
}
