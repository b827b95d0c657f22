/**
 * Random statements on MariaDB and SQLite. After each of them, the test compares the database, its files
 * and the session of the studio with those before (SECURITY.md 4 and 5).
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { startMariadb } from '../servers/start-mariadb.ts';
import { expectUnchanged, withFolder } from './random-statements.ts';
import { mariadbRoutines, mariadbStatements, sqliteStatements } from './read-only-grammar.ts';
import type { MariadbServer } from '../servers/start-mariadb.ts';

const runs = Number(process.env['STUDIO_TEST_RUNS'] ?? 120);

/** A separate server, because the test compares settings of the whole server. */
describe('MariaDB', () => {
  let server: MariadbServer | undefined;
  let unavailableReason = '';
  let root: mysql.Connection | undefined;

  beforeAll(async () => {
    try {
      server = await startMariadb();
      root = await mysql.createConnection({
        ...connectionOptions(server),
        multipleStatements: true,
      });
    } catch (error) {
      if (process.env['CI']) throw error;
      unavailableReason = String(error);
    }
  });

  beforeEach((context) => {
    if (server === undefined) context.skip(`no MariaDB: ${unavailableReason}`);
  });

  afterAll(async () => {
    root?.destroy();
    await server?.remove();
  });

  const createDatabase = async (name: string, folder: string): Promise<void> => {
    await root!.query(
      `CREATE DATABASE ${name}; USE ${name};
      CREATE TABLE victim (id INT PRIMARY KEY AUTO_INCREMENT, name TEXT); INSERT INTO victim (name) VALUES ('Ada'), ('Grace');
      CREATE TABLE kept (id INT PRIMARY KEY AUTO_INCREMENT); CREATE SEQUENCE numbers;
      CREATE OR REPLACE USER owner@'%' IDENTIFIED BY 'secret'; GRANT ALL ON ${name}.* TO owner@'%'`,
    );
    for (const routine of mariadbRoutines(folder)) await root!.query(routine);
  };

  test.each(['root', 'owner'])('a read-only studio of %s changes nothing', async (user) => {
    await withFolder(async (folder) => {
      await createDatabase(`read_${user}`, folder);
      await expectUnchanged({
        options: { url: urlOf(server, `read_${user}`, user), readOnly: true, allowDdl: true },
        statements: mariadbStatements({ folder }),
        runs,
        folder,
        state: () => hashState(root!, `read_${user}`),
        probe: sessionProbe,
      });
    });
  });

  test('with --allow-ddl no file is read or written, and later requests have a session like a new one', async () => {
    await withFolder(async (folder) => {
      await createDatabase('changes', folder);
      await expectUnchanged({
        options: { url: urlOf(server, 'changes', 'root'), allowDdl: true },
        statements: mariadbStatements({ folder }),
        runs,
        folder,
        state: () => Promise.resolve(''),
        probe: sessionProbe.replace('@@max_statement_time', '1'),
        expectWriteAccepted: {
          query: 'INSERT INTO kept () VALUES ()',
          count: async () => {
            const [[row]] = await root!.query<mysql.RowDataPacket[]>(
              'SELECT count(*) AS n FROM changes.kept',
            );
            return Number(row?.['n']);
          },
        },
      });
    });
  });
});

const sessionProbe = `SELECT @@tx_read_only, @@sql_mode, @@autocommit, @@time_zone, @@character_set_client,
  @@collation_connection, @@max_statement_time, database(), @v, last_insert_id(), is_used_lock('a')`;

function connectionOptions({ port, user, password }: MariadbServer): mysql.ConnectionOptions {
  return { host: '127.0.0.1', port, user, password };
}

function urlOf(server: MariadbServer | undefined, database: string, user: string): string {
  const password = user === 'root' ? server?.password : 'secret';
  return `mysql://${user}:${password}@127.0.0.1:${server?.port}/${database}`;
}

/** A hash of rows, structure and settings, as an administrator sees them. */
async function hashState(root: mysql.Connection, database: string): Promise<string> {
  const found = await root.query(`SELECT * FROM ${database}.victim; SELECT * FROM ${database}.kept;
    SELECT next_not_cached_value FROM ${database}.numbers;
    SELECT table_name, create_options FROM information_schema.tables WHERE table_schema = '${database}';
    SELECT routine_name FROM information_schema.routines WHERE routine_schema = '${database}';
    SELECT event_name FROM information_schema.events;
    SHOW GLOBAL VARIABLES WHERE variable_name NOT LIKE 'gtid%' AND variable_name NOT IN ('timestamp')`);
  return createHash('sha256').update(JSON.stringify(found[0])).digest('hex');
}

describe('SQLite', () => {
  const createFile = (path: string): string => {
    const database = new BetterSqlite3(path);
    database.exec(`CREATE TABLE victim (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO victim (name) VALUES ('Ada'), ('Grace');
      CREATE TABLE kept (id INTEGER PRIMARY KEY); CREATE VIRTUAL TABLE texts USING fts5(body); INSERT INTO texts VALUES ('a b')`);
    database.close();
    return `sqlite:${path}`;
  };
  const hashFile = async (path: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex');

  test('a read-only studio changes nothing', async () => {
    await withFolder(async (databaseFolder) => {
      const path = join(databaseFolder, 'read.db');
      const url = createFile(path);
      await withFolder((folder) =>
        expectUnchanged({
          options: { url, readOnly: true, allowDdl: true },
          statements: sqliteStatements({ folder }),
          runs,
          folder,
          state: () => hashFile(path),
          probe: sqliteProbe,
        }),
      );
    });
  });

  test('with --allow-ddl no file is read or written, and later requests have a connection like a new one', async () => {
    await withFolder(async (databaseFolder) => {
      const path = join(databaseFolder, 'changes.db');
      const url = createFile(path);
      await withFolder((folder) =>
        expectUnchanged({
          options: { url, allowDdl: true },
          statements: sqliteStatements({ folder }),
          runs,
          folder,
          state: () => Promise.resolve(''),
          probe: sqliteProbe,
          expectWriteAccepted: {
            query: 'INSERT INTO kept DEFAULT VALUES',
            count: () => Promise.resolve(countRows(path)),
          },
        }),
      );
    });
  });
});

function countRows(path: string): number {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    return Number(database.prepare('SELECT count(*) FROM kept').pluck().get());
  } finally {
    database.close();
  }
}

const sqliteProbe = `SELECT (SELECT group_concat(name) FROM pragma_table_info('kept')),
  (SELECT group_concat(name) FROM pragma_database_list WHERE name <> 'temp'), (SELECT count(*) FROM sqlite_temp_schema), (SELECT * FROM pragma_query_only),
  (SELECT * FROM pragma_foreign_keys), (SELECT * FROM pragma_writable_schema)`;
