import type { TableNameCase } from '../../../model/ddl-dialect.ts';

/** Properties of the server that affect the studio. */
export interface ServerInfo {
  readonly version: string;
  readonly isMariadb: boolean;
  readonly sqlMode: string;
  /** The server's default isolation level, as SET TRANSACTION accepts it: `REPEATABLE READ`. */
  readonly isolation: string;
  /** Whether transactions under READ COMMITTED may write. A binary log of statements forbids it. */
  readonly allowsReadCommitted: boolean;
  /** Whether the server reports changes of the session state in responses (session_track_state_change). */
  readonly tracksState: boolean;
  /** How the server replicates with others that also take writes. */
  readonly replication: 'galera' | 'group' | undefined;
  /** How it stores and compares names of tables (lower_case_table_names). Undefined if by exact letters. */
  readonly tableNames: TableNameCase | undefined;
}
