import { quoteText } from '../dialect/ddl.ts';
import type { Row } from '../../../model/values.ts';
import type { ServerFacts } from '../dialect/server-facts.ts';

const stateTracking = 'session_track_state_change';

/** The two have other names for the isolation level. */
export const askFacts = `SHOW SESSION VARIABLES
WHERE Variable_name IN ('version', 'sql_mode', 'transaction_isolation', 'tx_isolation', '${stateTracking}')`;

export function readFacts(rows: readonly Row[]): ServerFacts {
  const variables = new Map(rows.map(([name, value]) => [String(name), String(value)]));
  const version = variables.get('version') ?? '';
  const isolation =
    variables.get('transaction_isolation') ?? variables.get('tx_isolation') ?? 'REPEATABLE-READ';
  return {
    version,
    isMariadb: /mariadb/i.test(version),
    sqlMode: variables.get('sql_mode') ?? '',
    isolation: isolation.replaceAll('-', ' '),
    tracksState: variables.has(stateTracking),
  };
}

/** As `dial` asks for them; a reset forgets that. */
const characterSet = 'utf8mb4';
export const collation = 'utf8mb4_general_ci';

/** A lock that is not had by then is `database_busy`. */
const lockWaitSeconds = 5;

/** The statement that makes a connection, new or reset, a session of the studio; it is read-only until a write needs it. */
export function sessionSetup(facts: ServerFacts): string {
  const settings: Record<string, string | number> = {
    autocommit: 1,
    time_zone: quoteText('+00:00'),
    sql_mode: quoteText(sqlModeFor(facts.sqlMode)),
    innodb_lock_wait_timeout: lockWaitSeconds,
    lock_wait_timeout: lockWaitSeconds,
    sql_select_limit: 'DEFAULT',
    // ORDER BY looks at so many bytes: enough for the keys of an index, which have up to 3072.
    // MySQL 9.7 takes GREATEST for a text unless it is cast.
    max_sort_length: 'CAST(GREATEST(@@max_sort_length, 4096) AS UNSIGNED)',
    sql_safe_updates: 0,
    ...(facts.tracksState ? { [stateTracking]: 1 } : {}),
    ...(facts.isMariadb ? { tx_read_only: 1 } : { transaction_read_only: 1, ...freshStatistics }),
  };
  const parts = Object.entries(settings).map(([name, value]) => `SESSION ${name} = ${value}`);
  return `SET NAMES ${characterSet} COLLATE ${collation}, ${parts.join(', ')}`;
}

/** Else information_schema tells row counts of up to a day ago. */
const freshStatistics = { information_schema_stats_expiry: 0 };

/** Without STRICT_TRANS_TABLES the server would change what does not fit instead of refusing it; without the other a 0 would become the next number. */
const addedModes = ['STRICT_TRANS_TABLES', 'NO_AUTO_VALUE_ON_ZERO'];

/** Under these, and under the names that stand for several, text would be read otherwise than the studio's own lexer reads it. */
const removedModes: ReadonlySet<string> = new Set([
  'ANSI_QUOTES',
  'NO_BACKSLASH_ESCAPES',
  'ANSI',
  'DB2',
  'MAXDB',
  'MSSQL',
  'MYSQL323',
  'MYSQL40',
  'ORACLE',
  'POSTGRESQL',
  'TRADITIONAL',
]);

/** The modes as found, but for these. */
function sqlModeFor(found: string): string {
  const modes = found.split(',').filter((mode) => mode !== '' && !removedModes.has(mode));
  return [...new Set([...modes, ...addedModes])].join(',');
}
