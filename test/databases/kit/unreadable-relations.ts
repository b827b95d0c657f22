/** Ways in which a table or view can exist but not be readable, by database. */
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import mysql from 'mysql2/promise';
import type { ErrorCode } from '../../../src/model/errors.ts';
import type { KitDatabase } from './database-under-test.ts';

export interface UnreadableRelation {
  readonly name: string;
  /** The error code of listing its rows; `table_unreadable` by default. */
  readonly code?: ErrorCode;
  /** Statements that run before it becomes unreadable. */
  prepare?(database: KitDatabase): Promise<void>;
  /** Makes the relation unreadable. Returns a function that undoes it. */
  makeUnreadable(database: KitDatabase): Promise<() => Promise<void>>;
}

const createdBy = (
  name: string,
  create: string,
  drop: string,
  extra: Pick<UnreadableRelation, 'code'> = {},
): UnreadableRelation => ({
  name,
  ...extra,
  makeUnreadable: async (database) => {
    await database.run(create);
    return () => database.run(drop);
  },
});

/** Writes to the schema table of SQLite, because SQLite would otherwise reject the statement. */
const writeSchemaTable = (name: string, sql: string): UnreadableRelation => ({
  name,
  makeUnreadable: async (database) => {
    const change = (text: string): void => {
      const raw = new BetterSqlite3(database.url);
      raw.unsafeMode(true);
      raw.pragma('writable_schema = ON');
      raw.exec(text);
      raw.pragma('writable_schema = RESET');
      raw.close();
    };
    change(
      `INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', '${name}', '${name}', 0, '${sql}')`,
    );
    return async () => change(`DELETE FROM sqlite_schema WHERE name = '${name}'`);
  },
});

const sqlite: readonly UnreadableRelation[] = [
  createdBy(
    'view_of_nothing',
    'CREATE VIEW view_of_nothing AS SELECT * FROM gone',
    'DROP VIEW view_of_nothing',
  ),
  createdBy(
    'view_by_nobody',
    'CREATE VIEW view_by_nobody AS SELECT nobody_has_it(1) AS x',
    'DROP VIEW view_by_nobody',
  ),
  createdBy(
    'view_that_fails',
    `CREATE VIEW view_that_fails AS SELECT 1 AS x WHERE json_extract('{', '$.a')`,
    'DROP VIEW view_that_fails',
  ),
  writeSchemaTable('no_module', 'CREATE VIRTUAL TABLE no_module USING a_module_of_nobody(x)'),
];

/** Another session that holds a lock until the returned function is called. */
const lockedOnPostgres: UnreadableRelation = {
  name: 'held_by_another',
  code: 'database_busy',
  prepare: (database) =>
    database.run('CREATE TABLE held_by_another (id integer PRIMARY KEY, n integer DEFAULT 1 + 1)'),
  makeUnreadable: async (database) => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE held_by_another IN ACCESS EXCLUSIVE MODE');
    return async () => {
      await other.query('ROLLBACK');
      await other.end();
      await database.run('DROP TABLE held_by_another');
    };
  },
};

const postgres: readonly UnreadableRelation[] = [
  createdBy(
    'far_away',
    `CREATE EXTENSION IF NOT EXISTS postgres_fdw;
    CREATE SERVER dead FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '1');
    CREATE USER MAPPING FOR CURRENT_USER SERVER dead;
    CREATE FOREIGN TABLE far_away (x integer) SERVER dead`,
    'DROP SERVER dead CASCADE',
  ),
  createdBy(
    'pg_stat_statements',
    'CREATE EXTENSION pg_stat_statements',
    'DROP EXTENSION pg_stat_statements',
  ),
  createdBy(
    'unpopulated',
    'CREATE MATERIALIZED VIEW unpopulated AS SELECT 1 AS x WITH NO DATA',
    'DROP MATERIALIZED VIEW unpopulated',
  ),
  createdBy(
    'view_that_fails',
    'CREATE VIEW view_that_fails AS SELECT n FROM generate_series(1, 2) AS g(n) WHERE 1 / (n - 1) = 1',
    'DROP VIEW view_that_fails',
  ),
];

const lockedOnMysql: UnreadableRelation = {
  name: 'held_by_another',
  code: 'database_busy',
  prepare: (database) => database.run('CREATE TABLE held_by_another (id integer PRIMARY KEY)'),
  makeUnreadable: async (database) => {
    const other = await mysql.createConnection(database.url);
    await other.query('LOCK TABLES held_by_another WRITE');
    return async () => {
      await other.end();
      await database.run('DROP TABLE held_by_another');
    };
  },
};

const mariadb: readonly UnreadableRelation[] = [
  createdBy(
    'view_of_nothing',
    'CREATE TABLE going (x int); CREATE VIEW view_of_nothing AS SELECT x FROM going; DROP TABLE going',
    'DROP VIEW view_of_nothing',
  ),
  createdBy(
    'view_by_nobody',
    "CREATE DEFINER='nobody_at_all'@'nowhere' VIEW view_by_nobody AS SELECT 1 AS x",
    'DROP VIEW view_by_nobody',
  ),
  createdBy(
    'merged_wrongly',
    'CREATE TABLE merged_one (x int) ENGINE=MyISAM; CREATE TABLE merged_wrongly (x int) ENGINE=MERGE UNION=(merged_one); ALTER TABLE merged_one ADD y int',
    'DROP TABLE merged_wrongly, merged_one',
  ),
];

/** By the name of the database. None for SQL Server, because it has no free server for every platform. */
export const unreadableRelations: Readonly<Record<string, readonly UnreadableRelation[]>> = {
  sqlite,
  postgres,
  mysql: mariadb,
};

/** A table locked by another session. Reporting it takes as long as the studio waits for locks. */
export const lockedRelations: Readonly<Record<string, UnreadableRelation>> = {
  postgres: lockedOnPostgres,
  mysql: lockedOnMysql,
};
