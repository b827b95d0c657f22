/**
 * PostgreSQL for tests: one server per run, a database per test file. `STUDIO_TEST_POSTGRES`, the
 * URL of a superuser, selects another server. `STUDIO_TEST_POSTGRES_SETUP` has statements that run in each
 * new database there.
 */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import { startPostgres } from './embedded-postgres.ts';
import { isOldestPostgres } from './oldest-postgres.ts';
import { useSharedServer } from './shared-server.ts';
import type { PostgresServer } from './embedded-postgres.ts';

export interface TestDatabase {
  readonly name: string;
  /** The URL of a superuser. */
  readonly url: string;
  /** The URL of the same database with another role or other parameters. */
  urlWith(changes: {
    readonly user?: string;
    readonly password?: string;
    readonly search?: string;
  }): string;
  /** Runs one or more statements as a superuser. */
  query(text: string, params?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

interface ServerState {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly socketDirectory: string;
}

/**
 * Conditions that leave out of `pg_roles` and `pg_db_role_setting`, which belong to the whole
 * server, what other tests create meanwhile. Tests' roles begin with "studio_".
 */
export const rolesOutsideTests = String.raw`rolname NOT LIKE 'studio\_%'`;
export const settingsOutsideTests = String.raw`
  setrole NOT IN (SELECT oid FROM pg_roles WHERE rolname LIKE 'studio\_%')
  AND setdatabase NOT IN (SELECT oid FROM pg_database
    WHERE datname LIKE 'studio\_test\_%' AND datname <> current_database())`;

/**
 * Creates a database for the tests of a file. Skips them with a reason if there is no server.
 * `ownServer` starts a server for these tests alone, because they compare the state of a whole
 * server.
 */
export function usePostgres({ ownServer = false } = {}): () => TestDatabase {
  let database: TestDatabase | undefined;
  let server: PostgresServer | undefined;
  let unavailableReason = '';
  beforeAll(async () => {
    try {
      if (ownServer) server = await startPostgres();
      database = await createTestDatabase(server && urlOf(server));
    } catch (error) {
      if (process.env['CI']) throw error;
      unavailableReason = error instanceof Error ? error.message : String(error);
    }
  });
  beforeEach((context) => {
    if (database === undefined) context.skip(`no PostgreSQL: ${unavailableReason}`);
  });
  afterAll(() => (server === undefined ? database?.drop() : server.remove()));
  return () => {
    if (database === undefined) throw new Error(`no PostgreSQL: ${unavailableReason}`);
    return database;
  };
}

/** Fails if there is no server. */
export async function createTestDatabase(ownServer?: URL): Promise<TestDatabase> {
  const server = ownServer ?? (await serverUrl());
  const name = `studio_test_${randomBytes(6).toString('hex')}`;
  await runOnce(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const setup = process.env['STUDIO_TEST_POSTGRES_SETUP'];
  if (setup !== undefined && ownServer === undefined) await runOnce(url, setup);
  return {
    name,
    url: url.href,
    urlWith: (changes) => changedUrl(url, changes),
    query: (text, params) => runOnce(url, text, params),
    drop: async () => void (await runOnce(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

function changedUrl(url: URL, changes: Parameters<TestDatabase['urlWith']>[0]): string {
  const changed = new URL(url);
  changed.username = changes.user ?? url.username;
  changed.password = changes.password ?? url.password;
  changed.search = changes.search ?? url.search;
  return changed.href;
}

async function runOnce(
  url: URL,
  text: string,
  params?: readonly unknown[],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(
      text,
      params === undefined ? undefined : [...params],
    );
    return result.rows;
  } finally {
    await client.end();
  }
}

async function serverUrl(): Promise<URL> {
  const configured = process.env['STUDIO_TEST_POSTGRES'];
  if (configured && !isOldestPostgres) return new URL(configured);
  return urlOf(await sharedPostgres());
}

function urlOf({ port, user, password }: ServerState): URL {
  return new URL(`postgres://${user}:${password}@127.0.0.1:${port}/postgres`);
}

/** The socket directory of the shared server; undefined for a configured server. */
export async function socketDirectory(): Promise<string | undefined> {
  return process.env['STUDIO_TEST_POSTGRES'] ? undefined : (await sharedPostgres()).socketDirectory;
}

function sharedPostgres(): Promise<ServerState> {
  return useSharedServer<ServerState>({
    name: isOldestPostgres ? 'oldest-postgres' : 'postgres',
    keeper: new URL('postgres-keeper.ts', import.meta.url),
  });
}
