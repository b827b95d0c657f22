/** What programs already have open. Described by their shape, so that no driver is a dependency. */

/** A database of better-sqlite3. */
export interface SqliteHandle {
  readonly name: string;
  readonly memory: boolean;
  readonly readonly: boolean;
}

/** `pg.Pool` of node-postgres. */
export interface PostgresPool {
  readonly options: object;
  readonly totalCount: number;
}

/** A pool of mysql2, or its `pool` member, which a pool of `mysql2/promise` has. */
export type MysqlPool =
  | { readonly config: object; getConnection(...callback: never[]): unknown }
  | { readonly pool: { readonly config: object } };

/** Its connection settings are taken; its connections are not used. */
export type LiveDatabase = SqliteHandle | PostgresPool | MysqlPool;
