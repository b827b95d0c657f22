/** Properties of the server that affect the studio. */
export interface ServerInfo {
  readonly version: string;
  readonly isMariadb: boolean;
  readonly sqlMode: string;
  /** The server's default isolation level, as SET TRANSACTION accepts it: `REPEATABLE READ`. */
  readonly isolation: string;
  /** Whether transactions under READ COMMITTED may write. A binary log of statements forbids it. */
  readonly allowsReadCommitted: boolean;
  /** Whether the server reports statements that change something of their session. */
  readonly tracksState: boolean;
}
