/**
 * MariaDB (or MySQL) for tests: one server per run, a database per test file. `STUDIO_TEST_MYSQL`,
 * the URL of an administrator, selects another server.
 */
import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import { useSharedServer } from './shared-server.ts';

export interface TestDatabase {
  readonly name: string;
  /** The URL of an administrator. */
  readonly url: string;
  readonly isMariadb: boolean;
  /** The URL of the same database with another user or other parameters. */
  urlWith(changes: {
    readonly user?: string;
    readonly password?: string;
    readonly search?: string;
  }): string;
  /** Runs one or more statements as an administrator. Returns the rows of the last one. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

interface ServerState {
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/**
 * A condition that leaves out of `mysql.user`, which belongs to the whole server, what other tests
 * create meanwhile. Tests' users begin with "studio_".
 */
export const usersOutsideTests = "LEFT(user, 7) <> 'studio_'";

/** Creates a database for the tests of a file. Skips them with a reason if there is no server. */
export function useMariadb(): () => TestDatabase {
  let database: TestDatabase | undefined;
  let unavailableReason = '';
  beforeAll(async () => {
    try {
      database = await createTestDatabase();
    } catch (error) {
      if (process.env['CI']) throw error;
      unavailableReason = error instanceof Error ? error.message : String(error);
    }
  });
  beforeEach((context) => {
    if (database === undefined) context.skip(`no MariaDB: ${unavailableReason}`);
  });
  afterAll(() => database?.drop());
  return () => {
    if (database === undefined) throw new Error(`no MariaDB: ${unavailableReason}`);
    return database;
  };
}

/** Fails if there is no server. The default collation of the server ignores case. */
export async function createTestDatabase(
  options: { readonly collation?: string } = {},
): Promise<TestDatabase> {
  const server = await serverUrl();
  const name = `studio_test_${randomBytes(6).toString('hex')}`;
  const collate = options.collation === undefined ? '' : ` COLLATE ${options.collation}`;
  const [{ version = '' } = {}] = await runOnce(
    server,
    `CREATE DATABASE ${name}${collate}; SELECT VERSION() AS version`,
  );
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    isMariadb: /mariadb/i.test(String(version)),
    urlWith: (changes) => changedUrl(url, changes),
    query: (text) => runOnce(url, text),
    drop: async () => void (await runOnce(server, `DROP DATABASE IF EXISTS ${name}`)),
  };
}

/** Whether the configured server is MySQL and not MariaDB. */
export async function isMysql(): Promise<boolean> {
  const configured = process.env['STUDIO_TEST_MYSQL'];
  if (!configured) return false;
  const [{ version = '' } = {}] = await runOnce(new URL(configured), 'SELECT VERSION() AS version');
  return !/mariadb/i.test(String(version));
}

function changedUrl(url: URL, changes: Parameters<TestDatabase['urlWith']>[0]): string {
  const changed = new URL(url);
  changed.username = changes.user ?? url.username;
  changed.password = changes.password ?? url.password;
  changed.search = changes.search ?? url.search;
  return changed.href;
}

async function runOnce(url: URL, text: string): Promise<readonly Record<string, unknown>[]> {
  const connection = await mysql.createConnection({
    host: url.hostname,
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
    multipleStatements: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  });
  try {
    const [result] = await connection.query(text);
    const last: unknown = Array.isArray(result) && isResults(result) ? result.at(-1) : result;
    return Array.isArray(last) ? (last as Record<string, unknown>[]) : [];
  } finally {
    await connection.end();
  }
}

/**
 * Several statements return an array of results, one statement returns its rows. The first member
 * distinguishes them.
 */
function isResults(result: readonly unknown[]): boolean {
  const [first] = result;
  return (
    Array.isArray(first) || (typeof first === 'object' && first !== null && 'affectedRows' in first)
  );
}

async function serverUrl(): Promise<URL> {
  const configured = process.env['STUDIO_TEST_MYSQL'];
  if (configured) return new URL(configured);
  const { port, user, password } = await sharedMariadb();
  return new URL(`mysql://${user}:${password}@127.0.0.1:${port}/`);
}

/** The shared server of the run, started on first use. */
function sharedMariadb(): Promise<ServerState> {
  return useSharedServer<ServerState>({
    name: 'mariadb',
    keeper: new URL('mariadb-keeper.ts', import.meta.url),
  });
}
