/** The server in `STUDIO_TEST_SQLSERVER`, the URL of an administrator, with a database for each test file. */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import { openSqlserver } from '../../../src/databases/sqlserver/database.ts';
import { sqlserverLanguage } from '../../../src/databases/sqlserver/language/language.ts';
import { split } from '../../../src/portable/lexer/split.ts';
import type { Row } from '../../../src/model/values.ts';
import type { Database } from '../registered-databases.ts';

export interface TestDatabase {
  /** The URL of the administrator. */
  readonly url: string;
  /** Whether the server is Babelfish, which implements T-SQL on PostgreSQL. */
  readonly isBabelfish: boolean;
  /** Runs statements as an administrator, each as a separate batch. Returns the rows of the last one. */
  query(text: string): Promise<readonly Row[]>;
  /** Whether a statement succeeds. It is rolled back. */
  reads(text: string): Promise<boolean>;
  drop(): Promise<void>;
}

/** Creates a database for the tests of a file. Skips them with a reason if there is no server. */
export function useSqlserver(): () => TestDatabase {
  let database: TestDatabase | undefined;
  let unavailableReason = '';
  beforeAll(async () => {
    try {
      database = await createTestDatabase();
    } catch (error) {
      unavailableReason = error instanceof Error ? error.message : String(error);
    }
  });
  beforeEach((context) => {
    if (database === undefined) context.skip(`no SQL Server: ${unavailableReason}`);
  });
  afterAll(() => database?.drop());
  return () => {
    if (database === undefined) throw new Error(`no SQL Server: ${unavailableReason}`);
    return database;
  };
}

/** Whether the configured server is Babelfish. */
export async function usesBabelfish(): Promise<boolean> {
  const serverUrl = process.env['STUDIO_TEST_SQLSERVER'];
  if (!serverUrl) return false;
  const server = await open(serverUrl, 'master');
  const isBabelfish = await askBabelfish(server);
  await server.close();
  return isBabelfish;
}

async function askBabelfish(server: Database): Promise<boolean> {
  const [[response] = []] = await query(server, "SELECT CAST(SERVERPROPERTY('babelfish') AS int)");
  return response === 1;
}

/** Fails if there is no server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['STUDIO_TEST_SQLSERVER'];
  if (!serverUrl) throw new Error('STUDIO_TEST_SQLSERVER is not set');
  const name = `studio_test_${randomBytes(6).toString('hex')}`;
  const server = await open(serverUrl, 'master');
  await query(server, `CREATE DATABASE ${name}`);
  const isBabelfish = await askBabelfish(server);
  const connection = await open(serverUrl, name);
  if (isBabelfish) await query(connection, allowBabelfishTypes);
  return {
    url: urlOf(serverUrl, name),
    isBabelfish,
    query: (text) => query(connection, text),
    reads: (text) =>
      connection
        .transaction('read', (session) => session.run({ text, params: [] }))
        .then(
          () => true,
          () => false,
        ),
    drop: async () => {
      await connection.close();
      await dropDatabase(server, name);
      await server.close();
    },
  };
}

/** Connections that have just been closed may still count. */
async function dropDatabase(server: Database, name: string, tries = 20): Promise<void> {
  try {
    await query(server, `DROP DATABASE ${name}`);
  } catch (error) {
    if (tries === 0) throw error;
    await setTimeout(100);
    await dropDatabase(server, name, tries - 1);
  }
}

/** Babelfish accepts rowversion only if this setting allows its own type instead. */
const allowBabelfishTypes =
  "EXEC sp_babelfish_configure 'babelfishpg_tsql.escape_hatch_rowversion', 'ignore', 'server'";

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.searchParams.set('database', database);
  return url.href;
}

function open(server: string, database: string): Promise<Database> {
  return openSqlserver({ url: urlOf(server, database), readOnly: false, create: false });
}

async function query(database: Database, text: string): Promise<readonly Row[]> {
  let rows: readonly Row[] = [];
  for (const statement of split(text, sqlserverLanguage)) {
    rows = (await database.run({ text: statement.text, params: [] })).rows;
  }
  return rows;
}
