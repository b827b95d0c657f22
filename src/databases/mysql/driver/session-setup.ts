import { StudioError } from '../../../model/errors.ts';
import { quoteText } from '../dialect/ddl.ts';
import type { Row } from '../../../model/values.ts';
import type { SessionRole } from '../../target-session.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

const stateTracking = 'session_track_state_change';

/** Only servers with the plugin of Group Replication have it. */
const groupConsistency = 'group_replication_consistency';

/** Set on servers that take no writes, such as replicas. Logins that may ignore one of them should not. */
const readOnlyVariables = ['read_only', 'super_read_only', 'innodb_read_only'];

/** MySQL and MariaDB have different names for the isolation level. */
export const serverInfoQuery = `SHOW SESSION VARIABLES
WHERE Variable_name IN ('version', 'sql_mode', 'transaction_isolation', 'tx_isolation', 'log_bin', 'binlog_format', '${stateTracking}',
  'wsrep_on', 'lower_case_table_names', '${groupConsistency}', ${readOnlyVariables.map(quoteText).join(', ')})`;

export function readServerInfo(rows: readonly Row[]): ServerInfo {
  const variables = variablesOf(rows);
  const version = variables.get('version') ?? '';
  const isolation =
    variables.get('transaction_isolation') ?? variables.get('tx_isolation') ?? 'REPEATABLE-READ';
  return {
    version,
    isMariadb: /mariadb/i.test(version),
    sqlMode: variables.get('sql_mode') ?? '',
    isolation: isolation.replaceAll('-', ' '),
    allowsReadCommitted:
      variables.get('log_bin') !== 'ON' || variables.get('binlog_format') !== 'STATEMENT',
    tracksState: variables.has(stateTracking),
    replication: variables.get('wsrep_on') === 'ON' ? 'galera' : groupOf(variables),
    tableNames: tableNamesOf(variables),
  };
}

/** https://dev.mysql.com/doc/refman/8.4/en/identifier-case-sensitivity.html */
function tableNamesOf(variables: ReadonlyMap<string, string>): ServerInfo['tableNames'] {
  switch (variables.get('lower_case_table_names')) {
    case '1':
      return 'lower case';
    case '2':
      return 'ignoring case';
    default:
      return undefined;
  }
}

/**
 * TiDB accepts writes in read-only transactions, and by default the setting of a read-only session is an
 * error there: https://docs.pingcap.com/tidb/v8.3/sql-statement-start-transaction
 */
export function mustProtectReads({ version }: ServerInfo): void {
  if (/tidb/i.test(version))
    throw new StudioError(
      'database_unavailable',
      'The server is TiDB, which accepts writes in read-only transactions. The studio relies on these, so it does not open TiDB.',
    );
}

function variablesOf(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(rows.map(([name, value]) => [String(name), String(value)]));
}

/** Whether a setting is on. MariaDB 12 has further values of `read_only` than ON and OFF. */
export function isOn(value: unknown): boolean {
  return !['0', 'OFF', 'false'].includes(String(value));
}

/** What the response to `serverInfoQuery` says of the server's role. */
export function readRole(rows: readonly Row[]): SessionRole {
  const variables = variablesOf(rows);
  const isStandby = readOnlyVariables.some((name) => isOn(variables.get(name) ?? 'OFF'));
  return isStandby ? { isStandby, readOnlyFact: 'it is read-only' } : { isStandby };
}

function groupOf(variables: ReadonlyMap<string, string>): ServerInfo['replication'] {
  return variables.has(groupConsistency) ? 'group' : undefined;
}

/**
 * Statements wait until the server has applied what its cluster has committed before them. For Galera,
 * the value stands for reads, UPDATE and DELETE, and INSERT.
 */
const syncSettings: Readonly<
  Record<NonNullable<ServerInfo['replication']>, Readonly<Record<string, string | number>>>
> = {
  galera: { wsrep_sync_wait: 7 },
  group: { [groupConsistency]: quoteText('BEFORE') },
};

/** The same as in `startConnecting`. They are set again, because a reset discards them. */
const characterSet = 'utf8mb4';
export const collation = 'utf8mb4_general_ci';

/** After this time a lock wait fails with `database_busy`. */
const lockWaitSeconds = 5;

/** The statement that sets up a new or reset session. The session is read-only until a write needs it. */
export function sessionSetup(server: ServerInfo, readsYourWrites: boolean): string {
  const settings: Record<string, string | number> = {
    autocommit: 1,
    time_zone: quoteText('+00:00'),
    sql_mode: quoteText(sqlModeFor(server.sqlMode)),
    innodb_lock_wait_timeout: lockWaitSeconds,
    lock_wait_timeout: lockWaitSeconds,
    sql_select_limit: 'DEFAULT',
    // ORDER BY compares this many bytes. Index keys have up to 3072.
    // MySQL 9.7 treats GREATEST as a text unless it is cast.
    max_sort_length: 'CAST(GREATEST(@@max_sort_length, 4096) AS UNSIGNED)',
    sql_safe_updates: 0,
    ...(server.tracksState ? { [stateTracking]: 1 } : {}),
    ...(readsYourWrites && server.replication !== undefined
      ? syncSettings[server.replication]
      : {}),
    ...(server.isMariadb ? { tx_read_only: 1 } : { transaction_read_only: 1, ...freshStatistics }),
  };
  const parts = Object.entries(settings).map(([name, value]) => `SESSION ${name} = ${value}`);
  return `SET NAMES ${characterSet} COLLATE ${collation}, ${parts.join(', ')}`;
}

/** Without this, row counts in information_schema may be a day old. */
const freshStatistics = { information_schema_stats_expiry: 0 };

/** STRICT_TRANS_TABLES rejects invalid values instead of changing them. NO_AUTO_VALUE_ON_ZERO stores a 0 instead of the next number. */
const addedModes = ['STRICT_TRANS_TABLES', 'NO_AUTO_VALUE_ON_ZERO'];

/** Modes, and combination modes, under which the server would tokenize SQL differently from the studio's lexer. */
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

/** The server's modes with the required ones added and the incompatible ones removed. */
function sqlModeFor(found: string): string {
  const modes = found.split(',').filter((mode) => mode !== '' && !removedModes.has(mode));
  return [...new Set([...modes, ...addedModes])].join(',');
}
