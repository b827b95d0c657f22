/**
 * PostgreSQL for tests: one server for a run, a database for each test file. `STUDIO_TEST_POSTGRES`,
 * a superuser's URL, names another server to use.
 */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import { keptServer } from './kept-server.ts';

export interface TestDatabase {
  readonly name: string;
  /** As a superuser. */
  readonly url: string;
  /** The same database as another role, or by another path. */
  urlWith(changes: {
    readonly user?: string;
    readonly password?: string;
    readonly search?: string;
  }): string;
  /** Statements as a superuser, several in one text too. */
  query(text: string, params?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

interface Kept {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly socketDirectory: string;
}

/** A database for the tests of a file; they are skipped, with the reason, where there is no server. */
export function usePostgres(): () => TestDatabase {
  let database: TestDatabase | undefined;
  let missing = '';
  beforeAll(async () => {
    try {
      database = await createTestDatabase();
    } catch (error) {
      if (process.env['CI']) throw error;
      missing = error instanceof Error ? error.message : String(error);
    }
  });
  beforeEach((context) => {
    if (database === undefined) context.skip(`no PostgreSQL: ${missing}`);
  });
  afterAll(() => database?.drop());
  return () => {
    if (database === undefined) throw new Error(`no PostgreSQL: ${missing}`);
    return database;
  };
}

/** Fails where there is no server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await serverUrl();
  const name = `studio_test_${randomBytes(6).toString('hex')}`;
  await runOnce(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
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
  const given = process.env['STUDIO_TEST_POSTGRES'];
  if (given && !process.env['STUDIO_TEST_OLDEST_POSTGRES']) return new URL(given);
  const { port, user, password } = await keptPostgres();
  return new URL(`postgres://${user}:${password}@127.0.0.1:${port}/postgres`);
}

/** Where the run's server has its socket; undefined for a server that is not ours. */
export async function socketDirectory(): Promise<string | undefined> {
  return process.env['STUDIO_TEST_POSTGRES'] ? undefined : (await keptPostgres()).socketDirectory;
}

function keptPostgres(): Promise<Kept> {
  return keptServer<Kept>({
    name: process.env['STUDIO_TEST_OLDEST_POSTGRES'] ? 'oldest-postgres' : 'postgres',
    keeper: new URL('postgres-keeper.ts', import.meta.url),
  });
}
